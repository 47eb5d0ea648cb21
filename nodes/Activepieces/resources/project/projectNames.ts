import type { IDataObject } from 'n8n-workflow';

import { getOptionalId, type Locator } from '../../descriptions/locator';
import type { OutputMode, RecordSource } from '../../descriptions/output';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client';
import { isListRefused } from '../../transport/errors/activepiecesError';
import { fetchProjects } from '../../transport/paging/projects';
import { toId } from '../../transport/values/toId';

/** The name of a record's project; null if it is not known. */
export const projectNameOf = (
	{ projectId }: IDataObject,
	source: RecordSource | undefined,
): string | null => source?.projectNames.byId.get(toId(projectId) ?? '') ?? null;

async function fetchNames(client: ApiClient): Promise<void> {
	const { projectNames } = client;
	const reading = fetchProjects(client).then(
		() => undefined,
		(error: unknown) => {
			if (!isListRefused(error)) throw error;
		},
	);
	projectNames.reading = reading;
	await reading.catch((error: unknown) => {
		projectNames.reading = undefined;
		throw error;
	});
}

/**
 * The names of the projects by ID, as far as the key may see them; empty if it may not list them. They
 * are read once for all input items of a run, with one request for a thousand projects.
 */
export async function fetchProjectNames(client: ApiClient): Promise<ReadonlyMap<string, string>> {
	await (client.projectNames.reading ?? fetchNames(client));
	return client.projectNames.byId;
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

/**
 * Reads the names before a list of one project. A list of all projects has them from the projects that
 * it reads.
 */
export async function fetchNamesForList(
	context: OperationContext,
	locator: Locator,
	output: OutputMode,
): Promise<void> {
	if (!output.has('projectName') || getOptionalId(context, locator) === undefined) return;
	await fetchProjectNames(context.client);
}
