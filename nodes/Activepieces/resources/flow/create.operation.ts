import { getOptionalId, type Locator, locatorField } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { toRecordName } from '../../descriptions/parameters';
import { unconfirmed } from '../../execution/retryOnFail';
import { requestRecord } from '../../transport/send';
import type { ApiRequest } from '../../transport/request';
import type { Operation } from '../operation';
import { outputRecord } from '../outputRecord';
import { projectLocator } from '../project/project';
import { fetchOnlyProject } from '../project/names';
import { assertFolderInProject, flowFolder, isNoFolder } from './flowFolder';
import { CREATE_FLOW, simplifyFlow } from './flow';

const flowProject: Locator = {
	...projectLocator,
	description: 'The project to create the flow in',
	hint: 'Leave empty if you have access to only one project',
	emptyMeans: 'the only project',
};

const newFlowFolder: Locator = {
	...flowFolder,
	description: 'The folder to create the flow in. It must be in the same project.',
	hint: 'Leave empty for no folder',
};

/** The message when no response to a create arrived, since another create would make a second flow. */
const inDoubt = (displayName: string) =>
	unconfirmed(`flow "${displayName}" was created`, {
		attempt: 'to create it failed without a clear result',
		check: 'the flows of the project',
	});

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create flow',
	description: 'Create an empty flow in a project',
	hint: 'The new flow has no trigger and is disabled. Each run of this node creates another flow.',
	toolDescription:
		'Creates an empty, disabled flow without a trigger in an Activepieces project, even if a flow with that name already exists, and returns the new flow',
	endpoint: CREATE_FLOW,
	properties: [
		locatorField(flowProject),
		{
			displayName: 'Name',
			name: 'displayName',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Send invoices',
			description: 'The name of the flow. Several flows can have the same name.',
		},
		locatorField(newFlowFolder),
		...outputFields,
	],
	simplify: simplifyFlow,
	async run(context) {
		const { client } = context;
		const output = getOutputMode(context, simplifyFlow);
		const displayName = toRecordName('Name', context.get('displayName', ''), 'flow');
		const folder = getOptionalId(context, newFlowFolder);
		const projectId =
			getOptionalId(context, flowProject) ??
			(await fetchOnlyProject(client, flowProject.displayName));
		// Omitted for no folder, because null is refused from 0.79 on (recorded).
		const folderId = folder === undefined || isNoFolder(folder) ? undefined : folder;
		if (folderId !== undefined) await assertFolderInProject(client, folderId, projectId);
		const request: ApiRequest = {
			...CREATE_FLOW,
			body: { displayName, projectId, ...(folderId === undefined ? {} : { folderId }) },
			subject: {
				noun: 'flow',
				field: flowProject.displayName,
				within: { noun: 'project', id: projectId },
			},
		};
		if (context.tried.isInDoubt) throw inDoubt(displayName);
		return await outputRecord(client, output, await requestRecord(client, request));
	},
};
