import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../../transport/values';
import { addFile, includeFile } from '../exportFile';
import { itemsOperation } from '../operation';
import { contentOf, type FlowContent } from './content';
import { GET_FLOW, statusOf, versionOf } from './flow';
import { fileIdOf } from './importMetadata';
import { nameFlowsOfFiles } from './knownFlows';
import { nameTablesOfFiles } from './knownTables';
import { chosenVersion } from './versions';

function flowFileOf(flow: IDataObject): IDataObject {
	const content = contentOf(versionOf(flow));
	return {
		name: content.displayName,
		externalId: fileIdOf(flow) || null,
		projectId: flow.projectId ?? null,
		folderId: textOf(flow.folderId) || null,
		status: statusOf(flow) ?? null,
		flow: content,
	};
}

export const exportOperation = itemsOperation({
	name: 'Export',
	value: 'export',
	description: 'Get a flow with all its steps so you can save it as a file or import it',
	hint: 'Leaves out the password or secret header that a webhook requires. References to connections are kept.',
	toolDescription:
		'Returns one Activepieces flow by its ID with all its steps, in the format that Import accepts: name, externalId, projectId, folderId, status and flow',
	endpoint: GET_FLOW,
	fields: { chosen: chosenVersion, hasFile: includeFile('flow') },
	async items({ chosen, hasFile }, context) {
		const { client, files } = context;
		const record = flowFileOf(chosen.flow);
		const content = record.flow as FlowContent;
		const projectId = textOf(chosen.flow.projectId);
		await nameFlowsOfFiles(client, projectId, content.trigger);
		await nameTablesOfFiles(context, projectId, content);
		if (hasFile) addFile(files, record, 'flow');
		return [record];
	},
});
