/* eslint-disable @n8n/community-nodes/no-restricted-globals -- a process of its own for one measurement, never inside n8n */
import { CONTESTANTS, type Name } from './contestants';
import type { Task } from './contestants/contestant';

/** What the process is given. */
export interface Turn {
	name: Name;
	warmUp: Task;
	measured: Task;
}

/** What it gives back. */
export interface Outcome {
	ms: number;
	/** Most memory the process ever held, above what it held after warming up */
	peakMb: number;
	records: number;
	/** Why there is no result */
	failure?: string;
}

/** Warming up ends after so many runs, or after so long when they are slow. */
const WARM_UP_RUNS = 10;
const WARM_UP_MS = 1500;

const MB = 1024 * 1024;

/** Ids for one run of the warm-up: none twice, since each can be deleted once. */
const share = (ids: string[], run: number, kind: Task['kind']) =>
	kind === 'get' || kind === 'update'
		? ids
		: ids.slice((run * ids.length) / WARM_UP_RUNS).slice(0, 400);

async function main() {
	const { name, warmUp, measured } = await new Promise<Turn>((resolve) => {
		process.once('message', resolve);
		process.send?.({ loaded: true });
	});
	const perform = await CONTESTANTS[name].prepare();
	const until = performance.now() + WARM_UP_MS;
	for (let run = 0; run < WARM_UP_RUNS && performance.now() < until; run++) {
		await perform({ ...warmUp, ids: share(warmUp.ids, run, warmUp.kind) });
	}
	globalThis.gc?.();
	const baseline = process.memoryUsage().rss;

	process.once('message', () => {
		const began = performance.now();
		perform(measured).then(
			(records) => end(performance.now() - began, records),
			(error: Error) => end(performance.now() - began, 0, error.message),
		);
	});
	process.send?.({ ready: true });

	function end(ms: number, records: number, failure?: string) {
		const peak = process.resourceUsage().maxRSS * 1024;
		const outcome: Outcome = { ms, records, peakMb: (peak - baseline) / MB, failure };
		process.send?.(outcome, undefined, undefined, () => process.exit(0));
	}
}

process.on('disconnect', () => process.exit(1));
void main();
