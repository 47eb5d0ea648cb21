import { changesOf, type Example, rows, setValues } from './example';
import { failingFlows } from './failingFlows';

/**
 * The flow that failed too often is switched off, with a message. One that failed once stays on, and so
 * does one that failed as often before it was repaired.
 */
export const example: Example = {
	file: 'failing-flows.json',
	prepare(workflow, { service, inbox }) {
		failingFlows(service);
		setValues(workflow, 'Settings', { webhookUrl: `${inbox.url}/alerts`, dryRun: false });
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
		expect(outcome.executed).not.toContain('Would Be Switched Off');
	},
};
