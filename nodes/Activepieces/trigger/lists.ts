/* How a poll reads lists of the service; a table, which has no pages, is read in `events/tableRecord.events.ts`. */

import type { IDataObject } from 'n8n-workflow';

import { fetchFlow } from '../resources/flow/flow';
import type { ApiClient } from '../transport/api/client';
import { hasNext, type PageOptions } from '../transport/api/pages';
import { forEachProject, isOfOneProject, type Project } from '../transport/api/projects';
import { inProject, type ApiRequest } from '../transport/client/request';
import { ActivepiecesError, commonReason, IncompleteListError } from '../transport/errors/error';
import { untilAborted } from '../transport/http/exchange';
import { limits } from '../transport/limits';
import { nameAndId } from '../transport/texts';
import { textOf } from '../transport/values';
import type { UnreadPart } from './event';
import type { EventContext } from './eventContext';
import { timeLimitError } from './failures';
import { flowToWatch, projectToWatch } from './fields';

interface List {
	/** Names it in the state: the ID of its project; an empty text if it has none */
	listId: string;
	request: ApiRequest;
	/** For a list that may stay unread while others are read: its name in messages. An error of any other ends the poll */
	labelIfUnread?: string;
	/** Its project, if the person did not choose it */
	project?: Project;
	/** Whether an error means that there is no such list */
	isAbsent?(error: unknown): boolean;
	/** Whether a record is watched; by default all are */
	isWatched?(record: IDataObject): boolean;
}

/** What to read of lists: in a poll all that may be new, at activation and as example a recent record of each. */
export interface ListQuery {
	/** Receives each record that is read. Events, for example, keep those that are new */
	onRecord(record: IDataObject, listId: string): void;
	/** Whether a recent record of each list is enough: its first one, unless it begins with the oldest */
	onlyRecent?: boolean;
	/** Whether records are taken even if `isWatched` says that they are not */
	takesAll?: boolean;
	/** Of lists that begin with the newest: whether no record that was created as early as this one is needed */
	isEnd?(record: IDataObject, listId: string): boolean;
	/** For lists with a filter `createdAfter`: its value, in milliseconds. They are read by `readByCreation` */
	createdAfter?(listId: string): number;
	found?: FoundItems;
}

/** What `onRecord` has found: `OldestItems`. */
export interface FoundItems {
	/** Learns that a list is read: only then its items count */
	listIsRead(listId: string): void;
	/**
	 * Whether a list has enough items up to a time, so that it need not be read any further
	 *
	 * @param readUntil all that happened up to then was read
	 * @param isOneEnough whether one item is, because the poll has taken long
	 */
	hasEnough(listId: string, readUntil: number, isOneEnough: boolean): boolean;
	/** Leaves what happened from a time on to later polls */
	leave(listId: string, time: number): void;
}

export interface ListsRead {
	/** IDs of the lists that were read to their end, or as far as was needed */
	read: string[];
	unread: UnreadPart[];
}

/** Parses a time of the service, in milliseconds since 1970; 0 for none. */
export const toTime = (time: unknown) => Math.max(0, new Date(time as string).getTime() || 0);

/** The current record of the watched flow; undefined when all are watched. */
export async function fetchWatchedFlow(context: EventContext): Promise<IDataObject | undefined> {
	const id = context.value('flowId');
	if (id === undefined) return undefined;
	const { noun, displayName: field } = flowToWatch;
	return await fetchFlow(context.client, { id, subject: { noun, field } });
}

/** Whether a query takes a record. Those without an ID cannot be distinguished. */
const isTaken = ({ isWatched }: List, { takesAll }: ListQuery, record: IDataObject): boolean =>
	textOf(record.id) !== '' && (takesAll || isWatched?.(record) !== false);

