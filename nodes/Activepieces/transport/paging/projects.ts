import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../client';
import { ActivepiecesError, AuthenticationError, isListRefused } from '../errors/activepiecesError';
import type { MessagePlace } from '../errors/words';
import { limits } from '../limits';
import type { ApiRequest } from '../request/request';
import { isStatus } from '../response/httpStatus';
import { nameAndId } from '../values/plainText';
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

/** The request for the records of one project, which messages name. */
export function inProject(
	request: ApiRequest,
	{ id, name }: { id: string; name?: string },
): ApiRequest {
	return {
		...request,
		query: { ...request.query, projectId: id },
		subject: { ...request.subject, within: { noun: 'project', id, name } },
	};
}

/** What helps when one project cannot be read, where the person sets which ones are */
const LEAVE_OUT: Partial<Record<MessagePlace, string>> = {
	node: 'To leave it out, list the other projects one by one with Project.',
	trigger: 'To leave it out, use a trigger for each of the other projects.',
};

/**
 * The error for one of several projects that cannot be read: all were asked for, so it is not left out.
 *
 * @returns nothing when the project was deleted while the others were read
 */
async function projectError(
	client: ApiClient,
	projects: Project[],
	{ id, name }: Project,
	error: ActivepiecesError,
): Promise<ActivepiecesError | undefined> {
	const { httpStatus, description } = error;
	const named = nameAndId(name, id);
	// A key or a session that is not accepted is that of all projects.
	if (error instanceof AuthenticationError || isStatus(httpStatus, 'unauthorized')) return error;
	const isRefused: boolean = isListRefused(error);
	if (!isRefused) {
		return error.withDescription(`${description} The node was reading the project ${named}.`);
	}
	// What a project answers that was deleted meanwhile (recorded).
	if (isStatus(httpStatus, 'forbidden', 'notFound')) {
		const now = await fetchProjects(client);
		if (now !== undefined && !now.some((each) => each.id === id)) return undefined;
	}
	const from = `${description} This came from the project ${named}.`;
	// The plan is that of all projects.
	const isOfAll = projects.length === 1 || isStatus(httpStatus, 'paymentRequired');
	const whatHelps = isOfAll ? undefined : LEAVE_OUT[client.place];
	return error.withDescription(whatHelps === undefined ? from : `${from} ${whatHelps}`);
}

/** Reads one of several projects; an error names the project. One that was deleted meanwhile has nothing. */
export async function withProjectInError(
	client: ApiClient,
	projects: Project[],
	project: Project,
	read: () => Promise<void>,
): Promise<void> {
	await read().catch(async (error: unknown) => {
		if (!(error instanceof ActivepiecesError)) throw error;
		const reason = await projectError(client, projects, project, error);
		if (reason !== undefined) throw reason;
	});
}
