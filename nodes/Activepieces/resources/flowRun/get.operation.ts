import { requestTarget } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { requestRecord } from '../../transport/send';
import type { Operation } from '../operation';
import { flowRunField, flowRunLocator, GET_RUN, simplifyRun } from './flowRun';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get flow run',
	description: 'Get a flow run with the message of its failed step',
	hint: 'Turn off Simplify to get the input and output of every step',
	toolDescription:
		'Returns one run of an Activepieces flow by its ID, with the message of its failed step',
	endpoint: GET_RUN,
	properties: [flowRunField, ...outputFields],
	simplify: simplifyRun,
	async run(context) {
		const output = getOutputMode(context, simplifyRun);
		const request = { ...GET_RUN, ...requestTarget(context, flowRunLocator) };
		const run = await requestRecord(context.client, request);
		return output.finish([output.transform(run)]);
	},
};
