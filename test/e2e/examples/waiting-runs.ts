import { changesOf, type Example, rows } from './example';
import { addWaitingRuns } from './waitingRuns';

let made: ReturnType<typeof addWaitingRuns>;

/** The dry run, which is how the file is imported: it shows what has waited for a day, and cancels nothing. */
export const example: Example = {
	file: 'waiting-runs.json',
	prepare(_workflow, { service }) {
		made = addWaitingRuns(service);
	},
	verify(outcome, { service }) {
		const shown = rows(outcome, 'Would Be Canceled');
		expect(shown.map(({ runId }) => runId).sort()).toEqual([...made.old].sort());
		for (const { runId, url } of shown) expect(url).toContain(String(runId));
		expect(outcome.executed).not.toContain('Cancel Run');
		expect(changesOf(service)).toEqual([]);
	},
};
