import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../client/client';
import { ActivepiecesError, commonReason, isListRefused } from '../errors/error';
import { isStatus } from '../http/httpStatus';
import { limits } from '../limits';
import { collect, type CollectOptions, pages } from './pages';
import type { ApiRequest } from '../client/request';
import { createLimiter } from '../client/run';
import { sizeOf, textOf, toId } from '../values';

export interface Project {
	id: string;
	name: string;
}

export const LIST_PROJECTS: ApiRequest = {
	endpoint: {
		method: 'GET',
		path: '/v1/projects',
		// Community up to 0.76, and 0.73 of every edition for users without the admin role (recorded).
		otherPath: { path: '/v1/users/projects', absentStatus: 'badRequest', alsoIfForbidden: true },
	},
	subject: { noun: 'projects' },
};

/**
 * The projects that the key may see; undefined for a service without this list. Up to 0.73 a session token
 * can use only its own project, although the service also lists others (recorded).
 */
export async function fetchProjects(client: ApiClient, limit = Infinity) {
	const records = await collect(client, LIST_PROJECTS, {
		limit,
		take({ id: given, displayName }) {
			const id = toId(given) ?? '';
			// Evaluated for every record, because a session may start with the request for the list.
			const own = client.tokenProjectId;
			// Without an ID it would become a request for the project `undefined`.
			if (id === '' || (own !== undefined && id !== own)) return undefined;
			const name = typeof displayName === 'string' ? displayName.trim() : '';
			return { id, name: name === '' ? id : name };
		},
		isFiltered: client.tokenProjectId !== undefined,
		// Each input item reads the list, and none of it is output.
		isOutput: false,
	}).catch((error: unknown) => {
		if (error instanceof ActivepiecesError && error.isRouteMissing) return undefined;
		throw error;
	});
	if (records === undefined) return undefined;
	const projects = records as unknown as Project[];
	for (const { id, name } of projects) client.projectNames.set(id, name);
	return projects;
}

/** `fetchProjects`, read once for all input items of a run. */
export const fetchProjectsOnce = async (client: ApiClient) =>
	await client.once('projects', async () => await fetchProjects(client));

/**
 * The request for the records of a project, which messages name; `of` is that of `RequestSubject`, and `field`
 * the one in which a person chose the project.
 */
export const inProject = (
	request: ApiRequest,
	{ id, name, field }: { id: string; name?: string; field?: string },
	of?: number,
): ApiRequest => ({
	...request,
	query: { ...request.query, projectId: id },
	subject: {
		...request.subject,
		...(field !== undefined && { field }),
		container: { noun: 'project', id, name, of },
	},
});

/**
 * Makes a function that reads one of several projects. A project that was deleted while the others were
 * read has no records. The projects are listed again once, however many of them are refused.
 */
