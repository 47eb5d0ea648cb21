/* eslint-disable no-console -- prints for people while the bench runs, never inside n8n */
import type { Result, Results } from '../compare';
import { CONTESTANTS } from '../contestants';
import type { Contest } from '../contests';

/** How much of raw axios' figure it is; NaN where either is missing. */
export function ratioOf(contest: Contest, results: Results, result: Result): number {
	const base = results.get('rawAxios');
	if (base === undefined || base.missing !== undefined || result.missing !== undefined) return NaN;
	if (contest.about !== 'memory') return result.ms / base.ms;
	return (result.heapMb ?? NaN) / (base.heapMb ?? NaN);
}

export function printResults(contest: Contest, results: Results): void {
	for (const [name, result] of results) {
		const title = `  ${CONTESTANTS[name].title}`.padEnd(44);
		if (result.missing !== undefined) {
			console.log(`${title} ${result.missing}`);
			continue;
		}
		console.log(
			[
				title,
				`${result.ms.toFixed(0)} ms`.padStart(10),
				`× ${ratioOf(contest, results, result).toFixed(2)}`.padStart(9),
				`${result.peakMb.toFixed(0)} MB`.padStart(9),
				result.heapMb === undefined ? '' : `  in a heap of ${result.heapMb} MB`,
				`${result.connections} connections`.padStart(18),
				`${result.rounds} rounds`.padStart(10),
			].join(''),
		);
	}
}
