/* eslint-disable no-console, @typescript-eslint/no-require-imports, @n8n/community-nodes/no-restricted-globals -- a command for people, run with tsx; never inside n8n */
import { read } from '../../engine/harness/environment';
import { checkServer, type ServerCheck } from './checkServer';
import { readSettings, USAGE, UsageError } from './settings';

const versionOf = (folder: string) =>
	(JSON.parse(read(`${folder}/package.json`)) as { version: string }).version;

/** An interrupted command deletes its folder before it ends. */
function onInterrupt({ cleanUp }: ServerCheck): void {
	const end = async () => {
		await cleanUp().catch((error: Error) => console.error(error.message));
		process.exit(130);
	};
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		// The engine's own listener would end the process at once.
		process.removeAllListeners(signal);
		process.once(signal, () => void end());
	}
}

/**
 * Checks the server that the environment names, and prints the report.
 *
 * @param begun called when the check has started
 * @returns the exit code
 */
export async function live(
	args: string[],
	environment: NodeJS.ProcessEnv,
	begun?: (check: ServerCheck) => void,
): Promise<number> {
	try {
		const settings = readSettings(args, environment);
		// Loaded here, because n8n's engine takes seconds to load.
		const { createEngine } =
			require('../../engine/harness/engine') as typeof import('../../engine/harness/engine');
		const versions = `n8n-nodes-activepieces ${versionOf('.')}, n8n-core ${versionOf('node_modules/n8n-core')}, Node.js ${process.versions.node}`;
		const check = checkServer(settings, await createEngine(), versions);
		begun?.(check);
		const { text, isRight } = await check.report;
		console.log(text);
		return isRight ? 0 : 1;
	} catch (error) {
		console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error);
		return 1;
	}
}

if (require.main === module) {
	void live(process.argv.slice(2), process.env, onInterrupt).then(
		(code) => (process.exitCode = code),
	);
}
