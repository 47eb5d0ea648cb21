import { requestTarget } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import type { Endpoint } from '../../transport/endpoint';
import type { Operation } from '../operation';
import { getFlow } from './getFlow';
import { flowField, flowLocator } from './locator';
import { simplifyFlow } from './simplify';

const endpoint: Endpoint = { method: 'GET', path: '/v1/flows/{id}' };

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get flow',
	description: 'Get a flow with its latest version',
	endpoint,
	properties: [flowField, ...outputFields],
	async run(context) {
		const output = getOutputMode(context, simplifyFlow);
		const flow = await getFlow(context.client, requestTarget(context, flowLocator));
		return output.finish([output.transform(flow)]);
	},
};
