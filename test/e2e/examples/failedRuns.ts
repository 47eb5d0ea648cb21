import type { Service } from '../../service';

const MINUTE = 60_000;

/**
 * Runs of the first published flow: so many that failed within the last hours, the newest first, then one
 * that succeeded and one that failed days ago.
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
