import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from './client';
import { untilAborted } from './exchange';
import { ActivepiecesError, commonReason, isAboutServer } from './error';
import { isServerError } from './httpStatus';
import { limits } from './limits';
import { fetchList, readInParallel } from './lists';
import { countRecords, createRecordCollector, type RecordCollector } from './pages';
import { inProject, type Project, unlessDeleted } from './projects';
import type { ApiRequest } from './request';

/** How long the projects of a list are read. */
export interface TimeLimit {
	/** Aborts when no project is awaited any more */
	signal: AbortSignal;
	/** The error for projects that are not read */
	reason(): ActivepiecesError;
}

/** All records of those projects that can be read. */
interface ReadableList {
	/** Makes the request for a project when it is sent, because the time of the service may be known only then */
	requestFor: (project: Project) => ApiRequest;
	/** Converts a record; undefined leaves it out */
	transform: (record: IDataObject, project: Project) => IDataObject | undefined;
	/** Reads the list of a project into a collector, if it is not read page by page */
	read?: (request: ApiRequest, collector: RecordCollector, project: Project) => Promise<void>;
	/** Called for a project that was read completely */
	onProjectRead?: (project: Project) => void;
	/** Called for each project that cannot be read, in the order in which reading them failed */
	onUnreadProject: (project: Project, reason: ActivepiecesError) => void;
	/** Counts the bytes that are kept; by default the run counts them */
	keep?: (bytes: number) => void;
	/** Whether other lists are read too, so it is no error if no project can be read */
	hasOtherLists?: boolean;
	/** How long projects are awaited; by default without a limit */
	timeLimit?: TimeLimit;
}

/**
 * Whether an error may concern one project only, as far as a single error shows it. Otherwise no project
 * is read. Responses of a proxy count too, because the URL contains the ID of the project. Many such
 * errors in a row show no more: ten projects in the same database or behind the same proxy may fail
 * together.
 *
 * @param collector of all projects, which shows whether there are too many records
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

/** Reads one list within the time limit. */
export async function readWithin(
	timeLimit: TimeLimit | undefined,
	collector: RecordCollector,
	read: () => Promise<void>,
): Promise<void> {
	if (timeLimit === undefined) {
		await read();
		return;
	}
	const { signal, reason } = timeLimit;
	if (signal.aborted) throw reason();
	await untilAborted(read(), signal, () => {}).catch((error: unknown) => {
		if (!signal.aborted || error instanceof ActivepiecesError) throw error;
		collector.aborted = true;
		throw reason();
	});
}

function createCollectors(projects: Project[], list: ReadableList): RecordCollector[] {
	// Shared by all projects, so that a record that moves to another project is returned once.
	const seen = new Set<unknown>();
	return projects.map((project) => ({
		...createRecordCollector(Infinity, (record) => list.transform(record, project)),
		...(list.read === undefined ? { seen } : {}),
		keep: list.keep,
	}));
}

/**
 * The records of several projects, in the order of the projects. A project that cannot be read does not
 * stop the others.
 *
 * @throws {ActivepiecesError} when the reason applies to all projects; the first reason when no project
 * can be read, unless other lists are read too
 */
export async function fetchReadableProjects(
	client: ApiClient,
	projects: Project[],
	list: ReadableList,
): Promise<IDataObject[]> {
	const { timeLimit, onProjectRead, onUnreadProject, hasOtherLists = false } = list;
	const fetchPages: NonNullable<ReadableList['read']> = async (request, collector) =>
		await fetchList(client, request, limits.defaultPageSize, collector);
	const { read = fetchPages } = list;
	const collectors = createCollectors(projects, list);
	const unread: Array<{ project: Project; reason: ActivepiecesError }> = [];
	await readInParallel(collectors, async (index) => {
		const [project, collector] = [projects[index], collectors[index]];
		const request = inProject(list.requestFor(project), project, projects.length);
		const readOne = async () => await read(request, collector, project);
		await readWithin(
			timeLimit,
			collector,
			async () => await unlessDeleted(client, project, readOne),
		)
			.then(() => onProjectRead?.(project))
			.catch((error: unknown) => {
				if (!isOfOneProject(error, collector)) throw error;
				unread.push({ project, reason: error });
				collector.records = [];
			});
	});
	for (const { project, reason } of unread) onUnreadProject(project, reason);
	if (unread.length > 0 && unread.length === projects.length && !hasOtherLists) {
		throw commonReason(unread.map(({ reason }) => reason));
	}
	return collectors.flatMap(({ records }) => records);
}
