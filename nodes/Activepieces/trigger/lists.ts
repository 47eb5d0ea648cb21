/** How a poll reads lists of the service. No other file of the trigger does. */
import type { IDataObject } from 'n8n-workflow';

import { getOptionalId } from '../descriptions/locator';
import { GET_FLOW } from '../resources/flow/flow';
import { untilAborted } from '../transport/http/abort';
import type { ApiClient } from '../transport/client/client';
import { ActivepiecesError, commonReason, IncompleteListError } from '../transport/errors/error';
import { limits } from '../transport/limits';
import { hasNext, pageFetcher, type PageOptions, pages } from '../transport/lists/pages';
import {
	createProjectReader,
	fetchProjects,
	forEachProject,
	inProject,
	isOfOneProject,
	type Project,
} from '../transport/lists/projects';
import type { ApiRequest } from '../transport/client/request';

import { requestRecord } from '../transport/client/record';
import { nameAndId } from '../transport/text';
import { textOf } from '../transport/values';
import type { EventContext, UnreadPart } from './event';
import { timeLimitError } from './failures';
import { flowToWatch, projectToWatch } from './fields';
import { toTime } from './storedValues';

export interface List {
	/** Its name in the state: the ID of its project; an empty text if it has none */
	list: string;
	request: ApiRequest;
	/** The name in messages of a list that may be unread while others are read; an error of any other ends the poll */
	label?: string;
	/** Its project, if the person did not choose it */
	project?: Project;
	/** Whether an error means that there is no such list */
	isAbsent?(error: unknown): boolean;
}

export interface ListQuery {
	take(record: IDataObject, list: string): void;
	/** How many more records are wanted of all lists together; by default all */
	wanted?(): number;
	/** Whether this record and those after it are not needed */
	isEnd?(record: IDataObject): boolean;
	/** Called for each list that was read completely */
	onRead?(list: string): void;
	/**
	 * Whether reading can stop after all records that were created up to a time, in milliseconds: later ones
	 * are left to the next polls. Lists that are filtered by creation are read so, see `readByCreation`.
	 */
	hasEnough?(until: number, list: string): boolean;
}

export interface ListsRead {
	/** All of them, including those that could not be read */
	listed: string[];
	unread: UnreadPart[];
}

