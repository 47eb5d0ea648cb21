import { startHostileServer, type HostileServer } from './hostileServer';
import { Runner, useEngine } from './runner';

class HostileRunner extends Runner {
	/** The server that was started last */
	server!: HostileServer;
	readonly started: HostileServer[] = [];

	start = async (...options: Parameters<typeof startHostileServer>) => {
		this.server = await startHostileServer(...options);
		this.credential = { baseUrl: this.server.baseUrl, apiKey: `sk-${'k'.repeat(61)}` };
		this.started.push(this.server);
		return this.server;
	};
}

/** For tests that start servers of their own, which are closed after each test. */
export function useHostileServers(): HostileRunner {
	const hostile = new HostileRunner();
	useEngine(hostile);
	afterEach(async () => {
		for (const server of hostile.started.splice(0)) await server.close();
	});
	return hostile;
}
