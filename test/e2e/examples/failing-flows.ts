import { changesOf, type Example, rows, setValues } from './example';
import { failedRuns } from './failedRuns';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/**
 * The flow that failed too often is switched off, with a message. One that failed once stays on, and so
 * does one that failed as often before it was repaired.
 */
export const example: Example = {
	file: 'failing-flows.json',
	prepare(workflow, { service, inbox }) {
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
		setValues(workflow, 'Settings', { webhookUrl: `${inbox.url}/alerts` });
	},
	verify(outcome, { inbox, service }) {
		const switchedOff = rows(outcome, 'Switch Off').map(({ id }) => id);
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
					text: `The flow "${flow?.version.displayName}" failed 10 times and was switched off. Owner: ${flow?.ownerId}`,
				},
			},
		]);
		expect(outcome.executed).not.toContain('Needs a Look');
	},
};
