/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */
import type { ChildProcess } from 'node:child_process';

import { endTree, logOf, start } from './command';
import type { Home } from './home';
import { freePorts } from './ports';

/** A running n8n. */
export interface Server {
	/** http://127.0.0.1:port */
	readonly url: string;
	readonly process: ChildProcess;
	/** Everything it printed so far */
	log(): string;
	/** Ends it and waits until it has ended. */
	stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Slow machines included; it takes 8 to 15 s on two cores. */
const READY_WITHIN_MS = 180_000;
/** Above the 30 s that n8n gives its executions. */
const STOPPED_WITHIN_MS = 40_000;

export const pause = async (ms: number) =>
	await new Promise<void>((resolve) => {
		setTimeout(resolve, ms);
	});

/** Whether an address answers, and well. */
export async function isHealthy(url: string): Promise<boolean> {
	return await fetch(url).then(
		({ ok }) => ok,
		() => false,
	);
}

/**
 * Starts a command of n8n that does not end by itself: `start`, `worker` or `webhook`.
 *
 * @param ready tells from what it printed, or by asking it, whether it is ready
 */
export async function startProcess(
	home: Home,
	args: string[],
	env: NodeJS.ProcessEnv,
	ready: (log: string) => boolean | Promise<boolean>,
): Promise<Omit<Server, 'url'>> {
	const child = start(home.installation.node, [home.installation.bin, ...args], {
		cwd: home.folder,
		env: { ...home.env, ...env },
	});
	const log = logOf(child);
	const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));

	async function stop(signal: NodeJS.Signals = 'SIGTERM') {
		endTree(child, signal);
		const killing = setTimeout(() => endTree(child, 'SIGKILL'), STOPPED_WITHIN_MS);
		await ended;
		clearTimeout(killing);
	}

	const deadline = Date.now() + READY_WITHIN_MS;
	while (!(await ready(log()))) {
		if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
			await stop('SIGKILL');
			throw new Error(`n8n ${args.join(' ')} did not become ready:\n${log().slice(-4000)}`);
		}
		await pause(200);
	}
	return { process: child, log, stop };
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
