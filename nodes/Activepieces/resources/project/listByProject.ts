import type { IDataObject } from 'n8n-workflow';

import { getLocatorId, type Locator } from '../../descriptions/locator';
import type { OperationContext } from '../../execution/operationContext';
import { validationError } from '../../transport/errors/activepiecesError';
import { listAll } from '../../transport/paging/lists';
import { newestOfProjects } from '../../transport/paging/newestOfProjects';
import {
	inProject,
	listOfProjects,
	listProjects,
	type ProjectList,
} from '../../transport/paging/projects';
import { createRecordCollector } from '../../transport/paging/recordCollector';
import type { ApiRequest } from '../../transport/request';

/** Reads one list, of a project or of none. */
export async function listOne(
	{ client }: OperationContext,
	request: ApiRequest,
	{ pageSize, limit, transform, isFiltered }: ProjectList,
): Promise<IDataObject[]> {
	const collector = { ...createRecordCollector(limit, transform), isFiltered };
	await listAll(client, request, pageSize, collector);
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
	list: ProjectList,
): Promise<IDataObject[]> {
	const { client } = context;
	const id = getLocatorId(context, locator);
	if (id === '' || id === undefined || id === null) {
		const projects = await listProjects(client);
		return projects === undefined
			? await listOne(context, list.request, list)
			: await (list.isNewestFirst ? newestOfProjects : listOfProjects)(client, projects, list);
	}
	if (typeof id !== 'string' && typeof id !== 'number') {
		throw validationError(
			`${locator.displayName} is not an ID`,
			'Choose the project from the list, enter its ID, or leave the field empty for all projects.',
		);
	}
	const request = inProject(list.request, { id: String(id) });
	const subject = { ...request.subject, field: locator.displayName };
	return await listOne(context, { ...request, subject }, list);
}
