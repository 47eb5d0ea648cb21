import type { IDataObject } from 'n8n-workflow';

import { locatorField } from '../../descriptions/locator';
import { recordOperation } from '../recordOperation';
import { anyRunLocator, fetchAnyRun } from './runLocators';
import { GET_RUN, simplifyRun } from './flowRun';
import { logWithoutFileUrls } from './runLog';

export const get = recordOperation({
	name: 'Get',
	value: 'get',
	description: 'Get a flow run with the message of its failed step',
	hint: 'Turn off Simplify to get the input and output of every step',
	toolDescription:
		'Returns one run of an Activepieces flow by its ID, with the message of its failed step',
	endpoint: GET_RUN,
	properties: [locatorField(anyRunLocator)],
	simplify: simplifyRun,
	async record(context) {
		const run = await fetchAnyRun(context);
		return 'steps' in run ? { ...run, steps: logWithoutFileUrls(run.steps) as IDataObject } : run;
	},
});
