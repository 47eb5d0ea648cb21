import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../client';
import { ActivepiecesError, isListRefused } from '../errors/activepiecesError';
import { limits } from '../limits';
import type { ApiRequest } from '../request/request';
import { isStatus } from '../response/httpStatus';
import { toId } from '../values/toId';
import { fetchList } from './lists';
import { createRecordCollector } from './recordCollector';

/** Maximum length of a name, which may be repeated in each of 100,000 records */
const MAX_NAME = 1000;

/** A project, with its label for messages and lists. */
export interface Project {
	id: string;
	name: string;
}

export const LIST_PROJECTS: ApiRequest = {
	method: 'GET',
	path: '/v1/projects',
	// Community up to 0.76, and 0.73 of every edition for users without the admin role (recorded).
	movedTo: { path: '/v1/users/projects', absentStatus: 'badRequest', isForOwnProject: true },
	subject: { noun: 'projects' },
};

/** undefined for a record without an ID, which would become a request for the project `undefined`. */
function toProject(record: IDataObject): Project | undefined {
	const id = toId(record.id) ?? '';
	if (id === '') return undefined;
	const { displayName } = record;
	const name = typeof displayName === 'string' ? displayName.trim().slice(0, MAX_NAME) : '';
	return { id, name: name === '' ? id : name };
}

/**
 * The projects that the key may see. Up to 0.73 a session token can use only its own project, although
 * the service also lists others (recorded).
 *
 * @param limit how many are enough; by default all
 * @returns undefined for a service without this list
 */
export async function fetchProjects(
	client: ApiClient,
	limit = Infinity,
): Promise<Project[] | undefined> {
	// Evaluated for every record, because a session may start with the request for the list.
	const collector = createRecordCollector(limit, (record) => {
		const own = client.tokenProjectId();
		const project = toProject(record);
		if (project === undefined || (own !== undefined && project.id !== own)) return undefined;
		return { ...project };
	});
	collector.isFiltered = client.tokenProjectId() !== undefined;
	// Each input item reads the list, and none of it is output.
	collector.keep = () => {};
	const isListed = await fetchList(client, LIST_PROJECTS, limits.defaultPageSize, collector).then(
		() => true,
		(error: unknown) => {
			if (error instanceof ActivepiecesError && error.isRouteMissing) return false;
			throw error;
		},
	);
	if (!isListed) return undefined;
	const projects = collector.records as unknown as Project[];
	for (const { id, name } of projects) client.projectNames.byId.set(id, name);
	if (limit === Infinity) client.projectNames.reading = Promise.resolve();
	return projects;
}

/**
 * The request for the records of a project, which messages name.
 *
 * @param of number of projects that are read, if the person did not name this one
 */
export function inProject(
	request: ApiRequest,
	{ id, name }: { id: string; name?: string },
	of?: number,
): ApiRequest {
	return {
		...request,
		query: { ...request.query, projectId: id },
		subject: { ...request.subject, within: { noun: 'project', id, name, of } },
	};
}

/**
 * Reads one of several projects. Because the person asked for all of them, a project that cannot be read
 * is an error. A project that was deleted while the others were read has no records.
 */
export async function unlessDeleted(
	client: ApiClient,
	{ id }: Project,
	read: () => Promise<void>,
): Promise<void> {
	await read().catch(async (error: unknown) => {
		// How the service responds for a project that was deleted meanwhile (recorded).
		const mayBeGone = isListRefused(error) && isStatus(error.httpStatus, 'forbidden', 'notFound');
		const now = mayBeGone ? await fetchProjects(client) : undefined;
		if (now === undefined || now.some((each) => each.id === id)) throw error;
	});
}
