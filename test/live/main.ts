/* eslint-disable no-console, @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- a command for people, run with tsx; never inside n8n */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createEngine } from '../engine/harness/engine';
import { packageRoot } from '../engine/harness/environment';
import { checkServer, type ServerCheck } from './checkServer';
import { readSettings, USAGE, UsageError } from './settings';

function versionOf(folder: string): string {
	const text = readFileSync(join(packageRoot, folder, 'package.json'), 'utf8');
	return (JSON.parse(text) as { version: string }).version;
}

/** An interrupted command deletes its folder before it ends. */
function onInterrupt({ cleanUp }: ServerCheck): void {
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		// The engine's own listener ends the process at once.
		process.removeAllListeners(signal);
		process.once(signal, () => {
			cleanUp()
				.catch((error: Error) => console.error(error.message))
				.finally(() => process.exit(130));
		});
	}
}

async function main(): Promise<void> {
	const settings = readSettings(process.argv.slice(2), process.env);
	const versions = `n8n-nodes-activepieces ${versionOf('.')}, n8n-core ${versionOf('node_modules/n8n-core')}, Node.js ${process.versions.node}`;
	const check = checkServer(settings, await createEngine(), versions);
	onInterrupt(check);
	const { text, isRight } = await check.report;
	console.log(text);
	if (!isRight) process.exitCode = 1;
}

main().catch((error: unknown) => {
	process.exitCode = 1;
	if (error instanceof UsageError) console.error(`${error.message}\n\n${USAGE}`);
	else console.error(error instanceof Error ? (error.stack ?? error.message) : error);
});
