import { type Service } from '../../service';
import { changesOf, rows, type Runs, setValues } from './example';

const HOUR = 3_600_000;

/** Adds runs that have waited for too long, and others that have not, or do not wait. */
function addWaitingRuns({ data, live }: Service) {
	data.flowRuns = [];
	const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
	const old = [48, 30].map(
		(hours) => live.addFlowRun({ status: 'PAUSED', created: ago(hours) }).id,
	);
	const others = [
		live.addFlowRun({ status: 'SUCCEEDED', created: ago(48) }),
		live.addFlowRun({ status: 'PAUSED', created: ago(2) }),
	];
	return { old, others: others.map(({ id, status }) => ({ id, status })) };
}

let made: ReturnType<typeof addWaitingRuns>;

export const runs: Runs = {
	/** The dry run, as imported: shows runs that have waited for a day, and cancels none. */
	'waiting-runs': {
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
	},
	/** After the dry run: only runs that have waited for a day are canceled. */
	'waiting-runs-for-real': {
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
	},
};
