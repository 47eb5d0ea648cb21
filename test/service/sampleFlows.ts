import type { Service } from './index';
import { INPUT } from './routes/webhooks';
import { stepsOf } from './webhookSteps';

/** Adds two flows to run. The other flows do not respond, and none of them fails. */
export function addSampleFlows({ live, webhooks }: Service): void {
	const steps = stepsOf('webhook', {}, { body: INPUT });
	live.addFlow({ name: 'Return the input', enabled: true, steps });
	const check = {
		name: 'step_1',
		valid: true,
		displayName: 'Check the order',
		type: 'CODE',
		settings: {
			sourceCode: {
				code: "export const code = async () => { throw new Error('Boom: the order has no customer'); }",
				packageJson: '{}',
			},
			input: {},
		},
	};
	const failing = { ...stepsOf('webhook'), nextAction: check };
	webhooks.ends.set(live.addFlow({ name: 'Fail', enabled: true, steps: failing }).id, 'fails');
}
