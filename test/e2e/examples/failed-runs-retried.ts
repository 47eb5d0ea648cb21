import { changesOf, type Example, rows, setValues } from './example';
import { failedRuns } from './failedRuns';

/** The run after a look: each failed run of the report is queued again, once; the others stay. */
export const example: Example = {
	file: 'failed-runs.json',
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
};
