/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { endTree, logOf, start, statusOf, type CommandOptions } from './command';

export { pause };

/** A program that runs until it is stopped: n8n, or a server beside it. */
export type LongRunning = Awaited<ReturnType<typeof startLongRunning>>;

interface Lifetime {
	/** Whether it is ready, from its output or from a request; a throw means not yet */
	ready: (log: string) => boolean | Promise<boolean>;
	/** Signal for a graceful end; default SIGTERM */
	signal?: NodeJS.Signals;
	/** ms after which it is killed if it has not ended */
	stoppedWithin: number;
}

/**
 * n8n may close a connection that is kept alive just when it is used again, and then it is unknown whether
 * the request arrived.
 */
export const NOT_KEPT_ALIVE = { connection: 'close' };

/** Allows for slow machines; n8n takes 8 to 15 s on two cores. */
const READY_WITHIN_MS = 180_000;
/** A client may retry for as long as nobody responds. */
const ASKED_FOR_MS = 2000;

/**
 * Starts a program and waits until it is ready.
 *
 * @throws when it ends before, or does not become ready, with the end of its output
 */
export async function startLongRunning(
	program: string,
	args: string[],
	options: CommandOptions,
	{ ready, signal: usual = 'SIGTERM', stoppedWithin }: Lifetime,
) {
	const child = start(program, args, options);
	/** Its output so far */
	const log = logOf(child);
	let isClosed = false;
	let failure = '';
	const ended = statusOf(child)
		.catch((error: Error) => (failure = error.message))
		.then(() => (isClosed = true));

	/** Ends it and waits until it has ended. */
	async function stop(signal = usual): Promise<void> {
		// Processes that it has started may keep its streams open after its end.
		if (!isClosed) endTree(child, signal);
		const killing = setTimeout(() => endTree(child, 'SIGKILL'), stoppedWithin);
		await ended;
		clearTimeout(killing);
	}

	const isReady = async () => await ready(log());
	const deadline = Date.now() + READY_WITHIN_MS;
	for (;;) {
		const late = pause(ASKED_FOR_MS, false);
		const answers = await Promise.race([isReady().catch(() => false), late]);
		// Another program may respond on a port that this one did not get.
		const hasEnded = isClosed || child.exitCode !== null || child.signalCode !== null;
		if (answers && !hasEnded) return { process: child, log, stop };
		if (hasEnded || Date.now() > deadline) {
			await stop('SIGKILL');
			const said = failure || log().slice(-4000);
			throw new Error(`${[program, ...args].join(' ')} did not become ready:\n${said}`);
		}
		await pause(100);
	}
}

/** Many times longer than a loaded machine needed. */
const WITHIN_MS = 60_000;

/** Repeats an expectation until it is met, or throws its last error. */
export async function eventually<T>(
	expectation: () => T | Promise<T>,
	within = WITHIN_MS,
): Promise<T> {
	const deadline = Date.now() + within;
	let last: unknown;
	do {
		try {
			return await expectation();
		} catch (error) {
			last = error;
		}
		await pause(100);
	} while (Date.now() < deadline);
	throw last;
}

/** Different ports of 127.0.0.1 that are free now. */
export async function freePorts(count: number): Promise<number[]> {
	const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
	await Promise.all(servers.map(async (server) => await once(server, 'listening')));
	const ports = servers.map((server) => (server.address() as AddressInfo).port);
	await Promise.all(servers.map(async (server) => await once(server.close(), 'close')));
	return ports;
}

export async function isFree(port: number): Promise<boolean> {
	const server = createServer().listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch {
		return false;
	}
	await once(server.close(), 'close');
	return true;
}
