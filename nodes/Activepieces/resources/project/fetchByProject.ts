import type { IDataObject } from 'n8n-workflow';

import { getOptionalId, type Locator } from '../../descriptions/locator';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client';
import { fetchEachProject, type RecordList } from '../../transport/paging/fetchEachProject';
import { fetchNewest } from '../../transport/paging/fetchNewest';
import { fetchList } from '../../transport/paging/lists';
import { inProject, fetchProjects } from '../../transport/paging/projects';
import { createRecordCollector } from '../../transport/paging/recordCollector';

/** Reads one list, of a project or without one. */
export async function fetchRecords(
	client: ApiClient,
	{ request, pageSize, limit, transform, isFiltered }: RecordList,
): Promise<IDataObject[]> {
	const collector = { ...createRecordCollector(limit, transform), isFiltered };
	await fetchList(client, request, pageSize, collector);
	return collector.records;
}

/**
 * The records of the project that the item names; without one, those of all projects that the key may
 * see. A service without the list of projects receives one request without a project.
 *
 * @throws {ValidationError} when the project's field does not contain an ID
 */
export async function fetchByProject(
	context: OperationContext,
	locator: Locator,
	list: RecordList,
): Promise<IDataObject[]> {
	const { client } = context;
	const id = getOptionalId(context, locator);
	if (id !== undefined) {
		const request = inProject(list.request, { id });
		const subject = { ...request.subject, field: locator.displayName };
		return await fetchRecords(client, { ...list, request: { ...request, subject } });
	}
	const projects = await fetchProjects(client);
	if (projects === undefined) return await fetchRecords(client, list);
	return await (list.isNewestFirst ? fetchNewest : fetchEachProject)(client, projects, list);
}
