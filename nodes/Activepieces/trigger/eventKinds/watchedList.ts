import type { IDataObject } from 'n8n-workflow';

import { getOptionalId } from '../../descriptions/locator';
import { GET_FLOW } from '../../resources/flow/flow';
import { ActivepiecesError } from '../../transport/error';
import { limits } from '../../transport/limits';
import { fetchEachProject, fetchProjects, inProject, type Project } from '../../transport/projects';
import {
	fetchReadableProjects,
	readWithin,
	isOfOneProject,
	type TimeLimit,
} from '../../transport/readableProjects';
import { fetchList } from '../../transport/lists';
import { createRecordCollector, type RecordCollector } from '../../transport/pages';
import { requestRecord } from '../../transport/send';
import type { ApiRequest } from '../../transport/request';
import { nameAndId } from '../../transport/text';
import { textOf } from '../../transport/values';
import type { EventContext, UnreadPart } from '../event';
import { timeLimitError } from '../failure';
import { flowToWatch, projectToWatch } from '../fields';

/** The ID of the watched project; undefined when all are watched. */
export const watchedProjectId = (context: EventContext): string | undefined =>
	getOptionalId(context, projectToWatch);

/** The current record of the watched flow; undefined when all are watched. */
export async function fetchWatchedFlow(context: EventContext): Promise<IDataObject | undefined> {
	const id = getOptionalId(context, flowToWatch);
	if (id === undefined) return undefined;
	const { noun, displayName: field } = flowToWatch;
	return await requestRecord(context.client, { ...GET_FLOW, id, subject: { noun, field } });
}

/** The request for the records of the only watched project. */
export function inWatchedProject(request: ApiRequest, id: string): ApiRequest {
	const own = inProject(request, { id });
	return { ...own, subject: { ...own.subject, field: projectToWatch.displayName } };
}

/** What to read of a list. */
export interface ListQuery {
	/**
	 * Converts a record; undefined leaves it out.
	 *
	 * @param project its ID, when all projects are watched
	 */
	transform: (record: IDataObject, project?: string) => IDataObject | undefined;
	limit: number;
	/** Called for each project that was read completely, when all projects are watched */
	onProjectRead?: (project: string) => void;
	/** Whether `transform` leaves out records, which only matters with a limit */
	isFiltered?: boolean;
	/** Whether other lists are read too, so it is no error if no project can be read */
	hasOtherLists?: boolean;
	/**
	 * Reads a list of any length into a collector, for a list without a limit.
	 *
	 * @param project its ID, when all projects are watched
	 */
	read?: (request: ApiRequest, collector: RecordCollector, project?: string) => Promise<void>;
}

/** The result of reading a list. */
export interface Listing {
	records: IDataObject[];
	/** IDs of the listed projects, when all are watched */
	listed?: string[];
	/** Listed projects that could not be read */
	unread?: UnreadPart[];
	/** Parts of lists that were not read completely */
	incomplete?: UnreadPart[];
}

/** Records without an ID cannot be distinguished. */
const hasId = ({ id }: IDataObject): boolean => textOf(id) !== '';

/** The run does not count these records, because most new ones may be dropped again (`oldestOutputs.ts`). */
const keep = (): void => {};

const collectorOf = ({ limit, transform, isFiltered }: ListQuery): RecordCollector => ({
	...createRecordCollector(limit, (record) => (hasId(record) ? transform(record) : undefined)),
	isFiltered,
	keep,
});

/** Reads one list, up to the limit of the query. */
export async function fetchOneList(
	{ client }: EventContext,
	request: ApiRequest,
	query: ListQuery,
): Promise<IDataObject[]> {
	const collector = collectorOf(query);
	if (query.read !== undefined && query.limit === Infinity) await query.read(request, collector);
	else await fetchList(client, request, limits.defaultPageSize, collector);
	return collector.records;
}

