/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- starts processes beside the bench, never inside n8n */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { endTree, start } from '../../e2e/support/command';
import { packageRoot } from '../../e2e/support/folders';
import type { CandidateName, Task } from './candidates';

/** A candidate in its own process, which stays warm between runs. */
export type CandidateProcess = Awaited<ReturnType<typeof startCandidate>>;

async function messageOf<T>(child: ChildProcess): Promise<T> {
	return await new Promise((resolve, reject) => {
		const ended = (code: number | null) => reject(new Error(`The process ended with ${code}`));
		child.once('exit', ended);
		child.once('message', (message) => {
			child.off('exit', ended);
			resolve(message as T);
		});
	});
}

/** @param heapMb size of its JavaScript heap; running out of it is then not reported */
export async function startCandidate(name: CandidateName, heapMb?: number) {
	const limit = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`];
	const script = join(packageRoot, 'test/tools/bench/candidates.ts');
	const child = start(
		process.execPath,
		['--import', 'tsx', '--expose-gc', ...limit, script, name],
		{ cwd: packageRoot },
		['ignore', 'ignore', heapMb === undefined ? 'inherit' : 'ignore', 'ipc'],
	);
	await messageOf(child);
	return {
		/** @throws when the run fails, returns too few records or ends the process */
		async run(task: Task, records: number): Promise<number> {
			const answer = messageOf<{ ms: number; records: number; failure?: string }>(child);
			child.send(task);
			const { ms, records: given, failure } = await answer;
			if (failure !== undefined) throw new Error(`${name}: ${failure}`);
			if (given !== records) throw new Error(`${name} gave ${given} records of ${records}`);
			return ms;
		},
		end: () => endTree(child),
	};
}
