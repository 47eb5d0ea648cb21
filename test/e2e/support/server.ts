import type { Home } from './homes';
import { freePorts, NOT_KEPT_ALIVE, startLongRunning, type LongRunning } from './longRunning';

export type Server = Awaited<ReturnType<typeof startServer>>;

/** Longer than the 30 s that n8n allows its executions. */
const STOPPED_WITHIN_MS = 40_000;

/**
 * Starts a command of n8n that runs until it is stopped: `start`, `worker` or `webhook`.
 *
 * @param ready what it prints, and then the URL that responds with success, when it is ready
 */
export async function startProcess(
	{ installation: { node, bin }, folder: cwd, env: common }: Home,
	args: string[],
	env: NodeJS.ProcessEnv,
	[printed, url]: [printed: string, url: string],
): Promise<LongRunning> {
	return await startLongRunning(
		node,
		[bin, ...args],
		{ cwd, env: { ...common, ...env } },
		{
			ready: async (log) =>
				log.includes(printed) && (await fetch(url, { headers: NOT_KEPT_ALIVE })).ok,
			stoppedWithin: STOPPED_WITHIN_MS,
		},
	);
}

/** Starts an n8n with its editor and its REST interface on a free port of 127.0.0.1. */
export async function startServer(home: Home, env: NodeJS.ProcessEnv = {}) {
	const [free, broker] = await freePorts(2);
	const port = env.N8N_PORT ?? String(free);
	const url = `http://127.0.0.1:${port}`;
	const own = {
		N8N_PORT: port,
		N8N_RUNNERS_BROKER_PORT: String(broker),
		N8N_EDITOR_BASE_URL: url,
		WEBHOOK_URL: url,
		...env,
	};
	const ready: [string, string] = ['Editor is now accessible', `${url}/healthz`];
	return { url, ...(await startProcess(home, ['start'], own, ready)) };
}
