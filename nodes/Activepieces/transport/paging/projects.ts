import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../client';
import { ActivepiecesError, isListRefused } from '../errors/activepiecesError';
import { limits } from '../limits';
import type { ApiRequest } from '../request/request';
import { isStatus } from '../response/httpStatus';
import { toId } from '../values/toId';
import { fetchList } from './lists';
import { createRecordCollector } from './recordCollector';

/** Characters of a name, which may come out with each of 100,000 records */
const MAX_NAME = 1000;

/** A project, with what messages and the entries of a list call it. */
export interface Project {
	id: string;
	name: string;
}

export const LIST_PROJECTS: ApiRequest = {
	method: 'GET',
	path: '/v1/projects',
	// Community edition up to 0.76, and on 0.73 of every edition for users who are no admins (recorded).
	movedTo: { path: '/v1/users/projects', absentStatus: 'badRequest', isForOwnProject: true },
	subject: { noun: 'projects' },
};

/** Nothing for a record without an ID, which would be asked for as the project `undefined`. */
function toProject(record: IDataObject): Project | undefined {
	const id = toId(record.id) ?? '';
	if (id === '') return undefined;
	const { displayName } = record;
	const name = typeof displayName === 'string' ? displayName.trim().slice(0, MAX_NAME) : '';
	return { id, name: name === '' ? id : name };
}

/**
 * The projects that the key may see; those of releases up to 0.73 answer a session token for its own
 * project only, though they list others as well (recorded).
 *
 * @param limit how many are enough; all when left out
 * @returns `undefined` on a service without the list
 */
export async function fetchProjects(
	client: ApiClient,
	limit = Infinity,
): Promise<Project[] | undefined> {
	// Asked for with every record, since a session may begin with the request for the list.
	const collector = createRecordCollector(limit, (record) => {
		const own = client.tokenProjectId();
		const project = toProject(record);
		return own === undefined || project?.id === own ? project && record : undefined;
	});
	collector.isFiltered = client.tokenProjectId() !== undefined;
	const isListed = await fetchList(client, LIST_PROJECTS, limits.defaultPageSize, collector).then(
		() => true,
		(error: unknown) => {
			if (error instanceof ActivepiecesError && error.isRouteMissing) return false;
			throw error;
		},
	);
	if (!isListed) return undefined;
	const projects = collector.records.flatMap((record) => toProject(record) ?? []);
	for (const { id, name } of projects) client.projectNames.byId.set(id, name);
	if (limit === Infinity) client.projectNames.reading = Promise.resolve();
	return projects;
}

/**
 * The request for the records of one project, which messages name.
 *
 * @param of how many projects are read, where the person did not name this one
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
 * Reads one of several projects. All were asked for, so that one that cannot be read is not left out; one that was
 * deleted while the others were read has nothing.
 */
export async function unlessDeleted(
	client: ApiClient,
	{ id }: Project,
	read: () => Promise<void>,
): Promise<void> {
	await read().catch(async (error: unknown) => {
		// What a project answers that was deleted meanwhile (recorded).
		const mayBeGone = isListRefused(error) && isStatus(error.httpStatus, 'forbidden', 'notFound');
		const now = mayBeGone ? await fetchProjects(client) : undefined;
		if (now === undefined || now.some((each) => each.id === id)) throw error;
	});
}
