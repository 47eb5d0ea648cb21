/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions -- starts processes beside the bench, never inside n8n */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { packageRoot } from '../engine/harness/environment';

/** A TypeScript program of this bench in a process of its own. */
export interface Program {
	child: ChildProcess;
	/** Waits for its next message; rejects when it ends without one. */
	receive<T>(): Promise<T>;
	/** Sends a message and waits for the answer. */
	ask<T>(message: object): Promise<T>;
	end(): Promise<void>;
}

/**
 * @param file below test/bench
 * @param input given to the program as its first argument
 * @param heapMb what it may use for JavaScript; it is to run out of it silently then
 */
export function startProgram(file: string, input: object, heapMb?: number): Program {
	const limit = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`];
	const child = fork(join(packageRoot, 'test/bench', file), [JSON.stringify(input)], {
		cwd: packageRoot,
		execArgv: ['--import', 'tsx', '--expose-gc', ...limit],
		stdio: ['ignore', 'inherit', heapMb === undefined ? 'inherit' : 'ignore', 'ipc'],
	});
	const receive = async <T>() => {
		const ended = new AbortController();
		try {
			return await Promise.race([
				once(child, 'message', { signal: ended.signal }).then(([message]) => message as T),
				once(child, 'exit', { signal: ended.signal }).then(([code]): T => {
					throw new Error(`${file} ended with ${code}`);
				}),
			]);
		} finally {
			// Neither of the two is to listen on.
			ended.abort();
		}
	};
	return {
		child,
		receive,
		async ask(message) {
			const answer = receive<never>();
			child.send(message);
			return await answer;
		},
		async end() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const exit = once(child, 'exit');
			if (child.connected) child.disconnect();
			await exit;
		},
	};
}
