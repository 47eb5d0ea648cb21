import { nameField } from '../../descriptions/fields';
import { locatorField } from '../../descriptions/locator';
import { toRecordName } from '../../descriptions/recordName';
import { unconfirmed } from '../refusals';
import { requestRecord } from '../../transport/client/send';
import { recordOperation } from '../recordOperation';
import { projectForNew } from '../project/project';
import { simplifyFlow } from './flow';
import { flowFolder } from './flowFolder';
import { CREATE_FLOW, newFlowRequest } from './newFlow';

const newFlow = {
	project: projectForNew('The project to create the flow in'),
	folder: {
		...flowFolder,
		description: 'The folder to create the flow in. It must be in the same project.',
		hint: 'Leave empty for no folder',
	},
};

const NAME = 'Name';

export const create = recordOperation({
	name: 'Create',
	value: 'create',
	description: 'Create an empty flow in a project',
	hint: 'The new flow has no trigger and is disabled. Each run of this node creates another flow.',
	toolDescription:
		'Creates an empty, disabled flow without a trigger in an Activepieces project, even if a flow with that name already exists, and returns the new flow',
	endpoint: CREATE_FLOW,
	properties: [
		locatorField(newFlow.project),
		nameField(NAME, {
			placeholder: 'e.g. Send invoices',
			description: 'The name of the flow. Several flows can have the same name.',
		}),
		locatorField(newFlow.folder),
	],
	simplify: simplifyFlow,
	async record(context) {
		const displayName = toRecordName(NAME, context.get('displayName', ''), 'flow');
		const { request } = await newFlowRequest(context, newFlow, displayName);
		if (context.tried.isInDoubt) {
			throw unconfirmed(`flow "${displayName}" was created`, 'the flows of the project');
		}
		return await requestRecord(context.client, request);
	},
});
