import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../client';
import { untilAborted } from '../deadline';
import { ActivepiecesError, AuthenticationError } from '../errors/activepiecesError';
import { commonReason, isAboutServer, isListRefused } from '../errors/errorScope';
import type { MessagePlace } from '../errors/words';
import { isServerError, isStatus } from '../httpStatus';
import { createLimiter } from '../limiter';
import { nameAndId } from '../plainText';
import { limits } from '../limits';
import type { ApiRequest } from '../request';
import { pageFetcher, fetchList } from './lists';
import type { FetchPage } from './page';
import { inProject, fetchProjects, type Project } from './projects';
import { createReadAhead } from './readAhead';
import { countRecords, createRecordCollector, type RecordCollector } from './recordCollector';

/** For how long the projects of a list are read. */
export interface Patience {
	/** Aborts when no project is waited for any more */
	signal: AbortSignal;
	/** Why the others are not read */
	reason(): ActivepiecesError;
}

/** A list that the service gives only project by project. */
export interface RecordList {
	request: ApiRequest;
	/** What is asked of one project, of a list without a limit; by default `request` */
	requestFor?: (project: Project) => ApiRequest;
	pageSize: number;
	/** How many records are wanted of all projects together; Infinity for all */
	limit: number;
	/** Makes of a record what is kept of it; nothing where it is left out */
	transform: (record: IDataObject, project?: Project) => IDataObject | undefined;
	/** Whether `transform` leaves out records */
	isFiltered?: boolean;
	/** Counts the bytes that are kept; by default the run does */
	keep?: (bytes: number) => void;
	/** What to do when there are more records than the node takes; by default what helps in an item of the node */
	ifTooMany?: string;
	/** Reads the list of a project, or the only one, into a collector; of a list without a limit */
	read?: (request: ApiRequest, collector: RecordCollector, project?: Project) => Promise<void>;
	/** Called for a project that was read to its end, of a list without a limit */
	onProjectRead?: (project: Project) => void;
	/**
	 * Called for each project that cannot be read, in the order in which they were given up, of a list without a
	 * limit. Without it, the whole list is given up. When no project can be read, the first reason is thrown all the
	 * same, unless the list is one of several (`isBeside`).
	 */
	onUnreadProject?: (project: Project, reason: ActivepiecesError) => void;
	/** Whether other lists are read beside it, so that it may be that no project can be read */
	isBeside?: boolean;
	/** How long projects are waited for, of a list that tolerates some that cannot be read */
	patience?: Patience;
	/** Newest first over all projects, by `created`, which is how the service lists each of them */
	isNewestFirst?: boolean;
}

/** What helps when one project cannot be read, where the person sets which ones are */
const LEAVE_OUT: Partial<Record<MessagePlace, string>> = {
	node: 'To leave it out, list the other projects one by one with Project.',
	trigger: 'To leave it out, use a trigger for each of the other projects.',
};

/**
 * The error for a project that cannot be read: all projects were asked for, so it is not left out.
 *
 * @param isOnly whether there is no other project
 * @returns nothing when the project was deleted while the others were read
 */
async function projectError(
	client: ApiClient,
	project: Project,
	error: ActivepiecesError,
	isOnly: boolean,
): Promise<ActivepiecesError | undefined> {
	const { id } = project;
	const named = nameAndId(project.name, id);
	// A key or a session that is not accepted is that of all projects.
	if (error instanceof AuthenticationError || isStatus(error.httpStatus, 'unauthorized')) {
		return error;
	}
	const isRefused: boolean = isListRefused(error);
	if (!isRefused) {
		return error.withDescription(`${error.description} The node was reading the project ${named}.`);
	}
	// What a project answers that was deleted meanwhile (recorded).
	if (isStatus(error.httpStatus, 'forbidden', 'notFound')) {
		const projects = await fetchProjects(client);
		if (projects !== undefined && !projects.some((each) => each.id === id)) return undefined;
	}
	const from = `${error.description} This came from the project ${named}.`;
	// The plan is that of all projects.
	const isOfAll = isOnly || isStatus(error.httpStatus, 'paymentRequired');
	const whatHelps = isOfAll ? undefined : LEAVE_OUT[client.place];
	return error.withDescription(whatHelps === undefined ? from : `${from} ${whatHelps}`);
}

/**
 * Whether a reason may be that of one project alone, as far as a single one tells: if it is that of all, no
 * project is read. An answer of a proxy counts as well, since the ID of the project is in the address. Many in a row tell
 * no more: ten projects of one database or proxy may be in trouble side by side.
 *
 * @param collector that of all projects knows when there are too many records
 */
export function isOfOneProject(
	error: unknown,
	collector: RecordCollector,
): error is ActivepiecesError {
	return (
		error instanceof ActivepiecesError &&
		(!isAboutServer(error) || isServerError(error.httpStatus ?? 0)) &&
		countRecords(collector) <= limits.maxRecordsPerItem
	);
}