/** Reads the pages of a list. The run does not count the records, because most of them are dropped again. */
async function readPages(
	client: ApiClient,
	each: List,
	query: ListQuery,
	options: PageOptions,
): Promise<void> {
	const { listId, request, isWatched } = each;
	const { onlyRecent, takesAll } = query;
	const { order } = request.endpoint;
	const isEnd = order === 'newestFirst' ? query.isEnd : undefined;
	let missing = onlyRecent && order !== 'oldestFirst' ? 1 : Infinity;
	// A page may have no record that is watched.
	const wanted = () => (isWatched && !takesAll ? Infinity : missing);
	for await (const { rows } of client.fetchPages(request, { wanted, ...options })) {
		for (const row of rows) {
			if (isEnd?.(row, listId)) return;
			if (!isTaken(each, query, row)) continue;
			query.onRecord(row, listId);
			if (--missing <= 0) return;
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
 * (recorded), and because a page may exceed the maximum size of a response. Other lists are read by `paginate` in
 * `transport/api/pages.ts`, from the newest record on.
 */
async function readByCreation(
	context: EventContext,
	each: List,
	query: ListQuery,
	createdAfter: number,
): Promise<void> {
	const { client } = context;
	const limit = limits.triggerRunsPageSize;
	const period = (after: number, before: number): List => {
		const { request } = each;
		const bounds = {
			createdAfter: new Date(after).toISOString(),
			...(before < Infinity && { createdBefore: new Date(before).toISOString() }),
		};
		return { ...each, request: { ...request, query: { ...request.query, ...bounds } } };
	};
	let from = createdAfter;
	/** Ends of the periods that are still to be read, the next one last */
	const ends = [Infinity];
	for (let to = ends.at(-1); to !== undefined; to = ends.at(-1)) {
		const part = period(from, to);
		const { data, next } = await client.fetchPage(part.request, { limit });
		const times = data.map(({ created }) => toTime(created)).filter((time) => time > 0);
		// Something in front of the service ignores an end of the period: it would be halved without end.
		if (times.some((time) => time < from || time > to)) {
			return await readPages(client, period(createdAfter, Infinity), query, { pageSize: limit });
		}
		for (const row of data) if (isTaken(each, query, row)) query.onRecord(row, each.listId);
		const isMoment = to - from <= SHORTEST;
		if (!hasNext(next) || isMoment || times.length === 0) {
			if (hasNext(next)) {
				const rest = readPages(client, part, query, { pageSize: limit });
				await rest.catch((error: unknown) => {
					// Up to 0.79, those of one millisecond that do not fit into a response. They must not withhold the others.
					if (!isMoment || !(error instanceof IncompleteListError)) throw error;
				});
			}
			ends.pop();
			// All records that were created up to `to` are read, and no event is earlier than its record. The newest
			// page is found as well, but what is later than `to` does not count yet.
			const { found } = query;
			if (ends.length > 0 && found?.hasEnough(each.listId, to, context.isLongPoll()) === true) {
				found.leave(each.listId, to);
				return;
			}
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
	context: EventContext,
	lists: List[],
	query: ListQuery,
): Promise<ListsRead> {
	const { client, timeLimit } = context;
	const read: string[] = [];
	const unread: UnreadPart[] = [];
	// Shared by all projects, so that a record that moves to another project is returned once. Of lists that are
	// read by creation, `query.found` recognizes it.
	const ofProjects = new Set<unknown>();
	const readProject = client.ignoreDeletedProjects();
	await forEachProject(lists, async (each, _index, isStopped) => {
		const { listId, labelIfUnread: label, project, isAbsent } = each;
		const mustBeRead = label === undefined;
		const seen = project === undefined ? new Set<unknown>() : ofProjects;
		const readList = async () =>
			query.createdAfter === undefined
				? await readPages(client, each, query, { seen, isStopped })
				: await readByCreation(context, each, query, query.createdAfter(listId));
		try {
			if (mustBeRead) await readList();
			else {
				timeLimit.throwIfAborted();
				const reading = project === undefined ? readList() : readProject(project, readList);
				await untilAborted(reading, timeLimit, () => {});
			}
			query.found?.listIsRead(listId);
			read.push(listId);
		} catch (error) {
			const isOutOfTime = timeLimit.aborted && !(error instanceof ActivepiecesError);
			const reason = isOutOfTime
				? timeLimitError('The list was not read', limits.triggerProjectsMs)
				: (error as Error);
			if (isAbsent?.(reason)) return;
			if (mustBeRead || !isOfOneProject(reason, seen.size)) throw reason;
			unread.push({ listId, label, reason });
		}
	});
	if (unread.length > 0 && read.length === 0) {
		throw commonReason(unread.map(({ reason }) => reason));
	}
	return { read, unread };
}

/**
 * The lists of one project, or of all that the credential may see, because the service returns these lists
 * only by project.
 *
 * @param flow the watched flow: its project counts, whichever is chosen in Project
 */
export async function projectLists(
	context: EventContext,
	request: ApiRequest,
	flow?: IDataObject,
): Promise<List[]> {
	const { displayName: field } = flow === undefined ? projectToWatch : flowToWatch;
	const id = flow === undefined ? context.value('projectId') : textOf(flow.projectId);
	if (id !== undefined) return [{ listId: id, request: inProject(request, { id, field }) }];
	const projects = await context.client.fetchProjects();
	if (projects === undefined) {
		throw new ActivepiecesError({
			message:
				'This Activepieces server cannot list its projects, so the trigger cannot watch all of them',
			description: 'Enter the ID of a project in Project.',
		});
	}
	return projects.map((project) => ({
		listId: project.id,
		request: inProject(request, project, projects.length),
		project,
		labelIfUnread: `The project ${nameAndId(project.name, project.id)}`,
	}));
}
