import type { IDataObject } from 'n8n-workflow';

import { named, optionalId, updates } from '../../descriptions/field';
import { choice, field, nameFilter, optionIds, recordName, texts } from '../../descriptions/kinds';
import type { Simplify } from '../../descriptions/output';
import type { ApiClient } from '../../transport/api/client';
import type { RequestTarget } from '../../transport/client/request';
import { ActivepiecesError, validationError, withNote } from '../../transport/errors/error';
import { textOf } from '../../transport/values';
import { connectionOptions } from '../connection/connection';
import { folderOrNoneLocator } from '../folder';
import { deleteOperation, listOperation, operation, type Resource } from '../operation';
import { newProject, projectToList } from '../project/project';
import { count, statusFilter } from './count';
import { exportOperation } from './export';
import {
	CHANGE_FLOW,
	flowExternalIdOptions,
	flowLocator,
	flowOptions,
	GET_FLOW,
	LIST_FLOWS,
	simplifyFlow,
	simplifyPublishedFlow,
	versionOf,
} from './flow';
import { importOperation } from './import';
import {
	assertFolderInProject,
	CREATE_FLOW,
	flowFolder,
	isNoFolder,
	newFlowRequest,
	newFolder,
} from './newFlow';
import { publish } from './publish';
import { run } from './run';
import { DELETE_FLOW, deleteFlow, fetchSettledFlow, setStatus } from './status';
import { chosenVersion, getVersions } from './versions';

const create = operation({
	name: 'Create',
	value: 'create',
	description: 'Create an empty flow in a project',
	hint: 'The new flow has no trigger and is disabled. Each run of this node creates another flow.',
	toolDescription:
		'Creates an empty, disabled flow without a trigger in an Activepieces project, even if a flow with that name already exists, and returns the new flow',
	endpoint: CREATE_FLOW,
	fields: {
		project: newProject('The project to create the flow in'),
		displayName: recordName('Name', 'flow', {
			placeholder: 'e.g. Send invoices',
			description: 'The name of the flow. Several flows can have the same name.',
		}),
		folderId: newFolder({
			description: 'The folder to create the flow in. It must be in the same project.',
			hint: 'Leave empty for no folder',
		}),
	},
	simplify: simplifyFlow,
	async record({ project, displayName, folderId }, { client }) {
		const request = await newFlowRequest(client, project, folderId, displayName);
		const change = `flow "${displayName}" was created`;
		return await client.makeChange({
			idempotency: { key: request.body, change, lookIn: 'the flows of the project' },
			send: async () => await client.requestRecord(request),
		});
	},
});

const remove = deleteOperation({
	description: 'Permanently delete a flow, including all its versions and runs',
	hint: 'Deletes one flow per input item, including all its versions and runs. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces flow with the given ID, including all its versions and runs, and returns {"deleted": true}',
	endpoint: DELETE_FLOW,
	fields: { flow: named(flowLocator) },
	remove: async (client, request) => await deleteFlow(client, request),
});

/** With the changes that only the flow with its latest version shows. */
function simplifyWith(latest: IDataObject): Simplify {
	const { unpublishedChanges } = simplifyFlow(latest);
	return (flow, source) => ({ ...simplifyFlow(flow, source), unpublishedChanges });
}

const get = operation({
	name: 'Get',
	value: 'get',
	description: 'Get a flow with its latest, its published or another version',
	toolDescription:
		'Returns one Activepieces flow by its ID, with its latest, its published or another version',
	endpoint: GET_FLOW,
	fields: { chosen: chosenVersion },
	simplify: simplifyFlow,
	simplifyBy: ({ chosen }) => simplifyWith(chosen.latest),
	record: ({ chosen }) => chosen.flow,
});

const filters = {
	// No release that the node supports lists agents.
	agentExternalIds: texts('Agent External IDs', 'agentExternalIds', {
		placeholder: 'e.g. support-agent, sales-agent',
		description:
			'Return only flows that use any of these agents. Enter external IDs, separated by commas. To find them, turn off Simplify and look at version.agentIds in the output.',
	}),
	connectionExternalIds: optionIds(
		connectionOptions,
		{ displayName: 'Connection Names or IDs', name: 'connectionExternalIds' },
		'Return only flows that use one of these connections, or one of another project with the same external ID. In an expression, use their names, or their external IDs (externalId) instead of IDs',
	),
	externalIds: optionIds(
		flowExternalIdOptions,
		{ displayName: 'Flow Names or IDs', name: 'externalIds' },
		'Return only these flows, and those of other projects with the same external ID. In an expression, use their names, or their external IDs (externalId, visible with Simplify off) instead of IDs',
	),
	folderId: optionalId(folderOrNoneLocator),
	name: nameFilter('name', 'flows', 'e.g. invoice'),
	status: statusFilter('Return'),
	versionState: choice('Version', 'versionState', {
		options: [
			['Latest', 'DRAFT', 'The latest version of every flow'],
			['Published', 'LOCKED', 'The published version, only of flows that have one'],
		],
		default: 'DRAFT',
		description: 'Which version of each flow to return',
	}),
};

