/** How a poll reads lists of the service. No other file of the trigger does. */
import type { IDataObject } from 'n8n-workflow';

import { getOptionalId } from '../descriptions/locator';
import { GET_FLOW } from '../resources/flow/flow';
import type { ApiClient } from '../transport/client';
import { ActivepiecesError, commonReason, IncompleteListError } from '../transport/error';
import { untilAborted } from '../transport/exchange';
import { limits } from '../transport/limits';
import { hasNext, pageFetcher, type PageOptions, pages } from '../transport/pages';
import {
	createProjectReader,
	fetchEachProject,
	fetchProjects,
	forEachProject,
	inProject,
	isOfOneProject,
	type Project,
} from '../transport/projects';
import type { ApiRequest } from '../transport/request';
import { requestRecord } from '../transport/send';
import { nameAndId } from '../transport/text';
import { textOf } from '../transport/values';
import type { EventContext, UnreadPart } from './event';
import { timeLimitError } from './failures';
import { flowToWatch, projectToWatch } from './fields';
import { storedText, toTime } from './storedValues';

/** What to read of lists. A list is named by the ID of its project; by an empty text if it has none. */
export interface ListQuery {
	/** Receives each record. Returns whether it counts toward the limit; in a poll none does */
	take(record: IDataObject, list: string): boolean;
	/** Infinity for all records */
	limit: number;
	/** Whether some records do not count, which only matters with a limit */
	isFiltered?: boolean;
	/** Whether this record and those after it are not needed */
	isEnd?(record: IDataObject): boolean;
	/** Called for each list that was read completely */
	onRead?(list: string): void;
	/**
	 * Whether reading can stop after all records that were created up to a time, in milliseconds: later ones
	 * are left to the next polls. Called for lists that are sorted by creation, see `readByCreation`.
	 */
	canStop?(until: number, list: string): boolean;
}

/** The lists that were read. */
export interface ListsRead {
	/** All of them, including those that could not be read */
	listed: string[];
	unread: UnreadPart[];
}

/** The ID of the watched project; undefined when all are watched. */
export const watchedProjectId = (context: EventContext): string | undefined =>
	getOptionalId(context, projectToWatch);

/** The current record of the watched flow; undefined when all are watched. */
export async function fetchWatchedFlow(context: EventContext): Promise<IDataObject | undefined> {
	const id = getOptionalId(context, flowToWatch);
	if (id === undefined) return undefined;
	const { noun, displayName: field } = flowToWatch;
	return await requestRecord(context.client, { endpoint: GET_FLOW, id, subject: { noun, field } });
}

/** Records without an ID cannot be distinguished. */
const hasId = ({ id }: IDataObject): boolean => textOf(id) !== '';

/** Reads the pages of a list. The run does not count the records, because most of them are dropped again. */
async function readPages(
	client: ApiClient,
	request: ApiRequest,
	{ limit, isFiltered, take, isEnd = () => false }: ListQuery,
	list: string,
	{ pageSize = limits.defaultPageSize, ...options }: PageOptions = {},
): Promise<void> {
	let counted = 0;
	let hasEnded = false;
	const wanted = () => {
		const missing = hasEnded ? 0 : limit - counted;
		return isFiltered && missing > 0 ? Infinity : missing;
	};
	for await (const { rows } of pages(client, request, { pageSize, wanted, ...options })) {
		for (const row of rows) {
			if (counted >= limit) break;
			if (isEnd(row)) hasEnded = true;
			if (hasId(row) && take(row, list)) counted++;
		}
	}
}

/** Reads one list. */
export async function readList(
	{ client }: EventContext,
	request: ApiRequest,
	query: ListQuery,
	list = '',
): Promise<ListsRead> {
	if (query.canStop === undefined || query.limit < Infinity) {
		await readPages(client, request, query, list);
	} else await readByCreation(client, request, query, list);
	query.onRead?.(list);
	return { listed: [list], unread: [] };
}

/** The shortest period in milliseconds: the service compares times of creation with this precision (recorded). */
const SHORTEST = 1;

/**
 * Reads a list of any length that the service sorts newest first and filters by `createdAfter` and
 * `createdBefore`, both included (recorded). If there is more than a page, the rest is read in periods,
 * oldest first, so that reading can stop and continue at another time; a period with more than a page is
 * halved. Each fits on one page, because up to 0.79 the service loses records between two pages
 * (recorded), and because a page may exceed the maximum size of a response.
 */
async function readByCreation(
	client: ApiClient,
	request: ApiRequest,
	query: ListQuery,
	list: string,
): Promise<void> {
	const limit = limits.triggerRunsPageSize;
	const readWhole = async (part: ApiRequest) =>
		await readPages(client, part, { ...query, limit: Infinity }, list, { pageSize: limit });
	let from = toTime(request.query?.createdAfter);
	/** Ends of the periods that are still to be read, the next one last */
	const ends = [Infinity];
	for (let to = ends.at(-1); to !== undefined; to = ends.at(-1)) {
		const part = createdWithin(request, from, to);
		const { data, next } = await pageFetcher(client, part)({ limit });
		const times = data.map(({ created }) => toTime(created)).filter((time) => time > 0);
		const isOutside = times.some((time) => time < from || time > to + SHORTEST);
		// Something in front of the service ignores an end of the period.
		if (isOutside) return await readWhole(request);
		for (const record of data) if (hasId(record)) query.take(record, list);
		const isMoment = to - from <= SHORTEST;
		if (!hasNext(next) || isMoment || times.length === 0) {
			if (hasNext(next)) {
				await readWhole(part).catch((error: unknown) => {
					// Up to 0.79, those of one millisecond that do not fit into a response. They must not withhold the others.
					if (!isMoment || !(error instanceof IncompleteListError)) throw error;
				});
			}
			ends.pop();
			if (ends.length > 0 && query.canStop?.(to, list)) return;
			from = to;
			continue;
		}
		// The rest. Times are stored in microseconds, so other records of the same millisecond may follow.
		const end = Math.min(to, ...times.map((time) => time + SHORTEST));
		ends[ends.length - 1] = end;
		if (end - from > SHORTEST) ends.push(from + Math.floor((end - from) / 2));
	}
}

