/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import type { ChildProcess } from 'node:child_process';

import { type CommandOptions, endTree, logOf, start } from './command';
import { pause } from './server';

/** A server beside n8n. */
export interface Daemon {
	/** Ends it and waits until it has ended. */
	stop(): Promise<void>;
}

const READY_WITHIN_MS = 60_000;
const STOPPED_WITHIN_MS = 15_000;

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
	return exitCode !== null || signalCode !== null;
}

/**
 * Starts a server that is not n8n.
 *
 * @param ready asks it whether it is; what that throws means that it is not yet
 * @param signal ends it in good order
 */
export async function startDaemon(
	program: string,
	args: string[],
	options: CommandOptions,
	ready: () => Promise<unknown>,
	signal: NodeJS.Signals = 'SIGTERM',
): Promise<Daemon> {
	const child = start(program, args, options);
	const log = logOf(child);
	const ended = new Promise<void>((resolve) => {
		child.once('error', () => resolve()).once('close', () => resolve());
	});

	async function stop() {
		if (hasEnded(child)) return;
		endTree(child, signal);
		const deadline = Date.now() + STOPPED_WITHIN_MS;
		while (!hasEnded(child) && Date.now() < deadline) await pause(50);
		if (!hasEnded(child)) endTree(child, 'SIGKILL');
		await ended;
	}

	const deadline = Date.now() + READY_WITHIN_MS;
	for (;;) {
		const asked = ready().then(
			() => true,
			() => false,
		);
		// A client may go on trying for as long as nobody answers.
		const answers = await Promise.race([asked, pause(2000).then(() => false)]);
		if (answers && !hasEnded(child)) return { stop };
		if (hasEnded(child) || Date.now() > deadline) {
			await stop();
			throw new Error(`${program} did not become ready:\n${log().slice(-4000)}`);
		}
		await pause(100);
	}
}
