import { requestTarget } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { requestRecord } from '../../transport/record';
import type { Operation } from '../operation';
import { flowField, flowLocator } from './locator';
import { GET_FLOW } from './requests';
import { simplifyFlow } from './simplify';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get flow',
	description: 'Get a flow with its latest version',
	toolDescription: 'Returns one Activepieces flow by its ID',
	endpoint: GET_FLOW,
	properties: [flowField, ...outputFields],
	simplify: simplifyFlow,
	async run(context) {
		const output = getOutputMode(context, simplifyFlow);
		const request = { ...GET_FLOW, ...requestTarget(context, flowLocator) };
		const flow = await requestRecord(context.client, request);
		return output.finish([output.transform(flow)]);
	},
};
