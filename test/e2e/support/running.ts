import { type CredentialJson, importInto } from './headless';
import { freshHome, type Home } from './homes';
import type { N8nRelease } from './install';
import { type Rest, signIn } from './rest';
import { type Server, startServer } from './server';
import type { WorkflowJson } from './workflow';

/** Something that a test has started. */
type Started = { stop(): Promise<unknown> } | { close(): Promise<unknown> };

/** Takes what was started, to end it, and returns it. */
export type Ends = <T extends Started>(started: T | Promise<T>) => Promise<T>;

/** Ends what a block has started, after its tests and in reverse order. */
export function useEnds(): Ends {
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
 * @param prepare returns what is imported before n8n starts; what it starts ends after n8n
 */
export function useN8n(
	release: N8nRelease,
	prepare: (ends: Ends) => Promise<[CredentialJson[], WorkflowJson[]?]> = async () => [[]],
): Running {
	const ends = useEnds();
	const running = {
		release,
		async start() {
			running.server = await startServer(running.home);
			running.rest = await signIn(running.server.url);
		},
	} as Running;
	beforeAll(async () => {
		running.home = await freshHome(release);
		await importInto(running.home, ...(await prepare(ends)));
		await ends({ stop: async () => await running.server?.stop() });
		await running.start();
	});
	return running;
}
