import type { INodeParameters } from 'n8n-workflow';

import { type Answer, stepsOf } from '../../service/webhookSteps';
import { byId, type TestContext } from './service';

export { stepsOf };

export const runFlow = (flowId: unknown, more: INodeParameters = {}): INodeParameters => ({
	resource: 'flow',
	operation: 'run',
	flowId: byId(flowId),
	input: '={{ $json }}',
	...more,
});

export const WAIT: INodeParameters = { waitForResponse: true };

export const calls = ({ service }: TestContext) =>
	service.requests.filter(({ path }) => path.startsWith('/v1/webhooks/'));

/** Adds flows to the stand-in, and runs them. */
export function helpers(context: TestContext) {
	const add = (answer?: Answer, { kind = 'webhook', input = {} } = {}) =>
		context.live.addFlow({ name: 'Orders', enabled: true, steps: stepsOf(kind, input, answer) });
	const { records, failure, failsWith } = context;
	return { add, records, failure, failsWith };
}
