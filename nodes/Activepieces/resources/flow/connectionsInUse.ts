import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import { isListRefused } from '../../transport/error';
import { limits } from '../../transport/limits';
import { fetchList } from '../../transport/lists';
import { inProject } from '../../transport/projects';
import { createRecordCollector } from '../../transport/pages';
import { isRecord, textOf } from '../../transport/values';
import { REFERENCE, textsIn } from '../connection/uses';
import { LIST_CONNECTIONS } from '../connection/connection';
import { stepsOf } from './flow';

const EXPRESSION = /\{\{([^{}]*)\}\}/g;

/** The external IDs of the connections that a flow refers to, sorted. */
export function connectionsInUse(trigger: IDataObject): string[] {
	const names = new Set<string>();
	for (const { settings } of stepsOf(trigger)) {
		// Code is excluded, because it runs as written: the service does not evaluate expressions in it.
		const filledIn = { ...(isRecord(settings) ? settings : {}), sourceCode: null };
		for (const text of textsIn(filledIn)) {
			for (const [, expression] of text.matchAll(EXPRESSION)) {
				for (const [, name, quoted] of expression.matchAll(REFERENCE)) {
					names.add(name ?? quoted);
				}
			}
		}
	}
	return [...names].sort();
}

/** The external IDs of the connections of a project; undefined when they cannot be listed. */
type ProjectConnections = Set<string> | undefined;

async function fetchExternalIds(client: ApiClient, projectId: string): Promise<ProjectConnections> {
	// Includes the connections of the platform that the project may use (recorded).
	const request = inProject(LIST_CONNECTIONS, { id: projectId });
	const collector = createRecordCollector(Infinity, ({ externalId }) => ({ externalId }));
	return await fetchList(client, request, limits.defaultPageSize, collector).then(
		() => new Set(collector.records.map(({ externalId }) => textOf(externalId))),
		(error: unknown) => {
			if (!isListRefused(error)) throw error;
			return undefined;
		},
	);
}

/**
 * Picks the connections that a project lacks, by their external ID, by which flows find them (recorded).
 * The connections of the project are read once for all input items.
 *
 * @returns undefined when they cannot be listed
 */
export async function fetchMissingConnections(
	client: ApiClient,
	projectId: string,
	externalIds: string[],
): Promise<string[] | undefined> {
	if (externalIds.length === 0) return [];
	const there = await client.readOnce(
		`connections of ${projectId}`,
		async () => await fetchExternalIds(client, projectId),
	);
	return there && externalIds.filter((externalId) => !there.has(externalId));
}
