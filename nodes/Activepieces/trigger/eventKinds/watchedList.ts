import type { IDataObject } from 'n8n-workflow';

import { getOptionalId } from '../../descriptions/locator';
import { GET_FLOW } from '../../resources/flow/requests';
import { fetchRecords } from '../../resources/project/fetchByProject';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { limits } from '../../transport/limits';
import {
	fetchEachProject,
	inTime,
	isOfOneProject,
	type Patience,
	type RecordList,
} from '../../transport/paging/fetchEachProject';
import { fetchList } from '../../transport/paging/lists';
import { inProject, fetchProjects, type Project } from '../../transport/paging/projects';
import {
	createRecordCollector,
	type RecordCollector,
} from '../../transport/paging/recordCollector';
import { requestRecord } from '../../transport/record';
import type { ApiRequest } from '../../transport/request';
import { textOf } from '../../transport/textOf';
import { type EventContext, type ProjectTurns, READ_LESS, type UnreadProject } from '../event';
import { flowToWatch, projectToWatch } from '../fields';

/** The id of the project that is watched; nothing when all are. */
export const chosenProject = (context: EventContext): string | undefined =>
	getOptionalId(context, projectToWatch);

/** The flow that is watched, as it is now; nothing when all are. */
export async function chosenFlow(context: EventContext): Promise<IDataObject | undefined> {
	const id = getOptionalId(context, flowToWatch);
	if (id === undefined) return undefined;
	const { noun, displayName: field } = flowToWatch;
	return await requestRecord(context.client, { ...GET_FLOW, id, subject: { noun, field } });
}

/** The request for the records of the one project that is watched. */
export function inChosenProject(request: ApiRequest, id: string): ApiRequest {
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
	unread?: UnreadProject[];
	/** Parts of lists that were read otherwise */
	incomplete?: UnreadProject[];
}

const toRecordList = (
	request: ApiRequest,
	{ transform, limit, isFiltered, isBeside, read }: ListQuery,
): RecordList => ({
	request,
	pageSize: limits.defaultPageSize,
	limit,
	// Without an ID nothing tells one record from another.
	transform: (record, project) =>
		textOf(record.id) === '' ? undefined : transform(record, project?.id),
	// Most of what is new may be dropped again (`oldestOutputs.ts`).
	keep: () => {},
	isFiltered,
	isBeside,
	read:
		read &&
		(async (own, collector, project) => {
			await read(own, collector, project?.id);
		}),
	ifTooMany: 'Select a project or a flow in the trigger, if it has these fields.',
});

/** Reads a list in which projects play no part. */
export async function fetchAll(
	{ client }: EventContext,
	request: ApiRequest,
	query: ListQuery,
): Promise<IDataObject[]> {
	return await fetchRecords(client, toRecordList(request, query));
}

/** Counts like a server that does not answer, which is mostly why. */
const tooLong = () =>
	new ActivepiecesError(
		{
			message: `The list was not read within ${Math.ceil(limits.triggerProjectsMs / 60_000)} minutes`,
			description: READ_LESS,
		},
		{ connectionError: 'timeout' },
	);

const patienceOf = ({ patience }: EventContext): Patience => ({
	signal: patience,
	reason: tooLong,
});

/** Projects in the order in which they are read, so that many that do not answer keep none from its turn. */
function inTurn(projects: Project[], { givenUp }: ProjectTurns): Project[] {
	const places = new Map(givenUp.map((id, index) => [id, givenUp.length - index]));
	const placeOf = ({ id }: Project) => places.get(id) ?? 0;
	return [...projects].sort((a, b) => placeOf(a) - placeOf(b));
}

/**
 * Lists the records of one project, or of all that the credential may see, side by side: the service gives
 * these lists only project by project. One that cannot be read does not keep the others from being read.
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
		return { records: await fetchAll(context, inChosenProject(request(), project), query) };
	}
	const projects = await fetchProjects(context.client);
	if (projects === undefined) {
		throw new ActivepiecesError({
			message: 'This Activepieces server has no list of projects, so not all can be watched',
			description: 'Enter the ID of a project in Project.',
		});
	}
	const listed = projects.map(({ id }) => id);
	const unread: UnreadProject[] = [];
	const records = await fetchEachProject(context.client, inTurn(projects, context.turns), {
		...toRecordList(request(), query),
		requestFor: ({ id }) => request(id),
		onProjectRead: ({ id }) => query.onProjectRead?.(id),
		onUnreadProject: ({ id, name }, reason) => unread.push({ id, name, reason }),
		patience: patienceOf(context),
	}).finally(() => {
		context.turns.givenUp = unread.map(({ id }) => id);
	});
	return { records, listed, unread };
}

/**
 * Reads a list of no project beside those of projects. When it cannot be read for a reason of its own, it is named
 * like a project that cannot be read.
 *
 * @param place what stands for it among the projects
 */
export async function fetchBeside(
	context: EventContext,
	place: Omit<UnreadProject, 'reason'>,
	request: ApiRequest,
	query: ListQuery,
): Promise<Listing> {
	const { pageSize, transform, keep, ifTooMany } = toRecordList(request, query);
	const collector = { ...createRecordCollector(query.limit, transform), keep, ifTooMany };
	const unread: UnreadProject[] = [];
	await inTime(
		patienceOf(context),
		collector,
		async () => await fetchList(context.client, request, pageSize, collector),
	).catch((error: unknown) => {
		if (!isOfOneProject(error, collector)) throw error;
		unread.push({ ...place, reason: error });
	});
	return { records: unread.length === 0 ? collector.records : [], listed: [place.id], unread };
}
