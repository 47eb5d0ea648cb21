import { byId } from '../../engine/harness/byId';
import { stepsOf } from '../../service/webhookSteps';
import { nodeOf, rows, type Runs } from './example';

export const runs: Runs = {
	/** Starts the flow with the URL for its response; `triggerExamples.test.ts` sends one. */
	'flow-with-callback': {
		prepare(workflow, { service }) {
			const steps = stepsOf('subflows');
			const { id } = service.live.addFlow({ name: 'Produce order', enabled: true, steps });
			nodeOf(workflow, 'Start Flow').parameters.flowId = byId(id);
		},
		verify(outcome, { service }) {
			const [{ flowId }] = rows(outcome, 'Start Flow');
			expect(service.webhooks.runs).toEqual([
				{
					flowId,
					version: 'published',
					body: {
						data: { order: 1001, customer: 'Ada' },
						callbackUrl: expect.stringMatching(/^http.+\/webhook-waiting\/\d+/),
					},
				},
			]);
			expect(outcome.executed).not.toContain('Has Responded');
		},
	},
};
