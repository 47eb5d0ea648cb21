import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../client';
import { limits } from '../limits';
import type { ApiRequest } from '../request/request';
import { createLimiter } from '../run/limiter';
import { pageFetcher, fetchList } from './lists';
import { type FetchPage, withFirstPage } from './page';
import { inProject, type Project, unlessDeleted } from './projects';
import { createReadAhead } from './readAhead';
import { createRecordCollector, type RecordCollector } from './recordCollector';

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
export const projectFetcher =
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
