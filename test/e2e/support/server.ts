import type { Home } from './homes';
import { freePorts, type LongRunning, startLongRunning } from './longRunning';

/** A running n8n. */
export interface Server extends LongRunning {
	/** http://127.0.0.1:port */
	readonly url: string;
}

/** Longer than the 30 s that n8n allows its executions. */
const STOPPED_WITHIN_MS = 40_000;

/** Whether a URL responds with success. */
export async function isHealthy(url: string): Promise<boolean> {
	return await fetch(url).then(
		({ ok }) => ok,
		() => false,
	);
}

/**
 * Starts a command of n8n that runs until it is stopped: `start`, `worker` or `webhook`.
 *
 * @param ready whether it is ready, from its output or from a request
 */
export async function startProcess(
	home: Home,
	args: string[],
	env: NodeJS.ProcessEnv,
	ready: (log: string) => boolean | Promise<boolean>,
): Promise<LongRunning> {
	return await startLongRunning(
		home.installation.node,
		[home.installation.bin, ...args],
		{ cwd: home.folder, env: { ...home.env, ...env } },
		{ ready, stoppedWithin: STOPPED_WITHIN_MS },
	);
}

/** Starts an n8n with its editor and its REST interface on a free port of 127.0.0.1. */
export async function startServer(home: Home, env: NodeJS.ProcessEnv = {}): Promise<Server> {
	const [free, broker] = await freePorts(2);
	const port = env.N8N_PORT ?? String(free);
	const url = `http://127.0.0.1:${port}`;
	const server = await startProcess(
		home,
		['start'],
		{
			N8N_PORT: port,
			N8N_RUNNERS_BROKER_PORT: String(broker),
			N8N_EDITOR_BASE_URL: url,
			WEBHOOK_URL: url,
			...env,
		},
		async (log) => {
			if (!log.includes('Editor is now accessible')) return false;
			return await isHealthy(`${url}/healthz`);
		},
	);
	return { url, ...server };
}