function createdWithin(request: ApiRequest, from: number, to: number): ApiRequest {
	const query = {
		...request.query,
		createdAfter: new Date(from).toISOString(),
		...(to < Infinity ? { createdBefore: new Date(to).toISOString() } : {}),
	};
	return { ...request, query };
}

/**
 * Reads the lists of one project, or of all that the credential may see, because the service returns
 * these lists only by project. Without a limit, a project that cannot be read does not stop the others.
 *
 * @param hasOtherLists whether other lists are read too, so it is no error if no project can be read
 * @throws {ActivepiecesError} for a service without the list of projects when none is chosen
 */
export async function readProjects(
	context: EventContext,
	chosen: string | undefined,
	requestFor: (list: string) => ApiRequest,
	query: ListQuery,
	hasOtherLists = false,
): Promise<ListsRead> {
	if (chosen !== undefined) {
		const list = storedText(chosen);
		const own = inProject(requestFor(list), { id: chosen });
		const subject = { ...own.subject, field: projectToWatch.displayName };
		return await readList(context, { ...own, subject }, query, list);
	}
	const projects = await fetchProjects(context.client);
	if (projects === undefined) {
		throw new ActivepiecesError({
			message:
				'This Activepieces server cannot list its projects, so the trigger cannot watch all of them',
			description: 'Enter the ID of a project in Project.',
		});
	}
	const listed = projects.map(({ id }) => storedText(id));
	if (query.limit === Infinity) {
		const unread = await readAll(context, projects, requestFor, query, hasOtherLists);
		return { listed, unread };
	}
	await fetchEachProject(context.client, projects, {
		request: requestFor(''),
		pageSize: limits.defaultPageSize,
		limit: query.limit,
		transform: (record) => (hasId(record) && query.take(record, '') ? record : undefined),
		isFiltered: query.isFiltered,
	});
	return { listed, unread: [] };
}

/** Reads all projects that can be read, and returns the others. */
async function readAll(
	{ client, timeLimit, givenUp }: EventContext,
	projects: Project[],
	requestFor: (list: string) => ApiRequest,
	query: ListQuery,
	hasOtherLists: boolean,
): Promise<UnreadPart[]> {
	const unread: UnreadPart[] = [];
	const ordered = givenUpLast(projects, givenUp.projects);
	givenUp.projects = [];
	// Shared by all projects, so that a record that moves to another project is returned once.
	const seen = new Set<unknown>();
	const readProject = createProjectReader(client);
	await forEachProject(ordered, async (project, _index, hasFailed) => {
		const { id, name } = project;
		const list = storedText(id);
		const isStopped = () => hasFailed() || timeLimit.aborted;
		const read = async () => {
			const request = inProject(requestFor(list), project, projects.length);
			if (query.canStop) await readByCreation(client, request, query, list);
			else await readPages(client, request, query, list, { seen, isStopped });
		};
		await inTime(timeLimit, async () => await readProject(project, read))
			.then(() => query.onRead?.(list))
			.catch((error: unknown) => {
				if (!isOfOneProject(error, seen.size)) throw error;
				givenUp.projects.push(id);
				const label = `The project ${nameAndId(name, id)}`;
				unread.push({ list, label, isProject: true, reason: error });
			});
	});
	if (unread.length > 0 && unread.length === projects.length && !hasOtherLists) {
		throw commonReason(unread.map(({ reason }) => reason));
	}
	return unread;
}

/** Reads one list within the time limit. */
async function inTime(timeLimit: AbortSignal, read: () => Promise<void>): Promise<void> {
	if (timeLimit.aborted) throw notInTime();
	await untilAborted(read(), timeLimit, () => {}).catch((error: unknown) => {
		if (!timeLimit.aborted || error instanceof ActivepiecesError) throw error;
		throw notInTime();
	});
}

const notInTime = (): ActivepiecesError =>
	timeLimitError('The list was not read', limits.triggerProjectsMs);

/**
 * The projects that the last poll gave up come last, starting with those that it gave up last, which it
 * may not even have requested. So even many projects that do not respond cannot keep another one from its
 * turn.
 */
function givenUpLast(projects: Project[], givenUp: string[]): Project[] {
	const places = new Map(givenUp.map((id, index) => [id, givenUp.length - index]));
	const placeOf = ({ id }: Project) => places.get(id) ?? 0;
	return [...projects].sort((a, b) => placeOf(a) - placeOf(b));
}

/**
 * Reads a list without projects, in addition to those of projects. If it cannot be read for a reason of
 * its own, it is reported like a project that cannot be read.
 */
export async function readAdditional(
	{ client, timeLimit }: EventContext,
	request: ApiRequest,
	query: ListQuery,
	label: string,
): Promise<ListsRead> {
	const unread: UnreadPart[] = [];
	const seen = new Set<unknown>();
	const isStopped = () => timeLimit.aborted;
	const read = async () => await readPages(client, request, query, '', { seen, isStopped });
	await inTime(timeLimit, read)
		.then(() => query.onRead?.(''))
		.catch((error: unknown) => {
			if (!isOfOneProject(error, seen.size)) throw error;
			unread.push({ list: '', label, isProject: false, reason: error });
		});
	return { listed: [''], unread };
}
