/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- runs in Node beside n8n, never inside it */
import { join } from 'node:path';

import { temporaryFolder } from './folders';
import { copyOfHome, type Home, homeIn, installPackage } from './home';
import { installed, N8N_RELEASES, type N8nRelease } from './install';
import { setUpOwner } from './rest';
import { startServer } from './server';
import { packPackage } from './tarball';

/** Variable with the folder of the prepared homes, one per release; set by `prepareHomes`. */
const HOMES = 'ACTIVEPIECES_E2E_HOMES';

/**
 * Prepares the home for the tests of a release: the package installed from its tarball, the database
 * migrated, the owner set up.
 */
async function prepareHome(release: N8nRelease, homes: string, tarball: string): Promise<void> {
	const home = homeIn(join(homes, release), await installed(release));
	await installPackage(home.folder, tarball);
	const server = await startServer(home);
	try {
		await setUpOwner(server.url);
	} finally {
		await server.stop();
	}
}

/**
 * Prepares a home for each release, for this process and its children.
 *
 * @param purpose part of the name of their folder, which is removed with this process
 */
export async function prepareHomes(
	purpose: string,
	releases: readonly N8nRelease[] = N8N_RELEASES,
): Promise<void> {
	const folder = temporaryFolder(purpose);
	const tarball = await packPackage(folder);
	for (const release of releases) {
		console.log(`Installing the package in n8n ${release}`);
		await prepareHome(release, folder, tarball);
	}
	process.env[HOMES] = folder;
}

/** A copy of a prepared home. */
export async function freshHome(release: N8nRelease, env: NodeJS.ProcessEnv = {}): Promise<Home> {
	const homes = process.env[HOMES];
	if (homes === undefined) throw new Error('Run the end-to-end tests with: npm run e2e');
	return copyOfHome(homeIn(join(homes, release), await installed(release)), env);
}
