import { type Example, rows, setValues } from './example';
import { addWaitingRuns } from './waitingRuns';

let made: ReturnType<typeof addWaitingRuns>;

/** The run after the dry run: what has waited for a day is canceled, and nothing else. */
export const example: Example = {
	file: 'waiting-runs.json',
	prepare(workflow, { service }) {
		made = addWaitingRuns(service);
		setValues(workflow, 'Settings', { dryRun: false });
	},
	verify(outcome, { service }) {
		const canceled = rows(outcome, 'Canceled').map(({ runId }) => runId);
		expect(canceled.sort()).toEqual([...made.old].sort());
		expect(outcome.executed).not.toContain('Would Be Canceled');
		expect(outcome.executed).not.toContain('Not Canceled');
		const statusOf = (id: string) => service.data.flowRuns.find((run) => run.id === id)?.status;
		for (const id of made.old) expect(statusOf(id)).toBe('CANCELED');
		for (const { id, status } of made.others) expect(statusOf(id)).toBe(status);
	},
};