/** Throws what a project could not be read for, unless it was deleted meanwhile. */
const throwAsOf =
	(client: ApiClient, project: Project, isOnly: boolean) =>
	async (error: unknown): Promise<void> => {
		if (!(error instanceof ActivepiecesError)) throw error;
		const reason = await projectError(client, project, error, isOnly);
		if (reason !== undefined) throw reason;
	};

type FetchProject = (
	index: number,
	fetchPage: FetchPage,
	collector: RecordCollector,
) => Promise<void>;

/** Reads one project into a collector; one that was deleted meanwhile has nothing. */
export const projectFetcher =
	(client: ApiClient, projects: Project[], { request, pageSize }: RecordList): FetchProject =>
	async (index, fetchPage, collector) => {
		const project = projects[index];
		await fetchList(client, inProject(request, project), pageSize, collector, fetchPage).catch(
			throwAsOf(client, project, projects.length === 1),
		);
	};

/** Reads one project, but for no longer than the list has patience. */
export async function inTime(
	patience: Patience | undefined,
	collector: RecordCollector,
	read: () => Promise<void>,
): Promise<void> {
	if (patience === undefined) {
		await read();
		return;
	}
	const { signal, reason } = patience;
	if (signal.aborted) throw reason();
	await untilAborted(read(), signal, () => {}).catch((error: unknown) => {
		if (!signal.aborted || error instanceof ActivepiecesError) throw error;
		collector.aborted = true;
		throw reason();
	});
}

/** All projects side by side; the order of projects is kept. */
async function fetchConcurrently(
	client: ApiClient,
	projects: Project[],
	list: RecordList,
): Promise<IDataObject[]> {
	const read =
		list.read ??
		(async (request, collector) => await fetchList(client, request, list.pageSize, collector));
	// One set for all, so that a record moved to another project meanwhile is given once.
	const seen = new Set<unknown>();
	const collectors = projects.map((project): RecordCollector => ({
		...createRecordCollector(Infinity, (record) => list.transform(record, project)),
		seen: list.read === undefined ? seen : new Set(),
		keep: list.keep,
		ifTooMany: list.ifTooMany,
	}));
	const limiter = createLimiter(limits.maxConcurrency);
	const unread: Array<{ project: Project; reason: ActivepiecesError }> = [];
	await Promise.all(
		projects.map(
			async (project, index) =>
				await limiter(async () => {
					// Made when it is sent: the time of the service may be known only then.
					const request = inProject(list.requestFor?.(project) ?? list.request, project);
					const collector = collectors[index];
					const readOne = async () =>
						await read(request, collector, project).catch(
							throwAsOf(client, project, projects.length === 1),
						);
					await inTime(list.patience, collector, readOne)
						.then(() => list.onProjectRead?.(project))
						.catch((error: unknown) => {
							const isTolerated =
								list.onUnreadProject !== undefined && isOfOneProject(error, collector);
							if (isTolerated) {
								unread.push({ project, reason: error });
								collector.records = [];
								return;
							}
							// Set before the limiter starts the next project, so that no other one is asked any more.
							for (const each of collectors) each.aborted = true;
							throw error;
						});
				}),
		),
	);
	for (const { project, reason } of unread) list.onUnreadProject?.(project, reason);
	if (unread.length > 0 && unread.length === projects.length && list.isBeside !== true) {
		throw commonReason(unread.map(({ reason }) => reason));
	}
	return collectors.flatMap(({ records }) => records);
}

/** Fetches the pages of each project, the first ones ahead of their turn. */
function createFetchPage(
	client: ApiClient,
	projects: Project[],
	list: RecordList,
): (index: number) => FetchPage {
	const fetcher = (index: number) => pageFetcher(client, inProject(list.request, projects[index]));
	const limit = list.isFiltered ? list.pageSize : Math.min(list.pageSize, list.limit);
	const firstPage = createReadAhead(
		projects.length,
		async (index) => await fetcher(index)({ limit }),
	);
	return (index) => {
		let isFirst = true;
		return async (request) => {
			if (!isFirst || request.cursor !== undefined) return await fetcher(index)(request);
			isFirst = false;
			return await firstPage(index);
		};
	};
}

/**
 * One project after the other, because each gives only what the ones before left of the limit. Their first
 * pages are fetched ahead, side by side, so that thousands of projects with few records take no longer
 * than they have to; at most nine of them are not needed in the end.
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
		const collector: RecordCollector = {
			...createRecordCollector(list.limit - records.length, (record) =>
				list.transform(record, projects[index]),
			),
			seen,
			isFiltered: list.isFiltered,
			ifTooMany: list.ifTooMany,
		};
		await fetchProject(index, fetchPage(index), collector);
		for (const record of collector.records) records.push(record);
	}
	return records;
}

/** The records of these projects, in the order of the projects. */
export async function fetchEachProject(
	client: ApiClient,
	projects: Project[],
	list: RecordList,
): Promise<IDataObject[]> {
	return list.limit === Infinity
		? await fetchConcurrently(client, projects, list)
		: await fetchSequentially(client, projects, list);
}
