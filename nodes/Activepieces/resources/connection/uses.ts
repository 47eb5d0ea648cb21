import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import { limits } from '../../transport/limits';
import { inProject } from '../../transport/projects';
import type { ApiRequest } from '../../transport/request';
import { nameAndId } from '../../transport/text';
import { isRecord, textOf } from '../../transport/values';
import { flowName, LIST_FLOWS } from '../flow/flow';
import { fetchRecords } from '../project/names';
import type { FoundConnection } from './fetchConnection';

/** `connections['crm']` and `connections.crm` in an expression of a step */
export const REFERENCE = /\bconnections(?:\.([\w-]+)|\[\s*["']([^"'\]]+)["'])/g;

/** All texts in a JSON value. Not recursive, because each step of a flow is nested in the one before. */
export function textsIn(value: unknown): string[] {
	const texts: string[] = [];
	const open: unknown[] = [value];
	while (open.length > 0) {
		const each = open.pop();
		if (typeof each === 'string') texts.push(each);
		else if (typeof each === 'object' && each !== null) {
			// Pushes one by one, because arguments use the stack.
			for (const inner of Object.values(each)) open.push(inner);
		}
	}
	return texts;
}

/**
 * The external IDs of the connections that a version of a flow needs. Its `connectionIds` are those in
 * the connection field of its steps. A step may use a connection in any other field as well (read in the
 * service's source: `extractConnectionIdsFromAuth`).
 */
function connectionReferences({ connectionIds, trigger }: IDataObject): Set<string> {
	const references = new Set(Array.isArray(connectionIds) ? connectionIds.map(textOf) : []);
	for (const text of textsIn(trigger)) {
		if (!text.includes('{{')) continue;
		for (const [, name, quoted] of text.matchAll(REFERENCE)) references.add(name ?? quoted);
	}
	return references;
}

/**
 * Lists the versions that run. The service's own flow count of a connection, and its filter of flows by
 * connection, use the latest version of each flow instead (read in its source), which may be a draft.
 */
const LIST_RUNNING_FLOWS: ApiRequest = {
	...LIST_FLOWS,
	query: { status: ['ENABLED'], versionState: 'LOCKED' },
};

/** Labels of flows for messages, keyed by the external ID of a connection that they use. */
type FlowsByConnection = Map<string, string[]>;

async function fetchFlowsByConnection(
	client: ApiClient,
	projectId: string,
): Promise<FlowsByConnection> {
	const flows: FlowsByConnection = new Map();
	await fetchRecords(client, {
		request: inProject(LIST_RUNNING_FLOWS, { id: projectId }),
		pageSize: limits.defaultPageSize,
		limit: Infinity,
		// The list itself keeps no records.
		transform(flow: IDataObject) {
			const version = isRecord(flow.version) ? flow.version : {};
			const label = nameAndId(flowName(flow), textOf(flow.id));
			for (const externalId of connectionReferences(version)) {
				const labels = flows.get(externalId) ?? [];
				labels.push(label);
				flows.set(externalId, labels);
			}
			return undefined;
		},
	});
	return flows;
}

/**
 * The labels of the enabled flows that need a connection. Those of a project are read once for all input
 * items.
 */
export async function fetchFlowsUsing(
	client: ApiClient,
	{ externalId, projectId }: FoundConnection,
): Promise<string[]> {
	const flows = await client.readOnce(
		`flows by connection of ${projectId}`,
		async () => await fetchFlowsByConnection(client, projectId),
	);
	return flows.get(externalId) ?? [];
}
