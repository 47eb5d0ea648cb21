/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- a command of its own, run with tsx; never inside n8n */
import { join } from 'node:path';

import { endAll, runCommand, start, statusOf } from './support/command';
import { packageRoot } from './support/folders';
import { prepareHomes } from './support/homes';
import { installPrograms } from './support/programs';

/**
 * Prepares and runs the end-to-end tests; the arguments of the command line are passed to jest, for
 * example `npm run e2e -- headless`.
 */
async function main(): Promise<number> {
	await installPrograms(['chromium', 'redis', 'postgres']);
	await prepareHomes('e2e');
	const jest = require.resolve('jest/bin/jest');
	const args = ['--config', join(packageRoot, 'test/e2e/jest.config.js'), ...process.argv.slice(2)];
	const stdio = ['ignore', 'inherit', 'inherit'] as const;
	return await statusOf(start(process.execPath, [jest, ...args], { cwd: packageRoot }, [...stdio]));
}

let interrupted = false;
/** An interrupted run is not a successful one, whatever jest says; a second signal ends it at once. */
const exitIfInterrupted = () => {
	if (interrupted) process.exit(130);
};
runCommand(
	async () => await main().finally(exitIfInterrupted),
	() => {
		exitIfInterrupted();
		interrupted = true;
		// Only jest can end the processes that it has started, so it is signaled and awaited.
		endAll('SIGTERM');
	},
);
