import { changesOf, type Example, rows } from './example';
import { failedRuns } from './failedRuns';

/** How the file is imported: it reports the failed runs, newest first, and retries none. */
export const example: Example = {
	file: 'failed-runs.json',
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
};
