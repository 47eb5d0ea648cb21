/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */
import type { ChildProcess } from 'node:child_process';

import { type CommandOptions, endTree, logOf, start } from './command';

/** A program that does not end by itself: n8n, or a server beside it. */
export interface LongRunning {
	readonly process: ChildProcess;
	/** Everything it printed so far */
	log(): string;
	/** Ends it and waits until it has ended. */
	stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface Lifetime {
	/** Tells from what it printed, or by asking it, whether it is ready; a throw means not yet */
	ready: (log: string) => boolean | Promise<boolean>;
	/** What ends it in good order; default SIGTERM */
	signal?: NodeJS.Signals;
	/** ms; it is killed when it takes longer to end */
	stoppedWithin: number;
}

/** Slow machines included; n8n takes 8 to 15 s on two cores. */
const READY_WITHIN_MS = 180_000;
/** A client may go on trying for as long as nobody answers. */
const ASKED_FOR_MS = 2000;

export const pause = async (ms: number) =>
	await new Promise<void>((resolve) => {
		setTimeout(resolve, ms);
	});

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
	exitCode !== null || signalCode !== null;

/**
 * Starts a program and waits until it is ready.
 *
 * @throws when it ends before, or does not become ready, with the end of what it printed
 */
export async function startLongRunning(
	program: string,
	args: string[],
	options: CommandOptions,
	{ ready, signal: usual = 'SIGTERM', stoppedWithin }: Lifetime,
): Promise<LongRunning> {
	const child = start(program, args, options);
	const log = logOf(child);
	let failure: Error | undefined;
	let isClosed = false;
	const ended = new Promise<void>((resolve) => {
		child.once('close', () => {
			isClosed = true;
			resolve();
		});
		child.once('error', (error) => {
			failure = error;
			resolve();
		});
	});

	async function stop(signal = usual) {
		// What it has started may hold its streams after it has ended itself.
		if (!isClosed) endTree(child, signal);
		const killing = setTimeout(() => endTree(child, 'SIGKILL'), stoppedWithin);
		await ended;
		clearTimeout(killing);
	}

	const isReady = async () => {
		try {
			return await ready(log());
		} catch {
			return false;
		}
	};
	const deadline = Date.now() + READY_WITHIN_MS;
	for (;;) {
		const answers = await Promise.race([isReady(), pause(ASKED_FOR_MS).then(() => false)]);
		// Another program may answer on a port that this one did not get.
		if (failure !== undefined || hasEnded(child) || (!answers && Date.now() > deadline)) {
			await stop('SIGKILL');
			const said = failure?.message ?? log().slice(-4000);
			throw new Error(`${[program, ...args].join(' ')} did not become ready:\n${said}`);
		}
		if (answers) return { process: child, log, stop };
		await pause(100);
	}
}
