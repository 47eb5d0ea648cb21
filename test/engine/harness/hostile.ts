import { restoreLimits } from '../../restoreLimits';
import { limits, skipWaits, waitReally } from './built';
import { createEngine, type Engine } from './engine';
import { type HostileServer, startHostileServer } from './hostileServer';

/** The engine, and the hostile server that a test has started. */
export interface HostileContext {
	engine: Engine;
	/** The last one that was started */
	server: HostileServer;
	start(...options: Parameters<typeof startHostileServer>): Promise<HostileServer>;
}

/**
 * Starts the engine for the tests of a file that start servers of their own, which are closed after each test.
 * Limits that a test changes are put back. Requests are repeated without waiting, unless a test calls `waitReally`.
 */
export function useHostileServers(): HostileContext {
	const started: HostileServer[] = [];
	const context = {
		async start(...options) {
			context.server = await startHostileServer(...options);
			started.push(context.server);
			return context.server;
		},
	} as HostileContext;
	beforeAll(async () => {
		context.engine = await createEngine();
	});
	restoreLimits(limits);
	beforeEach(() => {
		skipWaits();
	});
	afterEach(waitReally);
	afterEach(async () => {
		for (const server of started.splice(0)) await server.close();
	});
	return context;
}