export function createProjectReader(client: ApiClient) {
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
export interface RecordList extends Omit<CollectOptions, 'isFiltered'> {
	request: ApiRequest;
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

/**
 * Whether an error may concern one project only, as far as a single error shows it. Otherwise no project
 * is read. Responses of a proxy count too, because the URL contains the ID of the project. Many such
 * errors in a row show no more: ten projects in the same database or behind the same proxy may fail
 * together.
 */
export const isOfOneProject = (error: unknown, count: number): error is ActivepiecesError =>
	error instanceof ActivepiecesError &&
	(error.scope !== 'server' || isStatus(error.httpStatus, 'serverError')) &&
	count <= limits.maxRecordsPerItem;

/**
 * The records of several projects, in the order of the projects. With a limit, the projects contribute one
 * after the other, because each returns only what the ones before left of it. Their first pages are read
 * ahead, so that thousands of projects with few records do not take longer than necessary; at most nine of
 * them turn out not to be needed. A project waits for its turn with the rest, because ten projects that read
 * 5,000 raw flows each would have 2 GB. Fails if a project cannot be read; with `unreadable` if none can, or for a
 * reason that applies to all.
 */
async function fetchEachProject(client: ApiClient, projects: Project[], list: RecordList) {
	const { limit = Infinity, pageSize, take = (row) => row, unreadable } = list;
	// Shared by all projects, so that a record that moves between projects is returned once.
	const seen = new Set<unknown>();
	const found: IDataObject[][] = projects.map(() => []);
	const unread: ActivepiecesError[] = [];
	const readProject = createProjectReader(client);
	let total = 0;
	/** Resolves when the projects before one are complete; a project with a limit waits for it */
	let turn: Promise<void> = Promise.resolve();

	await forEachProject(projects, async (project, index, isStopped) => {
		if (total >= limit) return;
		const before = turn;
		let done = () => {};
		turn = new Promise((resolve) => (done = resolve));
		let isTurn = limit === Infinity;
		const own = found[index];
		const wanted = () => (isTurn ? limit - total : limit);
		const takeTurn = async () => {
			if (isTurn) return;
			await before;
			isTurn = true;
		};
		const read = async () => {
			const request = inProject(list.request, project, projects.length);
			const pagesOfProject = pages(client, request, { pageSize, seen, wanted, isStopped });
			for await (const page of pagesOfProject) {
				await takeTurn();
				for (const row of page.rows) {
					if (total >= limit) return;
					const record = take(row, page);
					if (record === undefined) continue;
					own.push(record);
					total++;
					client.run.keep(record === row ? page.bytesPerRow : sizeOf(record));
				}
			}
		};
		await readProject(project, read)
			.catch(async (error: unknown) => {
				await takeTurn();
				// What was read ahead may not be needed.
				if (total >= limit) return;
				if (unreadable === undefined || !isOfOneProject(error, seen.size)) throw error;
				unread.push(error);
				unreadable(error);
			})
			.finally(async () => {
				await takeTurn();
				done();
			});
	});
	if (unread.length > 0 && unread.length === projects.length) throw commonReason(unread);
	return found.flat();
}

/** What is kept of a record until all projects are read. An ISO time in UTC sorts as text. */
interface Dated extends IDataObject {
	created: string;
	projectIndex: number;
	record: IDataObject;
}

const byNewest = (a: Dated, b: Dated): number =>
	Number(a.created < b.created) - Number(a.created > b.created) || a.projectIndex - b.projectIndex;

/**
 * The newest records of all projects together, newest first. Any project may have the newest ones, so each is
 * asked for as many as are wanted. Once there are that many, the others are asked only for records that are
 * not older: 100 projects with 1,000 raw runs each would send 7 GB. For lists that the service sorts newest first and that have a filter `createdAfter`.
 */
async function fetchNewest(
	client: ApiClient,
	projects: Project[],
	{ request, limit = Infinity, take = (row) => row, ...options }: RecordList,
): Promise<IDataObject[]> {
	// The maximum applies to records that were seen. With a limit, no project returns more than that.
	const seen = limit === Infinity ? new Set<unknown>() : undefined;
	const newest: Dated[] = [];
	const readProject = createProjectReader(client);
	await forEachProject(projects, async (project, projectIndex, isStopped) => {
		const oldest = newest.length < limit ? undefined : newest[limit - 1].created;
		const query = { ...request.query, ...(oldest && { createdAfter: oldest }) };
		const own = inProject({ ...request, query }, project, projects.length);
		let records: IDataObject[] = [];
		await readProject(project, async () => {
			records = await collect(client, own, {
				...options,
				limit,
				seen,
				isStopped,
				take(row, page): Dated | undefined {
					const record = take(row, page);
					return record && { created: textOf(row.created), projectIndex, record };
				},
			});
		});
		for (const dated of records as Dated[]) newest.push(dated);
		if (limit === Infinity) return;
		for (const dropped of newest.sort(byNewest).splice(limit)) client.run.keep(-sizeOf(dropped));
	});
	return newest.sort(byNewest).map(({ record }) => record);
}

/**
 * The records of all projects that the key may see. A service without the list of projects receives one
 * request without a project.
 */
export async function fetchOfAllProjects(client: ApiClient, list: RecordList) {
	const projects = await fetchProjects(client);
	if (projects === undefined) return await collect(client, list.request, list);
	return await (list.isNewestFirst ? fetchNewest : fetchEachProject)(client, projects, list);
}
