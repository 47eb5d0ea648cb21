import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../client';
import { ActivepiecesError, AuthenticationError } from '../errors/activepiecesError';
import { createLimiter } from '../limiter';
import { limits } from '../limits';
import type { ApiRequest } from '../request';
import { listAll, pageFetcher } from './lists';
import type { FetchPage, Page } from './page';
import { createRecordCollector, type RecordCollector } from './recordCollector';

/** A project, with what messages and the entries of a list call it. */
export interface Project {
	id: string;
	name: string;
	record: IDataObject;
}

const REQUEST: ApiRequest = { method: 'GET', path: '/v1/projects', subject: { noun: 'projects' } };

function toProject(record: IDataObject): Project {
	const id = String(record.id);
	const { displayName } = record;
	const name = typeof displayName === 'string' ? displayName.trim() : '';
	return { id, name: name === '' ? id : name, record };
}

/**
 * The projects that the key may see; those of releases up to 0.73 answer a session token for its own
 * project only, though they list others as well (recorded).
 *
 * @param limit how many are enough; all when left out
 * @param query filters of the list
 * @returns `undefined` on a service without the list
 */
export async function listProjects(
	client: ApiClient,
	limit = Infinity,
	query: IDataObject = {},
): Promise<Project[] | undefined> {
	// Asked for with every record, since a session may begin with the request for the list.
	const collector = createRecordCollector(limit, (record) => {
		const own = client.tokenProjectId();
		return own === undefined || record.id === own ? record : undefined;
	});
	collector.isFiltered = client.tokenProjectId() !== undefined;
	const isListed = await listAll(
		client,
		{ ...REQUEST, query },
		limits.defaultPageSize,
		collector,
	).then(
		() => true,
		(error: unknown) => {
			if (error instanceof ActivepiecesError && error.isRouteMissing) return false;
			throw error;
		},
	);
	return isListed ? collector.records.map(toProject) : undefined;
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

/** A list that the service gives only project by project. */
export interface ProjectList {
	request: ApiRequest;
	pageSize: number;
	/** How many records are wanted of all projects together; Infinity for all */
	limit: number;
	/** Makes of a record what is kept of it; nothing where it is left out */
	transform: (record: IDataObject, project?: Project) => IDataObject | undefined;
	/** Whether `transform` leaves out records */
	isFiltered?: boolean;
	/** Newest first over all projects, by `created`, which is how the service lists each of them */
	isNewestFirst?: boolean;
}

/** What says that this very project cannot be read; anything else would come from the others as well. */
const PROJECT_STATUSES = [402, 403, 404, 409];

/** What a project that was deleted meanwhile answers (recorded). */
const GONE_STATUSES = [403, 404];

/**
 * The error for a project that cannot be read: all projects were asked for, so it is not left out.
 *
 * @returns nothing when the project was deleted while the others were read
 */
async function unreadable(
	client: ApiClient,
	{ id, name }: Project,
	error: ActivepiecesError,
): Promise<ActivepiecesError | undefined> {
	const { httpStatus = 0 } = error;
	const isOfProject =
		PROJECT_STATUSES.includes(httpStatus) && !(error instanceof AuthenticationError);
	if (!isOfProject) return error;
	if (GONE_STATUSES.includes(httpStatus)) {
		const projects = await listProjects(client);
		if (projects !== undefined && !projects.some((project) => project.id === id)) return undefined;
	}
	return error.withDescription(
		`${error.description} This came from the project "${name}" (${id}). To leave it out, list the other projects one by one with Project.`,
	);
}

type ReadProject = (
	index: number,
	fetchPage: FetchPage,
	collector: RecordCollector,
) => Promise<void>;

/** Reads one project into a collector; one that was deleted meanwhile has nothing. */
export const projectReader =
	(client: ApiClient, projects: Project[], { request, pageSize }: ProjectList): ReadProject =>
	async (index, fetchPage, collector) => {
		const project = projects[index];
		await listAll(client, inProject(request, project), pageSize, collector, fetchPage).catch(
			async (error: unknown) => {
				if (!(error instanceof ActivepiecesError)) throw error;
				const reason = await unreadable(client, project, error);
				if (reason !== undefined) throw reason;
			},
		);
	};

/** All projects side by side; the order of projects is kept. */
async function listConcurrently(
	client: ApiClient,
	projects: Project[],
	list: ProjectList,
): Promise<IDataObject[]> {
	const readProject = projectReader(client, projects, list);
	// One set for all, so that a record moved to another project meanwhile is given once.
	const seen = new Set<unknown>();
	const collectors = projects.map((project): RecordCollector => ({
		...createRecordCollector(Infinity, (record) => list.transform(record, project)),
		seen,
	}));
	const limiter = createLimiter(limits.maxConcurrency);
	await Promise.all(
		projects.map(
			async (project, index) =>
				await limiter(async () => {
					const fetchPage = pageFetcher(client, inProject(list.request, project));
					await readProject(index, fetchPage, collectors[index]).catch((error: unknown) => {
						// Before the next one takes its turn: the others shall ask for nothing more.
						for (const collector of collectors) collector.aborted = true;
						throw error;
					});
				}),
		),
	);
	return collectors.flatMap(({ records }) => records);
}

/** Fetches first pages, those of the next projects ahead of their turn. */
function readAhead(
	client: ApiClient,
	projects: Project[],
	list: ProjectList,
): (index: number) => FetchPage {
	const firstPages = new Map<number, Promise<Page>>();
	const limit = list.isFiltered ? list.pageSize : Math.min(list.pageSize, list.limit);
	return (index) => {
		const fetchPage = pageFetcher(client, inProject(list.request, projects[index]));
		for (let ahead = index; ahead < index + limits.maxConcurrency; ahead++) {
			if (ahead >= projects.length || firstPages.has(ahead)) continue;
			const page = pageFetcher(client, inProject(list.request, projects[ahead]))({ limit });
			// Heard of when it is its turn.
			page.catch(() => {});
			firstPages.set(ahead, page);
		}
		return async (request) => {
			const firstPage = firstPages.get(index);
			if (request.cursor !== undefined || firstPage === undefined) return await fetchPage(request);
			firstPages.delete(index);
			return await firstPage;
		};
	};
}

/**
 * One project after the other, because each gives only what the ones before left of the limit. Their first
 * pages are fetched ahead, side by side, so that thousands of projects with few records take no longer
 * than they have to; at most nine of them are not needed in the end.
 */
async function listSequentially(
	client: ApiClient,
	projects: Project[],
	list: ProjectList,
): Promise<IDataObject[]> {
	const readProject = projectReader(client, projects, list);
	const fetchAhead = readAhead(client, projects, list);
	const seen = new Set<unknown>();
	const records: IDataObject[] = [];
	for (let index = 0; index < projects.length && records.length < list.limit; index++) {
		const collector: RecordCollector = {
			...createRecordCollector(list.limit - records.length, (record) =>
				list.transform(record, projects[index]),
			),
			seen,
			isFiltered: list.isFiltered,
		};
		await readProject(index, fetchAhead(index), collector);
		for (const record of collector.records) records.push(record);
	}
	return records;
}

/** The records of these projects, in the order of the projects. */
export async function listOfProjects(
	client: ApiClient,
	projects: Project[],
	list: ProjectList,
): Promise<IDataObject[]> {
	return list.limit === Infinity
		? await listConcurrently(client, projects, list)
		: await listSequentially(client, projects, list);
}
