import type { IDataObject } from 'n8n-workflow';

import { getOptionalId, type Locator } from '../../descriptions/locator';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client';
import { listEachProject, type RecordList } from '../../transport/paging/listEachProject';
import { listNewest } from '../../transport/paging/listNewest';
import { readList } from '../../transport/paging/lists';
import { inProject, listProjects } from '../../transport/paging/projects';
import { createRecordCollector } from '../../transport/paging/recordCollector';

/** Reads one list, of a project or of none. */
export async function listRecords(
	client: ApiClient,
	{ request, pageSize, limit, transform, isFiltered, ifTooMany }: RecordList,
): Promise<IDataObject[]> {
	const collector = { ...createRecordCollector(limit, transform), isFiltered, ifTooMany };
	await readList(client, request, pageSize, collector);
	return collector.records;
}

/**
 * The records of the project that the item names, or of all projects that the key may see when it names
 * none. A service without the list of projects is asked once without one.
 *
 * @throws {ValidationError} when what stands in the project's field is no ID
 */
export async function listByProject(
	context: OperationContext,
	locator: Locator,
	list: RecordList,
): Promise<IDataObject[]> {
	const { client } = context;
	const id = getOptionalId(context, locator);
	if (id !== undefined) {
		const request = inProject(list.request, { id });
		const subject = { ...request.subject, field: locator.displayName };
		return await listRecords(client, { ...list, request: { ...request, subject } });
	}
	const projects = await listProjects(client);
	if (projects === undefined) return await listRecords(client, list);
	return await (list.isNewestFirst ? listNewest : listEachProject)(client, projects, list);
}
