import type { INodeParameters, NodeApiError } from 'n8n-workflow';

import { restoreLimits } from '../../restoreLimits';
import { limits, skipWaits, waitReally } from './built';
import type { Credential } from './credentials';
import { createEngine, type Engine, type RunOptions, type RunResult } from './engine';
import { type HostileServer, startHostileServer } from './hostileServer';

export interface HostileContext {
	engine: Engine;
	/** The server that was started last */
	server: HostileServer;
	/** Any key, for that server */
	readonly credential: Credential;
	start(...options: Parameters<typeof startHostileServer>): Promise<HostileServer>;
	/** Runs the node with that server; see `Engine`. */
	run(parameters: INodeParameters, given?: Partial<RunOptions>): Promise<RunResult>;
	failure(parameters: INodeParameters): Promise<NodeApiError>;
}

/**
 * Starts the engine for tests that start servers of their own, which are closed after each test. Limits that
 * a test changes are restored. Requests are repeated without waiting, unless a test calls `waitReally`.
 */
export function useHostileServers(): HostileContext {
	const started: HostileServer[] = [];
	const context = {
		get credential() {
			return { baseUrl: context.server.baseUrl, apiKey: `sk-${'k'.repeat(61)}` };
		},
		async start(...options) {
			context.server = await startHostileServer(...options);
			started.push(context.server);
			return context.server;
		},
		run: async (parameters, given) =>
			await context.engine.run({ credential: context.credential, parameters, ...given }),
		failure: async (parameters) =>
			await context.engine.failure({ credential: context.credential, parameters }),
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
