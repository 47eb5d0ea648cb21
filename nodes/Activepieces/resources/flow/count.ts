import type { IDataObject } from 'n8n-workflow';

import { filterValues, optionalId } from '../../descriptions/field';
import { choicesOf } from '../../descriptions/kinds';
import type { Locator } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/api/client';
import type { ApiRequest } from '../../transport/client/request';
import { isSuccess } from '../../transport/http/response';
import { folderOrNoneLocator } from '../folder';
import { itemsOperation } from '../operation';
import { projectsToCount } from '../project/project';
import { LIST_FLOWS } from './flow';
import { assertFolderInProject, isNoFolder } from './newFlow';

const COUNT_FLOWS: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/flows/count' },
	subject: { noun: 'flows' },
};

export const statusFilter = (verb: string) =>
	choicesOf('Status', 'status', {
		options: ['DISABLED', 'ENABLED'],
		description: `${verb} only flows with one of these statuses`,
	});

const countedFolder: Locator = {
	...folderOrNoneLocator,
	description: 'Count only flows in this folder, or in no folder',
	hint: 'Leave empty for all flows of the project',
	emptyMeans: 'all flows of the project',
};

/** The number of flows of a project, or of one of its folders. */
async function countFlows(client: ApiClient, request: ApiRequest): Promise<number> {
	const response = await client.request(request);
	const { body } = response;
	if (isSuccess(response) && typeof body === 'number' && Number.isInteger(body)) return body;
	throw client.errorFor(request, response);
}

export const count = itemsOperation({
	name: 'Get Count',
	value: 'count',
	action: 'Count flows',
	description: 'Get the number of flows in a project, in all projects or in a folder',
	toolDescription:
		'Returns the number of flows of an Activepieces project, or of all projects if none is given, with any of the filters: in a folder, or with a status (ENABLED, DISABLED)',
	endpoint: COUNT_FLOWS.endpoint,
	fields: {
		projects: projectsToCount('flows'),
		folderId: optionalId(countedFolder),
		filters: filterValues({ status: statusFilter('Count') }),
	},
	async items({ projects, folderId, filters: { status } }, { client }) {
		const isFolder = folderId !== undefined && !isNoFolder(folderId);
		const query: IDataObject =
			folderId === undefined ? {} : { folderId: isFolder ? folderId : 'NULL' };
		const { projectId, ofEach } = projects;
		const convert = ({ id }: IDataObject) => ({ id });
		// The service counts flows of any status.
		const numbers = await (status === undefined
			? ofEach({ ...COUNT_FLOWS, query }, async (request) => await countFlows(client, request))
			: ofEach(
					{ ...LIST_FLOWS, query: { ...query, status } },
					async (request) => (await client.fetchList(request, { convert })).length,
				));
		const total = numbers.reduce((sum, each) => sum + each, 0);
		// That is also what the service counts in an unknown folder (recorded).
		if (isFolder && total === 0) await assertFolderInProject(client, folderId, projectId);
		return [{ count: total, projectId }];
	},
});