const getAll = listOperation({
	description: 'Get the flows of a project, or of all projects',
	toolDescription:
		'Returns the flows of an Activepieces project, or of all projects if none is given. The filters for connections and flows take external IDs, not IDs',
	request: LIST_FLOWS,
	project: projectToList('flows'),
	filters,
	simplify: simplifyFlow,
	select: ({ versionState }) =>
		versionState === 'LOCKED' ? { simplify: simplifyPublishedFlow } : {},
	hasPageSize: true,
});

const newFolderOfFlow = optionalId({
	...flowFolder,
	description: 'The folder to move the flow to. It must be in the project of the flow.',
});

/** The folder to move to; null for no folder. An empty field is refused, because it could mean either. */
function toFolderId(displayName: string, id: string): string | null {
	if (id !== '') return isNoFolder(id) ? null : id;
	throw validationError(
		`${displayName} is empty`,
		`Choose a folder or ${flowFolder.firstEntry?.name}, or remove ${displayName} from Update Fields.`,
	);
}

/**
 * Sends the values that differ. The folder comes first, so that no draft is left behind if the name is
 * refused. A name that the flow already has would start a needless draft of a published flow (recorded).
 */
async function updateFlow(
	client: ApiClient,
	target: RequestTarget,
	flow: IDataObject,
	{ displayName, folderId }: { displayName?: string; folderId?: string | null },
): Promise<IDataObject> {
	const change = async (type: string, request: IDataObject) =>
		await client.requestRecord({ endpoint: CHANGE_FLOW, ...target, body: { type, request } });
	const isMoved = folderId !== undefined && textOf(folderId) !== textOf(flow.folderId);
	const moved = isMoved ? await change('CHANGE_FOLDER', { folderId }) : flow;
	if (displayName === undefined || displayName === versionOf(flow).displayName) return moved;
	return await change('CHANGE_NAME', { displayName }).catch((error: unknown) => {
		if (!isMoved || !(error instanceof ActivepiecesError)) throw error;
		// A plain refusal leaves the outcome of the first request.
		const name =
			error.outcome === 'nothing'
				? 'Its name was not changed.'
				: 'Could not confirm whether its name was changed.';
		throw withNote(error, `The flow was moved to the folder. ${name}`, 'said');
	});
}

const update = operation({
	name: 'Update',
	value: 'update',
	description: 'Rename a flow or move it to another folder',
	hint: 'A new name for a published flow is saved in its draft. The published version keeps its name until you publish the flow.',
	toolDescription:
		'Immediately renames the Activepieces flow with the given ID or moves it to another folder, and returns the flow. For a published flow, the new name is an unpublished change',
	endpoint: CHANGE_FLOW,
	fields: {
		flow: named(flowLocator),
		changes: updates({
			displayName: recordName('Name', 'flow', {
				placeholder: 'e.g. Send invoices',
				description:
					'The new name. If the flow is published, this creates a draft: the published version keeps its name until you publish the flow.',
			}),
			folderId: field(newFolderOfFlow.properties[0], (label, value, reader) =>
				toFolderId(label, newFolderOfFlow.parse(value, reader)),
			),
		}),
	},
	simplify: simplifyFlow,
	async record({ flow: target, changes }, { client }) {
		const flow = await fetchSettledFlow(client, target);
		const { folderId } = changes;
		if (typeof folderId === 'string' && folderId !== flow.folderId) {
			await assertFolderInProject(client, folderId, textOf(flow.projectId));
		}
		return await updateFlow(client, target, flow, changes);
	},
});

export const flow: Resource = {
	name: 'Flow',
	value: 'flow',
	locators: [flowLocator],
	optionLists: [connectionOptions, flowExternalIdOptions, flowOptions],
	operations: [
		getAll,
		get,
		getVersions,
		count,
		setStatus,
		publish,
		run,
		create,
		update,
		remove,
		exportOperation,
		importOperation,
	],
};
