import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from './client';
import { ActivepiecesError, isListRefused } from './error';
import { isStatus } from './httpStatus';
import { createLimiter } from './limiter';
import { limits } from './limits';
import { fetchList, pageFetcher } from './lists';
import {
	createReadAhead,
	createRecordCollector,
	type FetchPage,
	type RecordCollector,
	withFirstPage,
} from './pages';
import type { ApiRequest } from './request';
import { sizeOf, textOf, toId } from './values';

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

/** A list of records, of one project or of all. */
export interface RecordList {
	request: ApiRequest;
	pageSize: number;
	/** Maximum number of records of all projects together; Infinity for all */
	limit: number;
	/** Converts a record; undefined leaves it out */
	transform: (record: IDataObject, project?: Project) => IDataObject | undefined;
	/** Whether `transform` leaves out records */
	isFiltered?: boolean;
	/** Sorts the records of all projects by `created`, newest first, as the service sorts those of each project */
	isNewestFirst?: boolean;
}

/** @param seen the IDs of all projects, so that a record that moves between projects is returned once */
const createCollector = (
	{ transform, isFiltered }: RecordList,
	project: Project,
	limit: number,
	seen: Set<unknown>,
): RecordCollector => ({
	...createRecordCollector(limit, (record) => transform(record, project)),
	seen,
	isFiltered,
});

type FetchProject = (
	index: number,
	collector: RecordCollector,
	fetchPage?: FetchPage,
) => Promise<void>;

/** Reads a project into a collector; a project that was deleted meanwhile has no records. */
const projectFetcher =
	(client: ApiClient, projects: Project[], { request, pageSize }: RecordList): FetchProject =>
	async (index, collector, fetchPage) => {
		const own = inProject(request, projects[index], projects.length);
		await unlessDeleted(
			client,
			projects[index],
			async () => await fetchList(client, own, pageSize, collector, fetchPage),
		);
	};

/** Reads lists in parallel. When one of them fails, no other one starts. */
export async function readInParallel(
	collectors: RecordCollector[],
	read: (index: number) => Promise<void>,
): Promise<void> {
	const limiter = createLimiter(limits.maxConcurrency);
	const readOrStop = async (index: number) =>
		await read(index).catch((error: unknown) => {
			// Set before the limiter starts the next list.
			for (const each of collectors) each.aborted = true;
			throw error;
		});
	await Promise.all(
		collectors.map(async (_each, index) => await limiter(async () => await readOrStop(index))),
	);
}

/** Reads all projects in parallel, and keeps the order of projects. */
async function fetchConcurrently(
	client: ApiClient,
	projects: Project[],
	list: RecordList,
): Promise<IDataObject[]> {
	const fetchProject = projectFetcher(client, projects, list);
	const seen = new Set<unknown>();
	const collectors = projects.map((project) => createCollector(list, project, Infinity, seen));
	await readInParallel(collectors, async (index) => await fetchProject(index, collectors[index]));
	return collectors.flatMap(({ records }) => records);
}

/** Fetches the pages of each project, the first pages ahead of their turn. */
function createFetchPage(
	client: ApiClient,
	projects: Project[],
	list: RecordList,
): (index: number) => FetchPage {
	const fetcher = (index: number) =>
		pageFetcher(client, inProject(list.request, projects[index], projects.length));
	const limit = list.isFiltered ? list.pageSize : Math.min(list.pageSize, list.limit);
	const firstPage = createReadAhead(
		projects.length,
		async (index) => await fetcher(index)({ limit }),
	);
	return (index) => withFirstPage(async () => await firstPage(index), fetcher(index));
}

/**
 * Reads one project after the other, because each returns only what the ones before left of the limit.
 * The first pages are fetched ahead, in parallel, so that thousands of projects with few records do not
 * take longer than necessary. At most nine of them turn out not to be needed.
 */
async function fetchSequentially(
	client: ApiClient,
	projects: Project[],
	list: RecordList,
): Promise<IDataObject[]> {
	const fetchProject = projectFetcher(client, projects, list);
	const fetchPage = createFetchPage(client, projects, list);
	const seen = new Set<unknown>();
	const records: IDataObject[] = [];
	for (let index = 0; index < projects.length && records.length < list.limit; index++) {
		const wanted = list.limit - records.length;
		const collector = createCollector(list, projects[index], wanted, seen);
		await fetchProject(index, collector, fetchPage(index));
		for (const record of collector.records) records.push(record);
	}
	return records;
}

/**
 * The records of several projects, in the order of the projects.
 *
 * @throws {ActivepiecesError} when one of the projects cannot be read
 */
export async function fetchEachProject(
	client: ApiClient,
	projects: Project[],
	list: RecordList,
): Promise<IDataObject[]> {
	return list.limit === Infinity
		? await fetchConcurrently(client, projects, list)
		: await fetchSequentially(client, projects, list);
}

/** What is kept of a record until all projects are read. */
interface Dated extends IDataObject {
	/** ISO time in UTC, which sorts as text */
	created: string;
	/** Index of its project, for records with the same time */
	projectIndex: number;
	record: IDataObject;
}

function byNewest(a: Dated, b: Dated): number {
	if (a.created !== b.created) return a.created < b.created ? 1 : -1;
	return a.projectIndex - b.projectIndex;
}

/**
 * The newest records of all projects together, newest first. Any project may have the newest ones, so each is
 * asked for as many as are wanted. Once there are that many, the others are asked only for records that are
 * not older. For lists that the service sorts newest first and that have a filter `createdAfter`.
 */
export async function fetchNewest(
	client: ApiClient,
	projects: Project[],
	list: RecordList,
): Promise<IDataObject[]> {
	const { limit } = list;
	const fetchProject = projectFetcher(client, projects, list);
	// The maximum applies to records that were seen. With a limit, no project returns more than that.
	const seen = limit === Infinity ? new Set<unknown>() : undefined;
	const collectors = projects.map((project, projectIndex): RecordCollector => {
		const collector = createRecordCollector(limit, (row) => {
			const record = list.transform(row, project);
			const dated: Dated | undefined = record && {
				created: textOf(row.created),
				projectIndex,
				record,
			};
			return dated;
		});
		return { ...collector, seen: seen ?? collector.seen, isFiltered: list.isFiltered };
	});
	const newest: Dated[] = [];

	await readInParallel(collectors, async (index) => {
		const collector = collectors[index];
		const oldest = newest.length < limit ? undefined : newest[limit - 1].created;
		const query = { ...list.request.query, ...(oldest && { createdAfter: oldest }) };
		const request = inProject({ ...list.request, query }, projects[index], projects.length);
		await fetchProject(index, collector, pageFetcher(client, request));
		for (const dated of collector.records as Dated[]) newest.push(dated);
		collector.records = [];
		if (limit === Infinity) return;
		for (const dropped of newest.sort(byNewest).splice(limit)) {
			client.runState.keep(-sizeOf(dropped));
		}
	});
	return newest.sort(byNewest).map(({ record }) => record);
}
