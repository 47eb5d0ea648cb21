import type { IDataObject } from 'n8n-workflow';

import type { HttpClient } from '../client/httpClient';
import { createLimiter } from '../client/nodeRun';
import { inProject, type ApiRequest } from '../client/request';
import { ActivepiecesError, commonReason, isListRefused } from '../errors/error';
import { isStatus } from '../http/response';
import { toId } from '../ids';
import { limits } from '../limits';
import { textOf } from '../values';
import { fetchList, fetchPages, toRead, type ListOptions } from './pages';

/* Lists of several projects: the service returns most lists only by project. */

export interface Project {
	id: string;
	name: string;
}

export const LIST_PROJECTS: ApiRequest = {
	endpoint: {
		method: 'GET',
		path: '/v1/projects',
		// Community up to 0.76 (recorded).
		otherPath: { path: '/v1/users/projects' },
		worksOn073: true,
	},
	subject: { noun: 'projects' },
};

/**
 * The projects that the key may see; undefined for a service without this list. Up to 0.73 a session token
 * can use only its own project, although the service also lists others (recorded).
 */
export async function fetchProjects(client: HttpClient, limit = Infinity) {
	const records = await fetchList(client, LIST_PROJECTS, {
		limit,
		convert({ id: given, displayName }) {
			const id = toId(given) ?? '';
			// Evaluated for every record, because a session may start with the request for the list.
			const own = client.tokenProjectId;
			// Without an ID it would become a request for the project `undefined`.
			if (id === '' || (own !== undefined && id !== own)) return undefined;
			const name = typeof displayName === 'string' ? displayName.trim() : '';
			return { id, name: name === '' ? id : name };
		},
		// Matters only with a limit.
		mayDrop: client.tokenProjectId !== undefined,
	}).catch((error: unknown) => {
		if (error instanceof ActivepiecesError && error.isRouteMissing) return undefined;
		throw error;
	});
	if (records === undefined) return undefined;
	const projects = records as unknown as Project[];
	for (const { id, name } of projects) client.projectNames.set(id, name);
	return projects;
}

/**
 * Makes a function that reads one of several projects. A project that was deleted while the others were
 * read has no further records. The projects are listed again once, however many of them are refused.
 */
export function ignoreDeletedProjects(client: HttpClient) {
	let listed: Promise<Project[] | undefined> | undefined;
	return async ({ id }: Project, read: () => Promise<void>): Promise<void> =>
		await read().catch(async (error: unknown) => {
			// How the service responds for a project that was deleted meanwhile (recorded).
			const mayBeGone = isListRefused(error) && isStatus(error.httpStatus, 'forbidden', 'notFound');
			const now = mayBeGone ? await (listed ??= fetchProjects(client)) : undefined;
			if (now === undefined || now.some((each) => each.id === id)) throw error;
		});
}

/** What to read of several projects; `limit` is that of all together. */
export interface AllProjectsOptions extends Pick<
	ListOptions,
	'limit' | 'convert' | 'mayDrop' | 'pageSize' | 'isUnpaged' | 'onMore'
> {
	/** Sorts the records of all projects by `created`, newest first, as the service sorts those of each project */
	isNewestFirst?: boolean;
	/** Receives the reason for a project that cannot be read, in place of the rest of it; by default it is thrown */
	unreadable?: (reason: ActivepiecesError) => void;
}

/** Runs a read for each project, up to ten at once, in their order. When one fails, no other one starts. */
export async function forEachProject<Each>(
	projects: Each[],
	read: (project: Each, index: number, isStopped: () => boolean) => Promise<void>,
): Promise<void> {
	// Of projects; `limitRequests` of the run limits their requests.
	const limiter = createLimiter(limits.maxConcurrency);
	let hasFailed = false;
	const isStopped = () => hasFailed;
	const reads = projects.map(
		async (project, index) =>
			await limiter(async () => {
				if (hasFailed) return;
				await read(project, index, isStopped).catch((error: unknown) => {
					// Set before the limiter starts the next project.
					hasFailed = true;
					throw error;
				});
			}),
	);
	await Promise.all(reads);
}

/** What a read returns of each project, without those that were deleted since they were listed. */
export async function readEachProject<T>(
	client: HttpClient,
	projects: Project[],
	read: (project: Project) => Promise<T>,
): Promise<T[]> {
	const results: T[] = [];
	const readProject = ignoreDeletedProjects(client);
	await forEachProject(projects, async (project) => {
		await readProject(project, async () => {
			results.push(await read(project));
		});
	});
	return results;
}

/**
 * Whether an error may concern one project only, as far as a single error shows it. Otherwise no project
 * is read. Responses of a proxy count too, because the URL contains the ID of the project. Many such
 * errors in a row show no more: ten projects in the same database or behind the same proxy may fail
 * together.
 *
 * @param recordsRead of all projects together: with more than an input item can return, every list fails for that
 */
export const isOfOneProject = (error: unknown, recordsRead: number): error is ActivepiecesError =>
	error instanceof ActivepiecesError &&
	(error.scope !== 'server' || isStatus(error.httpStatus, 'serverError')) &&
	recordsRead <= limits.maxRecordsPerItem;

/** A record until all projects are read. */
interface Found {
	record: IDataObject;
	projectIndex: number;
	/** An ISO time in UTC sorts as text */
	created: string;
}

const byProject = (a: Found, b: Found): number => a.projectIndex - b.projectIndex;

