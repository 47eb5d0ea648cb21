import { type Example, rows, setValues } from './example';
import { failedRuns } from './failedRuns';

/** The flow that failed too often is switched off, with a message; one that failed once stays on. */
export const example: Example = {
	file: 'failing-flows.json',
	prepare(workflow, { service, inbox }) {
		failedRuns(service, 10);
		const other = service.data.flows.filter(({ status }) => status === 'ENABLED')[1];
		service.live.addFlowRun({
			flowId: other.id,
			status: 'TIMEOUT',
			created: new Date(Date.now() - 60_000).toISOString(),
		});
		setValues(workflow, 'Settings', { webhookUrl: `${inbox.url}/alerts` });
	},
	verify(outcome, { inbox, service }) {
		const flow = service.data.flows.find(({ id }) => id === service.data.flowRuns[1].flowId);
		expect(rows(outcome, 'Switch Off').map(({ id }) => id)).toEqual([flow?.id]);
		expect(flow?.status).toBe('DISABLED');
		expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
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
