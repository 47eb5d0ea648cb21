import type { IDataObject } from 'n8n-workflow';

import type { RecordSource } from '../../descriptions/output';
import type { ApiClient } from '../../transport/client/client';
import { afterTwoReads, type IsFinal } from '../../transport/client/run';
import { isListRefused } from '../../transport/errors/error';
import { fetchProjectsOnce } from '../../transport/lists/projects';
import { toId } from '../../transport/values';

export const projectNameOf = ({ projectId }: IDataObject, source: RecordSource | undefined) =>
	source?.projectNames.get(toId(projectId) ?? '') ?? null;

/**
 * The names of the projects by ID, as far as the key may see them; empty if it may not list them. They
 * are read once for all input items of a run, with one request for a thousand projects. A list that fails
 * is read once more.
 */
export async function fetchProjectNames(client: ApiClient): Promise<ReadonlyMap<string, string>> {
	const isFinal: IsFinal = (...failure) => isListRefused(failure[0]) || afterTwoReads(...failure);
	await fetchProjectsOnce(client, isFinal).catch((error: unknown) => {
		if (!isListRefused(error)) throw error;
	});
	return client.projectNames;
}

/** Adds the names that were not known when the records were simplified. Names that cannot be read stay null. */
export async function fillProjectNames(client: ApiClient, records: IDataObject[]): Promise<void> {
	const unnamed = records.filter(
		({ projectId, projectName }) => projectName === null && projectId !== null,
	);
	if (unnamed.length === 0) return;
	await fetchProjectNames(client).catch(() => undefined);
	for (const record of unnamed) record.projectName = projectNameOf(record, client);
}