export const watchedProjectId = (context: EventContext) => getOptionalId(context, projectToWatch);

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
	{ request, list }: List,
	{ wanted = () => Infinity, take, isEnd = () => false }: ListQuery,
	options: PageOptions,
): Promise<void> {
	if (wanted() <= 0) return;
	let hasEnded = false;
	const missing = () => (hasEnded ? 0 : wanted());
	for await (const { rows } of pages(client, request, { wanted: missing, ...options })) {
		for (const row of rows) {
			if (wanted() <= 0) return;
			if (isEnd(row)) hasEnded = true;
			if (hasId(row)) take(row, list);
		}
	}
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
async function readByCreation(client: ApiClient, whole: List, query: ListQuery): Promise<void> {
	const { request, list } = whole;
	const limit = limits.triggerRunsPageSize;
	let from = toTime(request.query?.createdAfter);
	/** Ends of the periods that are still to be read, the next one last */
	const ends = [Infinity];
	for (let to = ends.at(-1); to !== undefined; to = ends.at(-1)) {
		const period = {
			...request.query,
			createdAfter: new Date(from).toISOString(),
			...(to < Infinity ? { createdBefore: new Date(to).toISOString() } : {}),
		};
		const part = { ...request, query: period };
		const { data, next } = await pageFetcher(client, part)({ limit });
		const times = data.map(({ created }) => toTime(created)).filter((time) => time > 0);
		// Something in front of the service ignores an end of the period: it would be halved without end.
		if (times.some((time) => time < from || time > to)) {
			return await readPages(client, whole, query, { pageSize: limit });
		}
		for (const record of data) if (hasId(record)) query.take(record, list);
		const isMoment = to - from <= SHORTEST;
		if (!hasNext(next) || isMoment || times.length === 0) {
			if (hasNext(next)) {
				const rest = readPages(client, { list, request: part }, query, { pageSize: limit });
				await rest.catch((error: unknown) => {
					// Up to 0.79, those of one millisecond that do not fit into a response. They must not withhold the others.
					if (!isMoment || !(error instanceof IncompleteListError)) throw error;
				});
			}
			ends.pop();
			if (ends.length > 0 && query.hasEnough?.(to, list)) return;
			from = to;
			continue;
		}
		// The rest. Times are stored in microseconds, so other records of the same millisecond may follow.
		const end = Math.min(to, ...times.map((time) => time + SHORTEST));
		ends[ends.length - 1] = end;
		if (end - from > SHORTEST) ends.push(from + Math.floor((end - from) / 2));
	}
}

/**
 * Reads lists, up to ten at once. One that cannot be read for a reason of its own, or in time, does not
 * stop the others.
 *
 * @throws {ActivepiecesError} when none can be read, or for a reason that applies to all
 */
export async function readLists(
	{ client, timeLimit, turn }: EventContext,
	lists: List[],
	query: ListQuery,
): Promise<ListsRead> {
	const unread: UnreadPart[] = [];
	const absent = new Set<List>();
	// However many projects are slow or do not respond, each one has its turn.
	const first = lists.findIndex(({ list }) => list === turn.next);
	const inTurn = first > 0 ? [...lists.slice(first), ...lists.slice(0, first)] : lists;
	turn.next = undefined;
	// Shared by all projects, so that a record that moves to another project is returned once.
	const ofProjects = new Set<unknown>();
	const readProject = createProjectReader(client);
	await forEachProject(inTurn, async (each, _index, isStopped) => {
		const { list, label, project, isAbsent } = each;
		const seen = project === undefined ? new Set<unknown>() : ofProjects;
		const read = async () => {
			const isFiltered = each.request.query?.createdAfter !== undefined;
			if (isFiltered && query.hasEnough) await readByCreation(client, each, query);
			else await readPages(client, each, query, { seen, isStopped });
		};
		try {
			if (label === undefined) await read();
			else {
				if (timeLimit.aborted) turn.next ??= list;
				timeLimit.throwIfAborted();
				const reading = project === undefined ? read() : readProject(project, read);
				await untilAborted(reading, timeLimit, () => {});
			}
			query.onRead?.(list);
		} catch (error) {
			const isLate = timeLimit.aborted && !(error instanceof ActivepiecesError);
			const reason = isLate
				? timeLimitError('The list was not read', limits.triggerProjectsMs)
				: (error as Error);
			if (isAbsent?.(reason)) absent.add(each);
			else if (label === undefined || !isOfOneProject(reason, seen.size)) throw reason;
			else unread.push({ list, label, isProject: project !== undefined, reason });
		}
	});
	if (unread.length > 0 && unread.length === lists.length - absent.size) {
		throw commonReason(unread.map(({ reason }) => reason));
	}
	return { listed: lists.filter((each) => !absent.has(each)).map(({ list }) => list), unread };
}

/**
 * The lists of one project, or of all that the credential may see, because the service returns these lists
 * only by project.
 */
export async function projectLists(
	context: EventContext,
	requestFor: (list: string) => ApiRequest,
	chosen = watchedProjectId(context),
): Promise<List[]> {
	if (chosen !== undefined) {
		const { displayName: field } = projectToWatch;
		return [{ list: chosen, request: inProject(requestFor(chosen), { id: chosen, field }) }];
	}
	const projects = await fetchProjects(context.client);
	if (projects === undefined) {
		throw new ActivepiecesError({
			message:
				'This Activepieces server cannot list its projects, so the trigger cannot watch all of them',
			description: 'Enter the ID of a project in Project.',
		});
	}
	return projects.map((project) => {
		const { id, name } = project;
		const request = inProject(requestFor(id), project, projects.length);
		return { list: id, request, project, label: `The project ${nameAndId(name, id)}` };
	});
}