const byNewest = (a: Found, b: Found): number =>
	Number(a.created < b.created) - Number(a.created > b.created) || byProject(a, b);

/**
 * The records of several projects, in the order of the projects or newest first. Of them it keeps the first ones, up to
 * a limit. A project is asked only for what may still be returned, because ten projects that read 5,000 raw flows each
 * would have 2 GB:
 *
 * - In the order of the projects, for what those before it leave of the limit, as far as they are read.
 * - Newest first, for as many as are wanted, since any project may have the newest ones. Once there are that many, the
 *   others are asked only for records that are not older: 100 projects with 1,000 raw runs each would send 7 GB. The
 *   service sorts such a list newest first, and has its filter `createdAfter`.
 */
class FirstRecords {
	private found: Found[] = [];
	/** How many records came from each project */
	private readonly counts: number[] = [];

	constructor(
		private readonly limit: number,
		private readonly isNewestFirst: boolean,
	) {}

	/** How many records came from a project. */
	count(projectIndex: number): number {
		return this.counts[projectIndex] ?? 0;
	}

	/** How many more records of a project may still be returned; newest first, those of others do not count. */
	wanted(projectIndex: number): number {
		const own = [this.count(projectIndex)];
		const counted = this.isNewestFirst ? own : this.counts.slice(0, projectIndex + 1);
		return counted.reduce((left, count) => left - count, this.limit);
	}

	get isFull(): boolean {
		return this.found.length >= this.limit;
	}

	/** The query parameter for what is wanted of the projects that are not read yet. */
	filter(): IDataObject {
		const isFiltered = this.isNewestFirst && this.isFull;
		return isFiltered ? { createdAfter: this.found[this.limit - 1].created } : {};
	}

	add(records: Found[]): void {
		for (const each of records) {
			this.found.push(each);
			this.counts[each.projectIndex] = this.count(each.projectIndex) + 1;
		}
		if (this.limit < Infinity) this.found = this.sorted().slice(0, this.limit);
	}

	sorted(): Found[] {
		return [...this.found].sort(this.isNewestFirst ? byNewest : byProject);
	}
}

/** Whether a list has more records than this; one that cannot be read has none. */
async function hasMoreThan(
	client: HttpClient,
	request: ApiRequest,
	count: number,
	options: ListOptions,
): Promise<boolean> {
	const records = await fetchList(client, request, { ...options, limit: count + 1 }).catch(
		() => [],
	);
	return records.length > count;
}

/**
 * The records of several projects, as `FirstRecords` keeps them. Fails if a project cannot be read; with `unreadable` if
 * none can, or for a reason that applies to all.
 */
export async function fetchOfProjects(
	client: HttpClient,
	request: ApiRequest,
	projects: Project[],
	{
		convert = (row) => row,
		mayDrop,
		unreadable,
		limit = Infinity,
		isNewestFirst = false,
		onMore,
		...options
	}: AllProjectsOptions,
) {
	const first = new FirstRecords(limit, isNewestFirst);
	// Shared by all projects, so that a record that moves between projects is returned once. The newest records of
	// all projects together may be more than an input item may have, before they are cut: each project has its own.
	const seen = isNewestFirst && limit !== Infinity ? undefined : new Set<unknown>();
	let taken = 0;
	let hasMore = false;
	const pageOptions = { ...options, seen, onMore: () => (hasMore = true) };
	const reads: Array<Promise<void>> = [];
	const unread: ActivepiecesError[] = [];
	const readProject = ignoreDeletedProjects(client);
	/** Indexes of projects that were not read, or not without a filter, because others had as many as are wanted */
	const notReadInFull: number[] = [];

	await forEachProject(projects, async (project, projectIndex, isStopped) => {
		if (first.isFull) notReadInFull.push(projectIndex);
		const wanted = () => toRead(first.wanted(projectIndex), mayDrop);
		const read = async () => {
			const query = { ...request.query, ...first.filter() };
			const own = inProject({ ...request, query }, project, projects.length);
			for await (const page of fetchPages(client, own, { ...pageOptions, wanted, isStopped })) {
				const records: Found[] = [];
				for (const row of page.rows) {
					const record = convert(row, page);
					if (record === undefined) continue;
					records.push({ record, projectIndex, created: textOf(row.created) });
				}
				taken += records.length;
				first.add(records);
			}
		};
		if (wanted() <= 0) return;
		reads[projectIndex] = readProject(project, read).catch(async (error: unknown) => {
			// The projects before it may have all that are wanted.
			if (limit !== Infinity) await Promise.allSettled(reads.slice(0, projectIndex));
			if (wanted() <= 0) return;
			if (unreadable === undefined || !isOfOneProject(error, seen?.size ?? 0)) throw error;
			unread.push(error);
			unreadable(error);
		});
		await reads[projectIndex];
	});
	if (unread.length > 0 && unread.length === projects.length) throw commonReason(unread);
	hasMore ||= taken > limit;
	if (onMore) {
		await forEachProject(notReadInFull, async (index) => {
			if (hasMore) return;
			const own = inProject(request, projects[index], projects.length);
			const listOptions = { ...options, convert, mayDrop };
			if (await hasMoreThan(client, own, first.count(index), listOptions)) hasMore = true;
		});
	}
	if (hasMore) onMore?.(request.subject.noun);
	return first.sorted().map(({ record }) => record);
}
