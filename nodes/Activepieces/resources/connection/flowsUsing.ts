import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client/client';
import { fetchList } from '../../transport/lists/pages';
import { inProject } from '../../transport/lists/projects';
import type { ApiRequest } from '../../transport/client/request';
import { nameAndId } from '../../transport/text';
import { textOf } from '../../transport/values';
import { flowName, LIST_FLOWS, versionOf } from '../flow/flow';

/** `connections.crm` */
const BY_NAME = /\bconnections\.([\w-]+)/g;

/** The start of `connections['crm']`. Blanks may follow. */
const BY_TEXT = /\bconnections\[/;

/**
 * The external IDs in an expression: `connections['crm']`, `connections['crm','shop']` and
 * `connections.crm`. The service puts an external ID between the quotes as it is, whatever it contains
 * (read in its source), so it ends at the quote before the bracket.
 */
export function referencesIn(text: string): string[] {
	const names = [...text.matchAll(BY_NAME)].map(([, name]) => name);
	for (const rest of text.split(BY_TEXT).slice(1)) {
		const part = rest.trimStart();
		const [quote] = part;
		if (quote !== '"' && quote !== "'") continue;
		const end = part.search(quote === '"' ? /" *\]/ : /' *\]/);
		if (end > 0) names.push(...part.slice(1, end).split(`${quote},${quote}`));
	}
	return names;
}

/** All texts in a JSON value. Not recursive, because each step of a flow is nested in the one before. */
export function textsIn(value: unknown): string[] {
	const texts: string[] = [];
	const open = [value];
	for (const each of open) {
		if (typeof each === 'string') texts.push(each);
		// One by one, because arguments use the stack.
		else for (const inner of Object.values(each ?? {})) open.push(inner);
	}
	return texts;
}

/**
 * The external IDs of the connections that a version of a flow needs. Its `connectionIds` are those in
 * the connection field of its steps. A step may use a connection in any other field as well (read in the
 * service's source: `extractConnectionIdsFromAuth`). In doubt it names too many, because a connection that a flow
 * needs must not be deleted.
 */
function connectionReferences({ connectionIds, trigger }: IDataObject): Set<string> {
	const texts = textsIn(trigger).filter((text) => text.includes('{{'));
	const inFields = Array.isArray(connectionIds) ? connectionIds.map(textOf) : [];
	return new Set([...inFields, ...texts.flatMap(referencesIn)]);
}

/**
 * Lists the versions that run. The service's own flow count of a connection, and its filter of flows by
 * connection, use the latest version of each flow instead (read in its source), which may be a draft.
 */
const LIST_RUNNING_FLOWS: ApiRequest = {
	...LIST_FLOWS,
	query: { status: ['ENABLED'], versionState: 'LOCKED' },
};

async function fetchFlowsByConnection(client: ApiClient, projectId: string) {
	const flows = new Map<string, string[]>();
	await fetchList(client, inProject(LIST_RUNNING_FLOWS, { id: projectId }), {
		// The list itself keeps no records.
		take(flow) {
			const label = nameAndId(flowName(flow), textOf(flow.id));
			for (const externalId of connectionReferences(versionOf(flow))) {
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
	{ externalId, projectId }: { externalId: string; projectId: string },
): Promise<string[]> {
	const flows = await client.once(
		`flows by connection of ${projectId}`,
		async () => await fetchFlowsByConnection(client, projectId),
	);
	return flows.get(externalId) ?? [];
}