const timeLimitOf = ({ timeLimit }: Pick<EventContext, 'timeLimit'>): TimeLimit => ({
	signal: timeLimit,
	reason: () => timeLimitError('The list was not read', limits.triggerProjectsMs),
});

const transformIn =
	({ transform }: Pick<ListQuery, 'transform'>) =>
	(record: IDataObject, project?: Project): IDataObject | undefined =>
		hasId(record) ? transform(record, project?.id) : undefined;

const toUnreadPart = ({ id, name }: Project, reason: ActivepiecesError): UnreadPart => ({
	id,
	label: `The project ${nameAndId(name, id)}`,
	isProject: true,
	reason,
});

/** Reads all records of the projects that can be read. */
async function fetchReadable(
	{ client, projectOrder, ...context }: EventContext,
	projects: Project[],
	request: (project: string) => ApiRequest,
	{ read, onProjectRead, hasOtherLists, ...query }: ListQuery,
): Promise<Listing> {
	const unread: UnreadPart[] = [];
	const records = await fetchReadableProjects(client, projectOrder.sort(projects), {
		requestFor: ({ id }) => request(id),
		transform: transformIn(query),
		read: read && (async (own, collector, { id }) => await read(own, collector, id)),
		onProjectRead: ({ id }) => onProjectRead?.(id),
		onUnreadProject: (project, reason) => unread.push(toUnreadPart(project, reason)),
		keep,
		hasOtherLists,
		timeLimit: timeLimitOf(context),
	}).finally(() => projectOrder.giveUp(unread.map(({ id }) => id)));
	return { records, unread };
}

/** Reads as many records as the query wants, project by project. */
async function fetchSome(
	{ client }: EventContext,
	projects: Project[],
	request: ApiRequest,
	query: ListQuery,
): Promise<Listing> {
	const { limit, isFiltered } = query;
	const records = await fetchEachProject(client, projects, {
		request,
		pageSize: limits.defaultPageSize,
		limit,
		transform: transformIn(query),
		isFiltered,
	});
	return { records };
}

/**
 * Lists the records of one project, or of all that the credential may see, because the service returns
 * these lists only by project. Without a limit, a project that cannot be read does not stop the others.
 *
 * @param request makes the request for each project when it is read, because the time of the service may
 * be known only then
 * @throws {ActivepiecesError} for a service without the list of projects when none is chosen
 */
export async function fetchWatched(
	context: EventContext,
	project: string | undefined,
	request: (project?: string) => ApiRequest,
	query: ListQuery,
): Promise<Listing> {
	if (project !== undefined) {
		return { records: await fetchOneList(context, inWatchedProject(request(), project), query) };
	}
	const projects = await fetchProjects(context.client);
	if (projects === undefined) {
		throw new ActivepiecesError({
			message:
				'This Activepieces server cannot list its projects, so the trigger cannot watch all of them',
			description: 'Enter the ID of a project in Project.',
		});
	}
	const listing =
		query.limit === Infinity
			? await fetchReadable(context, projects, request, query)
			: await fetchSome(context, projects, request(), query);
	return { ...listing, listed: projects.map(({ id }) => id) };
}

/**
 * Reads a list without projects, in addition to those of projects. If it cannot be read for a reason of
 * its own, it is reported like a project that cannot be read.
 *
 * @param place represents the list among the projects
 */
export async function fetchAdditional(
	context: EventContext,
	place: Omit<UnreadPart, 'reason' | 'isProject'>,
	request: ApiRequest,
	query: ListQuery,
): Promise<Listing> {
	const collector = collectorOf(query);
	const unread: UnreadPart[] = [];
	await readWithin(
		timeLimitOf(context),
		collector,
		async () => await fetchList(context.client, request, limits.defaultPageSize, collector),
	).catch((error: unknown) => {
		if (!isOfOneProject(error, collector)) throw error;
		unread.push({ ...place, isProject: false, reason: error });
	});
	return { records: unread.length === 0 ? collector.records : [], listed: [place.id], unread };
}
