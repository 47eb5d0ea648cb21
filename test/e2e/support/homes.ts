/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */
import { join } from 'node:path';

import { copyOfHome, type Home, homeIn, installPackage } from './home';
import { installed, type N8nRelease } from './install';
import { setUpOwner } from './rest';
import { startServer } from './server';

/** Names the folder with one prepared home per release; set for the tests by `main.ts`. */
const HOMES = 'ACTIVEPIECES_E2E_HOMES';

/**
 * Prepares the home that the tests of a release start from: the package installed from its tarball, the
 * database migrated, the owner set up.
 */
export async function prepareHome(
	release: N8nRelease,
	homes: string,
	tarball: string,
): Promise<void> {
	const home = homeIn(join(homes, release), await installed(release));
	await installPackage(home.folder, tarball);
	const server = await startServer(home);
	try {
		await setUpOwner(server.url);
	} finally {
		await server.stop();
	}
}

/** Tells the tests where the prepared homes are. */
export function homesAt(folder: string): NodeJS.ProcessEnv {
	return { [HOMES]: folder };
}

/** A home of one's own, as prepared. */
export async function freshHome(release: N8nRelease, env: NodeJS.ProcessEnv = {}): Promise<Home> {
	const homes = process.env[HOMES];
	if (homes === undefined) throw new Error('Run the end-to-end tests with: npm run e2e');
	return copyOfHome(homeIn(join(homes, release), await installed(release)), env);
}
