import { requestTarget } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import type { Operation } from '../operation';
import { getRun, runEndpoint } from './getRun';
import { flowRunField, flowRunLocator } from './locator';
import { simplifyRun } from './simplify';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get flow run',
	description: 'Get a flow run with what its failed step says',
	hint: 'Turn Simplify off for the input and output of every step',
	endpoint: runEndpoint,
	properties: [flowRunField, ...outputFields],
	async run(context) {
		const output = getOutputMode(context, simplifyRun);
		const run = await getRun(context.client, requestTarget(context, flowRunLocator));
		return output.finish([output.transform(run)]);
	},
};
