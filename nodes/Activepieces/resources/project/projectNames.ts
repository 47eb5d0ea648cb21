import type { IDataObject } from 'n8n-workflow';

import type { RecordSource } from '../../descriptions/output';
import type { ApiClient } from '../../transport/client/client';
import { fetchProjectsOnce } from '../../transport/lists/projects';
import { toId } from '../../transport/id';

export const projectNameOf = ({ projectId }: IDataObject, source: RecordSource | undefined) =>
	source?.projectNames.get(toId(projectId) ?? '') ?? null;

/**
 * Fills `client.projectNames`, as far as the key may list the projects. They are read once for all input items of
 * a run, with one request for a thousand projects, also if that fails: otherwise each item would wait for a list
 * that does not arrive.
 */
export async function loadProjectNames(client: ApiClient): Promise<void> {
	await client.once('project names', async () => {
		await fetchProjectsOnce(client).catch(() => undefined);
	});
}

/** Adds the names that were not known when the records were simplified. Names that cannot be read stay null. */
export async function fillProjectNames(client: ApiClient, records: IDataObject[]): Promise<void> {
	const unnamed = records.filter(
		({ projectId, projectName }) => projectName === null && projectId !== null,
	);
	if (unnamed.length === 0) return;
	await loadProjectNames(client);
	for (const record of unnamed) record.projectName = projectNameOf(record, client);
}
