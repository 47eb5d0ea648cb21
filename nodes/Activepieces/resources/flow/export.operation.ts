import type { Operation } from '../operation';
import { fetchChosenVersion, versionField } from './chosenVersion';
import { flowFileOf } from './flowFile';
import { flowField, GET_FLOW } from './flow';

export const exportOperation: Operation = {
	name: 'Export',
	value: 'export',
	action: 'Export flow',
	description: 'Get a flow with all its steps so you can save it as a file or import it',
	hint: 'Leaves out the password or secret header that a webhook requires. References to connections are kept.',
	toolDescription:
		'Returns one Activepieces flow by its ID with all its steps, in the format that Import accepts: name, externalId, projectId, folderId, status and flow',
	endpoint: GET_FLOW,
	properties: [flowField, versionField],
	run: async (context) => [flowFileOf((await fetchChosenVersion(context)).flow)],
};
