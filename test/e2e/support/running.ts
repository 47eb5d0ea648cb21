import { freshHome, type Home } from './homes';
import type { N8nRelease } from './install';
import { type Rest, signIn } from './rest';
import { type Server, startServer } from './server';

/** A running n8n with a signed-in user. */
export interface Running {
	home: Home;
	server: Server;
	rest: Rest;
}

/**
 * Starts an n8n for the tests of a block, and stops it after them.
 *
 * @param prepare imports what the tests need, before n8n starts
 */
export function useN8n(
	release: N8nRelease,
	prepare: (home: Home) => Promise<void> = async () => {},
): Running {
	const running = {} as Running;
	beforeAll(async () => {
		running.home = await freshHome(release);
		await prepare(running.home);
		running.server = await startServer(running.home);
		running.rest = await signIn(running.server.url);
	});
	afterAll(async () => {
		await running.server?.stop();
	});
	return running;
}
