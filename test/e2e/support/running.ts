import { type CredentialJson, importInto } from './headless';
import { freshHome, type Home } from './homes';
import type { N8nRelease } from './install';
import { type Rest, signIn } from './rest';
import { type Server, startServer } from './server';
import type { WorkflowJson } from './workflow';

/** Something that a test has started. */
type Started = { stop(): Promise<unknown> } | { close(): Promise<unknown> };

/**
 * Ends what a block has started, after its tests and in reverse order.
 *
 * @returns a function that takes what was started, and returns it
 */
export function useEnds(): <T extends Started>(started: T | Promise<T>) => Promise<T> {
	const ends: Started[] = [];
	afterAll(async () => {
		for (const end of ends.reverse()) await ('stop' in end ? end.stop() : end.close());
	});
	return async (started) => {
		ends.push(await started);
		return await started;
	};
}

/** A running n8n with a signed-in user. */
export interface Running {
	readonly release: N8nRelease;
	home: Home;
	server: Server;
	rest: Rest;
	/** Starts n8n, or starts it again. */
	start(): Promise<void>;
}

/**
 * Starts an n8n for the tests of a block, and stops it after them.
 *
 * @param prepare returns what is imported before n8n starts
 */
export function useN8n(
	release: N8nRelease,
	prepare: () => Promise<[CredentialJson[], WorkflowJson[]?]> = async () => [[]],
): Running {
	const running = {
		release,
		async start() {
			running.server = await startServer(running.home);
			running.rest = await signIn(running.server.url);
		},
	} as Running;
	beforeAll(async () => {
		running.home = await freshHome(release);
		await importInto(running.home, ...(await prepare()));
		await running.start();
	});
	afterAll(async () => await running.server?.stop());
	return running;
}
