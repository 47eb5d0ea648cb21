/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- a command of its own, run with tsx; never inside n8n */
import { join } from 'node:path';

import { command, endStarted, STARTED } from './stage/command';
import { packageRoot, temporaryFolder } from './stage/folders';
import { homesAt, prepareHome } from './stage/homes';
import { N8N_RELEASES } from './stage/install';
import { installPrograms } from './stage/programs';
import { packPackage } from './stage/tarball';

/**
 * Prepares what the end-to-end tests start from and runs them; what is named on the command line is
 * given to jest, for example `npm run e2e -- headless`.
 */
async function main(): Promise<number> {
	await installPrograms(['chromium', 'redis', 'postgres']);
	const folder = temporaryFolder('e2e');
	const tarball = await packPackage(folder);
	for (const release of N8N_RELEASES) {
		console.log(`Installing the package in n8n ${release}`);
		await prepareHome(release, folder, tarball);
	}
	const started = join(folder, 'started');
	process.on('exit', () => endStarted(started));
	const jest = require.resolve('jest/bin/jest');
	const { status } = await command(
		process.execPath,
		[jest, '--config', join(packageRoot, 'test/e2e/jest.config.js'), ...process.argv.slice(2)],
		{
			cwd: packageRoot,
			// What tests put into temporary folders goes with ours.
			env: { ...process.env, ...homesAt(folder), [STARTED]: started, TMPDIR: folder },
			show: true,
		},
	);
	return status;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => process.exit(130));
}

main().then(
	(status) => process.exit(status),
	(error: Error) => {
		console.error(error.message);
		process.exit(1);
	},
);
