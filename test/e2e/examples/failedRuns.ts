import type { Service } from '../../service';

const MINUTE = 60_000;

/**
 * Adds runs of the first published flow: a number of runs that failed in the last hours, newest first,
 * then one that succeeded and one that failed days ago.
 */
export function failedRuns({ live, data }: Service, count: number): void {
	const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();
	live.addFlowRun({ status: 'FAILED', created: ago(5000) });
	live.addFlowRun({ status: 'SUCCEEDED', created: ago(200) });
	for (let i = count; i > 0; i--) {
		live.addFlowRun({ status: 'FAILED', created: ago(i * 10), log: true });
	}
	data.flowRuns = [...data.flowRuns];
}
