import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../client';
import { sizeOf } from '../values/sizeOf';
import { textOf } from '../values/textOf';
import { projectFetcher, readInParallel, type RecordList } from './fetchEachProject';
import { pageFetcher } from './lists';
import { inProject, type Project } from './projects';
import { createRecordCollector, type RecordCollector } from './recordCollector';

/** What is kept of a record until all projects are read. */
interface Dated extends IDataObject {
	/** ISO time in UTC, which sorts as text */
	created: string;
	/** Index of its project, for records with the same time */
	projectIndex: number;
	record: IDataObject;
}

function byNewest(a: Dated, b: Dated): number {
	if (a.created !== b.created) return a.created < b.created ? 1 : -1;
	return a.projectIndex - b.projectIndex;
}

/**
 * The newest records of all projects together, newest first. Any project may have the newest ones, so each is
 * asked for as many as are wanted. Once there are that many, the others are asked only for records that are
 * not older. For lists that the service sorts newest first and that have a filter `createdAfter`.
 */
export async function fetchNewest(
	client: ApiClient,
	projects: Project[],
	list: RecordList,
): Promise<IDataObject[]> {
	const { limit } = list;
	const fetchProject = projectFetcher(client, projects, list);
	// The maximum applies to records that were seen. With a limit, no project returns more than that.
	const seen = limit === Infinity ? new Set<unknown>() : undefined;
	const collectors = projects.map((project, projectIndex): RecordCollector => {
		const collector = createRecordCollector(limit, (row) => {
			const record = list.transform(row, project);
			const dated: Dated | undefined = record && {
				created: textOf(row.created),
				projectIndex,
				record,
			};
			return dated;
		});
		return { ...collector, seen: seen ?? collector.seen, isFiltered: list.isFiltered };
	});
	const newest: Dated[] = [];

	await readInParallel(collectors, async (index) => {
		const collector = collectors[index];
		const oldest = newest.length < limit ? undefined : newest[limit - 1].created;
		const query = { ...list.request.query, ...(oldest && { createdAfter: oldest }) };
		const request = inProject({ ...list.request, query }, projects[index], projects.length);
		await fetchProject(index, collector, pageFetcher(client, request));
		for (const dated of collector.records as Dated[]) newest.push(dated);
		collector.records = [];
		if (limit === Infinity) return;
		for (const dropped of newest.sort(byNewest).splice(limit)) {
			client.runState.keep(-sizeOf(dropped));
		}
	});
	return newest.sort(byNewest).map(({ record }) => record);
}
