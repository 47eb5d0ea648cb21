import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import { isListRefused } from '../../transport/errors/errorScope';
import { isRecord } from '../../transport/isRecord';
import { limits } from '../../transport/limits';
import { fetchList } from '../../transport/paging/lists';
import { inProject } from '../../transport/paging/projects';
import { createRecordCollector } from '../../transport/paging/recordCollector';
import { textOf } from '../../transport/textOf';
import { LIST_CONNECTIONS } from '../connection/requests';
import { stepsOf } from './steps';

/** `{{ … }}`, and what stands in it for a connection: `connections['x']`, or `connections.x` in old flows. */
const EXPRESSION = /\{\{([^{}]*)\}\}/g;
const REFERENCE = /\bconnections(?:\[(?:'([^']+)'|"([^"]+)")\]|\.([\w-]+))/g;

/** All texts in a value. */
function textsIn(value: unknown): string[] {
	const texts: string[] = [];
	const open: unknown[] = [value];
	while (open.length > 0) {
		const each = open.pop();
		if (typeof each === 'string') texts.push(each);
		else if (typeof each === 'object' && each !== null) {
			for (const inner of Object.values(each)) open.push(inner);
		}
	}
	return texts;
}

/** The external IDs of the connections that a flow refers to, in the order of the alphabet. */
export function connectionsInUse(trigger: IDataObject): string[] {
	const names = new Set<string>();
	for (const { settings } of stepsOf(trigger)) {
		// Code is run as it is: nothing is filled in there.
		const filledIn = { ...(isRecord(settings) ? settings : {}), sourceCode: null };
		for (const text of textsIn(filledIn)) {
			for (const [, expression] of text.matchAll(EXPRESSION)) {
				for (const [, single, double, old] of expression.matchAll(REFERENCE)) {
					names.add(single ?? double ?? old);
				}
			}
		}
	}
	return [...names].sort();
}

/** The external IDs of the connections of a project; nothing where they may not be listed. */
type ProjectConnections = Promise<Set<string> | undefined>;

/** By what all items with one credential share in a run of the node: gone with the run. */
const connectionsOfProjects = new WeakMap<object, Map<string, ProjectConnections>>();

async function fetchExternalIds(client: ApiClient, projectId: string): ProjectConnections {
	// With those of the platform that the project may use (recorded).
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
 * The connections of a list that a project lacks, by their external ID: flows look for them there (recorded).
 * Its connections are read once for all input items.
 *
 * @returns nothing where they may not be listed
 */
export async function missingConnections(
	client: ApiClient,
	projectId: string,
	externalIds: string[],
): Promise<string[] | undefined> {
	if (externalIds.length === 0) return [];
	const known =
		connectionsOfProjects.get(client.projectNames) ?? new Map<string, ProjectConnections>();
	connectionsOfProjects.set(client.projectNames, known);
	const reading = known.get(projectId) ?? fetchExternalIds(client, projectId);
	known.set(projectId, reading);
	const there = await reading.catch((error: unknown) => {
		known.delete(projectId);
		throw error;
	});
	return there && externalIds.filter((externalId) => !there.has(externalId));
}
