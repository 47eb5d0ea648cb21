import type { IDataObject } from 'n8n-workflow';

import { getOptionalId, type Locator } from '../../descriptions/locator';
import type { OutputMode, RecordSource } from '../../descriptions/output';
import type { OperationContext } from '../../execution/item';
import type { ApiClient } from '../../transport/client';
import { ActivepiecesError, isListRefused } from '../../transport/error';
import { fetchList } from '../../transport/lists';
import { createRecordCollector } from '../../transport/pages';
import {
	fetchEachProject,
	fetchNewest,
	fetchProjects,
	inProject,
	type RecordList,
} from '../../transport/projects';
import { shortName, someOf } from '../../transport/text';
import { toId } from '../../transport/values';

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

/** Reads one list, of a project or without one. */
export async function fetchRecords(
	client: ApiClient,
	{ request, pageSize, limit, transform, isFiltered }: RecordList,
): Promise<IDataObject[]> {
	const collector = { ...createRecordCollector(limit, transform), isFiltered };
	await fetchList(client, request, pageSize, collector);
	return collector.records;
}

/**
 * The records of the project that the item names; without one, those of all projects that the key may
 * see. A service without the list of projects receives one request without a project.
 *
 * @throws {ValidationError} when the project's field does not contain an ID
 */
export async function fetchByProject(
	context: OperationContext,
	locator: Locator,
	list: RecordList,
): Promise<IDataObject[]> {
	const { client } = context;
	const id = getOptionalId(context, locator);
	if (id !== undefined) {
		const request = inProject(list.request, { id });
		const subject = { ...request.subject, field: locator.displayName };
		return await fetchRecords(client, { ...list, request: { ...request, subject } });
	}
	const projects = await fetchProjects(client);
	if (projects === undefined) return await fetchRecords(client, list);
	return await (list.isNewestFirst ? fetchNewest : fetchEachProject)(client, projects, list);
}

/**
 * The ID of the only project that the credential may see, for a field that was left empty.
 *
 * @param field display name of the field
 * @throws {ActivepiecesError} when there is none, or more than one
 */
export async function fetchOnlyProject(client: ApiClient, field: string): Promise<string> {
	// Read once for all input items. If reading the names fails, the list below reports why.
	const names = await fetchProjectNames(client);
	const projects =
		names.size > 0 ? [...names].map(([id, name]) => ({ id, name })) : await fetchProjects(client);
	if (projects === undefined) {
		throw new ActivepiecesError({
			message: 'This Activepieces server cannot list its projects, so you must enter a project ID',
			description: `Enter the ID of a project in ${field}.`,
		});
	}
	if (projects.length === 1) return projects[0].id;
	if (projects.length === 0) {
		throw new ActivepiecesError({
			message: 'The credential does not have access to any project',
			description: `Choose another credential, or enter the ID of a project in ${field}.`,
		});
	}
	const { named, others } = someOf(projects.map(({ name }) => `"${shortName(name)}"`));
	throw new ActivepiecesError({
		message: `${field} is empty, and there are ${projects.length} projects`,
		description: `Choose one in ${field}: ${named.join(', ')}${others > 0 ? ` or one of ${others} more` : ''}. Nothing was changed.`,
	});
}
