/* eslint-disable @n8n/community-nodes/no-restricted-globals -- a process of its own for one candidate, never inside n8n */
import { type CandidateName, CANDIDATES, type Task } from './candidates';

async function main(name: CandidateName): Promise<void> {
	const run = await CANDIDATES[name]();
	process.on('message', (task: Task) => {
		globalThis.gc?.();
		run(task).then(
			(result) => process.send?.(result),
			(error: Error) => process.send?.({ failure: error.message }),
		);
	});
	process.on('disconnect', () => process.exit());
	process.send?.({ ready: true });
}

void main(process.argv[2] as CandidateName);
