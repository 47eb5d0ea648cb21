import { byId } from '../../engine/harness/byId';
import { stepsOf } from '../../service/webhookSteps';
import { modelCredentials, nodeOf, rows, type Runs } from './example';

export const runs: Runs = {
	/** The agent runs the flow with the model's input, and the model reads its response. */
	'flow-as-tool': {
		credentials: modelCredentials,
		prepare(workflow, { service }) {
			const steps = stepsOf('webhook', {}, { body: { order: 1001, status: 'on its way' } });
			const { id } = service.live.addFlow({ name: 'Order status', enabled: true, steps });
			nodeOf(workflow, 'Look Up Order').parameters.flowId = byId(id);
		},
		verify(outcome, { service }) {
			const [{ output }] = rows(outcome, 'Order Agent');
			expect(output).toContain('Look_Up_Order says: ');
			expect(output).toContain('on its way');
			// The model's value for a number.
			expect(service.webhooks.runs.map(({ body }) => body)).toEqual([{ order: 50 }]);
		},
	},
};
