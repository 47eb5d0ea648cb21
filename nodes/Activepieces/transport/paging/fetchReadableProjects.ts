import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../client';
import { untilAborted } from '../connection/deadline';
import { ActivepiecesError, commonReason, isAboutServer } from '../errors/activepiecesError';
import { limits } from '../limits';
import type { ApiRequest } from '../request/request';
import { isServerError } from '../response/httpStatus';
import { readSideBySide } from './fetchEachProject';
import { fetchList } from './lists';
import { inProject, type Project, unlessDeleted } from './projects';
import { countRecords, createRecordCollector, type RecordCollector } from './recordCollector';

/** For how long the projects of a list are read. */
export interface Patience {
	/** Aborts when no project is waited for any more */
	signal: AbortSignal;
	/** Why the others are not read */
	reason(): ActivepiecesError;
}

/** All records of those projects that can be read. */
export interface ReadableList {
	/** What is asked of a project: made when it is sent, since the time of the service may be known only then */
	requestFor: (project: Project) => ApiRequest;
	/** Makes of a record what is kept of it; nothing where it is left out */
	transform: (record: IDataObject, project: Project) => IDataObject | undefined;
	/** Reads the list of a project into a collector, where it is not read page by page */
	read?: (request: ApiRequest, collector: RecordCollector, project: Project) => Promise<void>;
	/** Called for a project that was read to its end */
	onProjectRead?: (project: Project) => void;
	/** Called for each project that cannot be read, in the order in which they were given up */
	onUnreadProject: (project: Project, reason: ActivepiecesError) => void;
	/** Counts the bytes that are kept; by default the run does */
	keep?: (bytes: number) => void;
	/** Whether other lists are read beside it, so that it may be that no project can be read */
	isBeside?: boolean;
	/** How long projects are waited for; by default as long as they take */
	patience?: Patience;
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

/** Reads one list, but for no longer than there is patience. */
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

function createCollectors(projects: Project[], list: ReadableList): RecordCollector[] {
	// One set for all, so that a record moved to another project meanwhile is given once.
	const seen = new Set<unknown>();
	return projects.map((project) => ({
		...createRecordCollector(Infinity, (record) => list.transform(record, project)),
		...(list.read === undefined ? { seen } : {}),
		keep: list.keep,
	}));
}

/**
 * The records of these projects, in the order of the projects. One that cannot be read does not keep the others from
 * being read.
 *
 * @throws {ActivepiecesError} when the reason holds for all of them, and the first reason when no project can be read,
 * unless the list is one of several
 */
export async function fetchReadableProjects(
	client: ApiClient,
	projects: Project[],
	list: ReadableList,
): Promise<IDataObject[]> {
	const { patience, onProjectRead, onUnreadProject, isBeside = false } = list;
	const fetchPages: NonNullable<ReadableList['read']> = async (request, collector) =>
		await fetchList(client, request, limits.defaultPageSize, collector);
	const { read = fetchPages } = list;
	const collectors = createCollectors(projects, list);
	const unread: Array<{ project: Project; reason: ActivepiecesError }> = [];
	await readSideBySide(collectors, async (index) => {
		const [project, collector] = [projects[index], collectors[index]];
		const request = inProject(list.requestFor(project), project, projects.length);
		const readOne = async () => await read(request, collector, project);
		await inTime(patience, collector, async () => await unlessDeleted(client, project, readOne))
			.then(() => onProjectRead?.(project))
			.catch((error: unknown) => {
				if (!isOfOneProject(error, collector)) throw error;
				unread.push({ project, reason: error });
				collector.records = [];
			});
	});
	for (const { project, reason } of unread) onUnreadProject(project, reason);
	if (unread.length > 0 && unread.length === projects.length && !isBeside) {
		throw commonReason(unread.map(({ reason }) => reason));
	}
	return collectors.flatMap(({ records }) => records);
}
