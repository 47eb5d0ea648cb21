import type { Service } from '../../service';
import { changesOf, rows, type Runs, setValues } from './example';

const MINUTE = 60_000;

/**
 * Adds runs of the first published flow: a number of runs that failed in the last hours, newest first,
 * then one that succeeded and one that failed days ago.
 */
function failedRuns({ live, data }: Service, count: number): void {
	const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();
	live.addFlowRun({ status: 'FAILED', created: ago(5000) });
	live.addFlowRun({ status: 'SUCCEEDED', created: ago(200) });
	for (let i = count; i > 0; i--) {
		live.addFlowRun({ status: 'FAILED', created: ago(i * 10), log: true });
	}
	data.flowRuns = [...data.flowRuns];
}

export const runs: Runs = {
	/** As imported: reports the failed runs, newest first, and retries none. */
	'failed-runs': {
		prepare: (_workflow, { service }) => failedRuns(service, 12),
		verify(outcome, { service }) {
			const report = rows(outcome, 'Report');
			expect(report.map(({ runId }) => runId)).toEqual(
				service.data.flowRuns.map(({ id }) => id).slice(0, 12),
			);
			expect(report[0]).toMatchObject({
				status: 'FAILED',
				step: 'Send HTTP request',
				message: 'Request failed with status code 500',
			});
			expect(outcome.executed).toContain('Only Reported');
			expect(changesOf(service)).toEqual([]);
		},
	},
	/** After checking the report: each failed run of it is queued again, once; the others stay. */
	'failed-runs-retried': {
		prepare(workflow, { service }) {
			failedRuns(service, 3);
			setValues(workflow, 'Settings', { retry: true });
		},
		verify(outcome, { service }) {
			const failed = rows(outcome, 'Report').map(({ runId }) => runId);
			expect(failed).toHaveLength(3);
			expect(rows(outcome, 'Retried').map(({ runId }) => runId)).toEqual(failed);
			const queued = service.data.flowRuns.filter(({ status }) => status === 'QUEUED');
			expect(queued.map(({ id }) => id)).toEqual(failed);
			expect(changesOf(service)).toHaveLength(3);
			expect(outcome.executed).not.toContain('Not Retried');
		},
	},
};
