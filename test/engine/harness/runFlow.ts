import type { INodeParameters } from 'n8n-workflow';

import { stepsOf, type Answer } from '../../service/webhookSteps';
import { byId } from './byId';
import type { TestContext } from './service';

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

/** Makes the function that adds a flow to the stand-in, which starts in this way and may have a Return Response. */
export const flowAdder =
	(context: TestContext) =>
	(answer?: Answer, { kind = 'webhook', input = {} } = {}) =>
		context.live.addFlow({ name: 'Orders', enabled: true, steps: stepsOf(kind, input, answer) });
