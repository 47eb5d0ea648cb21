import type { Operation } from '../operation';
import { fetchChosenVersion, versionField } from './chosenVersion';
import { flowFileOf } from './flowFile';
import { flowField } from './locator';
import { GET_FLOW } from './requests';

export const exportOperation: Operation = {
	name: 'Export',
	value: 'export',
	action: 'Export flow',
	description: 'Get a flow with all its steps, to save as a file or to import',
	hint: 'Leaves out the password or secret header that a webhook requires. References to connections are kept.',
	toolDescription:
		'Returns one Activepieces flow by its ID with all its steps, in a form that Import takes: name, externalId, projectId, folderId, status and flow',
	endpoint: GET_FLOW,
	properties: [flowField, versionField],
	run: async (context) => [flowFileOf((await fetchChosenVersion(context)).flow)],
};
