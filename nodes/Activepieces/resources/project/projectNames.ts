import type { IDataObject } from 'n8n-workflow';

import type { RecordSource } from '../../descriptions/output';
import type { ApiClient } from '../../transport/client/client';
import { fetchProjectsOnce } from '../../transport/lists/projects';
import { toId } from '../../transport/id';

export const projectNameOf = ({ projectId }: IDataObject, source: RecordSource | undefined) =>
	source?.projectNames.get(toId(projectId) ?? '') ?? null;

/**
 * The names of the projects by ID, as far as the key may see them; empty if it cannot list them. They are read
 * once for all input items of a run, with one request for a thousand projects, also if that fails: otherwise
 * each item would wait for a list that does not arrive.
 */
export async function fetchProjectNames(client: ApiClient): Promise<ReadonlyMap<string, string>> {
	await client.once('project names', async () => {
		await fetchProjectsOnce(client).catch(() => undefined);
	});
	return client.projectNames;
}

/** Adds the names that were not known when the records were simplified. Names that cannot be read stay null. */
export async function fillProjectNames(client: ApiClient, records: IDataObject[]): Promise<void> {
	const unnamed = records.filter(
		({ projectId, projectName }) => projectName === null && projectId !== null,
	);
	if (unnamed.length === 0) return;
	await fetchProjectNames(client);
	for (const record of unnamed) record.projectName = projectNameOf(record, client);
}
