import type { IDataObject } from 'n8n-workflow';

import { getOptionalId } from '../../descriptions/locator';
import { GET_FLOW } from '../../resources/flow/requests';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { limits } from '../../transport/limits';
import { fetchEachProject } from '../../transport/paging/fetchEachProject';
import {
	fetchReadableProjects,
	inTime,
	isOfOneProject,
	type Patience,
} from '../../transport/paging/fetchReadableProjects';
import { fetchList } from '../../transport/paging/lists';
import { inProject, fetchProjects, type Project } from '../../transport/paging/projects';
import {
	createRecordCollector,
	type RecordCollector,
} from '../../transport/paging/recordCollector';
import { requestRecord } from '../../transport/request/record';
import type { ApiRequest } from '../../transport/request/request';
import { nameAndId } from '../../transport/values/plainText';
import { textOf } from '../../transport/values/textOf';
import type { EventContext, UnreadPart } from '../event';
import { tookTooLong } from '../failure';
import { flowToWatch, projectToWatch } from '../fields';

/** The id of the project that is watched; nothing when all are. */
export const watchedProjectId = (context: EventContext): string | undefined =>
	getOptionalId(context, projectToWatch);

/** The flow that is watched, as it is now; nothing when all are. */
export async function watchedFlow(context: EventContext): Promise<IDataObject | undefined> {
	const id = getOptionalId(context, flowToWatch);
	if (id === undefined) return undefined;
	const { noun, displayName: field } = flowToWatch;
	return await requestRecord(context.client, { ...GET_FLOW, id, subject: { noun, field } });
}

/** The request for the records of the one project that is watched. */
export function inWatchedProject(request: ApiRequest, id: string): ApiRequest {
	const own = inProject(request, { id });
	return { ...own, subject: { ...own.subject, field: projectToWatch.displayName } };
}

/** The part of a list that is wanted, and in which form. */
export interface ListQuery {
	/**
	 * Makes of a record what is kept of it; nothing where it is left out.
	 *
	 * @param project its ID, where all projects are watched
	 */
	transform: (record: IDataObject, project?: string) => IDataObject | undefined;
	limit: number;
	/** Called for each project that was read to its end, where all projects are watched */
	onProjectRead?: (project: string) => void;
	/** Whether `transform` leaves out records, which matters for a limit only */
	isFiltered?: boolean;
	/** Whether other lists are read beside it, so that it may be that no project can be read */
	isBeside?: boolean;
	/**
	 * Reads a list into a collector, which may be of any length then; of a list without a limit.
	 *
	 * @param project its ID, where all projects are watched
	 */
	read?: (request: ApiRequest, collector: RecordCollector, project?: string) => Promise<void>;
}

/** The part of a list that was read. */
export interface Listing {
	records: IDataObject[];
	/** IDs of the projects that were listed for it, where all are watched */
	listed?: string[];
	/** Projects among them that could not be read */
	unread?: UnreadPart[];
	/** Parts of lists that were read otherwise */
	incomplete?: UnreadPart[];
}

/** Without an ID nothing tells one record from another. */
const hasId = ({ id }: IDataObject): boolean => textOf(id) !== '';

/** Most of what is new may be dropped again (`oldestOutputs.ts`), so that the run does not count it. */
const keep = (): void => {};

const collectorOf = ({ limit, transform, isFiltered }: ListQuery): RecordCollector => ({
	...createRecordCollector(limit, (record) => (hasId(record) ? transform(record) : undefined)),
	isFiltered,
	keep,
});

/** Reads a list in which projects play no part. */
export async function fetchAll(
	{ client }: EventContext,
	request: ApiRequest,
	query: ListQuery,
): Promise<IDataObject[]> {
	const collector = collectorOf(query);
	if (query.read !== undefined && query.limit === Infinity) await query.read(request, collector);
	else await fetchList(client, request, limits.defaultPageSize, collector);
	return collector.records;
}

const patienceOf = ({ patience }: Pick<EventContext, 'patience'>): Patience => ({
	signal: patience,
	reason: () => tookTooLong('The list was not read', limits.triggerProjectsMs),
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

/** All records of those projects that can be read. */
async function fetchReadable(
	{ client, turns, ...context }: EventContext,
	projects: Project[],
	request: (project: string) => ApiRequest,
	{ read, onProjectRead, isBeside, ...query }: ListQuery,
): Promise<Listing> {
	const unread: UnreadPart[] = [];
	const records = await fetchReadableProjects(client, turns.inTurn(projects), {
		requestFor: ({ id }) => request(id),
		transform: transformIn(query),
		read: read && (async (own, collector, { id }) => await read(own, collector, id)),
		onProjectRead: ({ id }) => onProjectRead?.(id),
		onUnreadProject: (project, reason) => unread.push(toUnreadPart(project, reason)),
		keep,
		isBeside,
		patience: patienceOf(context),
	}).finally(() => turns.giveUp(unread.map(({ id }) => id)));
	return { records, unread };
}

/** So many records as a query wants, of the projects in their order. */
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
 * Lists the records of one project, or of all that the credential may see: the service gives these lists only project
 * by project. Without a limit, one that cannot be read does not keep the others from being read.
 *
 * @param request is made for each project when it is read: the time of the service may be known only then
 * @throws {ActivepiecesError} on a service without the list of projects when none is chosen
 */
export async function fetchWatched(
	context: EventContext,
	project: string | undefined,
	request: (project?: string) => ApiRequest,
	query: ListQuery,
): Promise<Listing> {
	if (project !== undefined) {
		return { records: await fetchAll(context, inWatchedProject(request(), project), query) };
	}
	const projects = await fetchProjects(context.client);
	if (projects === undefined) {
		throw new ActivepiecesError({
			message: 'This Activepieces server has no list of projects, so not all can be watched',
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
 * Reads a list of no project beside those of projects. When it cannot be read for a reason of its own, it is named
 * like a project that cannot be read.
 *
 * @param place what stands for it among the projects
 */
export async function fetchBeside(
	context: EventContext,
	place: Omit<UnreadPart, 'reason' | 'isProject'>,
	request: ApiRequest,
	query: ListQuery,
): Promise<Listing> {
	const collector = collectorOf(query);
	const unread: UnreadPart[] = [];
	await inTime(
		patienceOf(context),
		collector,
		async () => await fetchList(context.client, request, limits.defaultPageSize, collector),
	).catch((error: unknown) => {
		if (!isOfOneProject(error, collector)) throw error;
		unread.push({ ...place, isProject: false, reason: error });
	});
	return { records: unread.length === 0 ? collector.records : [], listed: [place.id], unread };
}
