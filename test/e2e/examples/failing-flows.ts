import { type Service } from '../../service';
import { changesOf, rows, type Runs, setValues } from './example';
import { failedRuns } from './failedRuns';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/**
 * Adds one flow that failed too often, one that failed once, and one that failed as often before it was
 * repaired.
 */
function failingFlows(service: Service): void {
	failedRuns(service, 10);
	const { flowId } = service.data.flowRuns[0];
	const enabled = service.data.flows.filter(({ status }) => status === 'ENABLED');
	const failing = enabled.find(({ id }) => id === flowId)!;
	const [other, repaired] = enabled.filter(({ id }) => id !== flowId);
	failing.updated = ago(5000);
	repaired.updated = ago(15);
	service.live.addFlowRun({ flowId: other.id, status: 'TIMEOUT', created: ago(1) });
	for (let minutes = 100; minutes >= 10; minutes -= 10) {
		service.live.addFlowRun({ flowId: repaired.id, status: 'FAILED', created: ago(minutes) });
	}
}

export const runs: Runs = {
	/** The dry run, as imported: shows which flows failed too often, and disables none. */
	'failing-flows': {
		prepare(_workflow, { service }) {
			failingFlows(service);
			for (const flow of service.data.flows) flow.ownerId = null;
		},
		verify(outcome, { inbox, service }) {
			const shown = rows(outcome, 'Would Be Disabled');
			const flow = service.data.flows.find(({ id }) => id === shown[0]?.flowId);
			expect(shown).toEqual([
				{
					flowId: flow?.id,
					flow: flow?.version.displayName,
					failedRuns: 10,
					owner: 'none',
				},
			]);
			expect(outcome.executed).not.toContain('Disable Flow');
			expect(changesOf(service)).toEqual([]);
			expect(inbox.received).toEqual([]);
		},
	},
	/**
	 * Disables the flow that failed too often, with a message. A flow that failed once stays enabled, and
	 * so does one that failed as often before it was repaired.
	 */
	'failing-flows-for-real': {
		prepare(workflow, { service, inbox }) {
			failingFlows(service);
			setValues(workflow, 'Settings', { webhookUrl: `${inbox.url}/alerts`, dryRun: false });
		},
		verify(outcome, { inbox, service }) {
			const switchedOff = rows(outcome, 'Disable Flow').map(({ id }) => id);
			const flow = service.data.flows.find(({ id }) => id === switchedOff[0]);
			expect(switchedOff).toHaveLength(1);
			expect(flow?.status).toBe('DISABLED');
			expect(
				rows(outcome, 'Count Since Change')
					.map(({ failedRuns }) => failedRuns)
					.sort(),
			).toEqual([1, 10]);
			expect(changesOf(service)).toHaveLength(1);
			expect(inbox.received).toEqual([
				{
					path: '/alerts',
					body: {
						text: `The flow "${flow?.version.displayName}" failed 10 times and was disabled. Owner: ${flow?.ownerId}`,
					},
				},
			]);
			expect(outcome.executed).not.toContain('Not Disabled');
			expect(outcome.executed).not.toContain('Would Be Disabled');
		},
	},
};
