import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/api/client';
import { inProject, type ApiRequest } from '../../transport/client/request';
import { ActivepiecesError } from '../../transport/errors/error';
import { capitalize, nameAndId, shortName, someOf, unended } from '../../transport/texts';
import { recordOf, textOf } from '../../transport/values';
import { flowName, hintAtFlow, LIST_FLOWS, stepsOf, versionOf } from '../flow/flow';
import { LIST_CONNECTIONS } from './connection';

/** `connections.crm`, but not `trigger.body.connections.crm`, which is a field in the output of a step */
const BY_NAME = /(?<!\.)\bconnections\.([\w-]+)/g;

/** The start of `connections['crm']`. Blanks may follow. */
const BY_TEXT = /(?<!\.)\bconnections\[/;

type Rename = (externalId: string) => string;

/**
 * Renames the external IDs in an expression: `connections['crm']`, `connections['crm','shop']` and
 * `connections.crm`. The service puts an external ID between the quotes as it is, whatever it contains
 * (read in its source), so it ends at the quote before the bracket.
 */
function renameReferences(text: string, rename: Rename): string {
	const byName = (outside: string) =>
		outside.replace(BY_NAME, (found, externalId: string) => {
			const renamed = rename(externalId);
			return renamed === externalId ? found : `connections['${renamed}']`;
		});
	const [start, ...rest] = text.split(BY_TEXT);
	const parts = rest.map((whole) => {
		const part = whole.trimStart();
		const [quote] = part;
		const isQuoted = quote === '"' || quote === "'";
		const end = isQuoted ? part.search(quote === '"' ? /" *\]/ : /' *\]/) : 0;
		if (end <= 0) return `connections[${byName(whole)}`;
		const between = `${quote},${quote}`;
		const renamed = part.slice(1, end).split(between).map(rename).join(between);
		return `connections[${quote}${renamed}${byName(part.slice(end))}`;
	});
	return byName(start) + parts.join('');
}

function referencesIn(text: string): string[] {
	const externalIds: string[] = [];
	renameReferences(text, (externalId) => {
		externalIds.push(externalId);
		return externalId;
	});
	return externalIds;
}

/** All texts in a JSON value. Not recursive, because each step of a flow is nested in the one before. */
function textsIn(value: unknown): string[] {
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
	await client.fetchList(inProject(LIST_RUNNING_FLOWS, { id: projectId }), {
		// The list itself keeps no records.
		convert(flow) {
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
	const flows = await client.cached(
		`flows by connection of ${projectId}`,
		async () => await fetchFlowsByConnection(client, projectId),
	);
	return flows.get(externalId) ?? [];
}

export function hintAtMissingConnections(
	context: OperationContext,
	flow: IDataObject,
	missing: string[] = [],
) {
	if (missing.length === 0) return;
	const key = `missing connections of ${textOf(flow.projectId)}`;
	hintAtFlow(context, key, { flow, names: missing }, (labels, names) => {
		const [first, ...others] = labels;
		const list = someOf(names.map(shortName));
		return others.length === 0
			? `${capitalize(first)} needs connections that its project does not have: ${list}. Its runs fail until you create connections with these external IDs, or choose others in its steps`
			: `${labels.length} flows need connections that their project does not have: ${list}. Their runs fail until you create connections with these external IDs, or choose others in their steps`;
	});
}

const EXPRESSION = /\{\{([^{}]*)\}\}/g;

/** The external IDs of the connections that a flow refers to, sorted: only those of which the node is sure. */
function connectionsInUse(trigger: IDataObject): string[] {
	// Code is excluded, because it runs as written: the service does not evaluate expressions in it.
	const texts = stepsOf(trigger).flatMap((step) =>
		textsIn({ ...recordOf(step.settings), sourceCode: null }),
	);
	const expressions = texts.flatMap((text) =>
		[...text.matchAll(EXPRESSION)].map(([, each]) => each),
	);
	return [...new Set(expressions.flatMap(referencesIn))].sort();
}

/** Renames connections wherever the steps of a flow refer to them, except in code. Changes the given steps. */
export function renameConnections(trigger: IDataObject, names: ReadonlyMap<string, string>): void {
	const rename: Rename = (externalId) => names.get(externalId) ?? externalId;
	// Not recursive, because each step of a flow is nested in the one before.
	const open: unknown[] = stepsOf(trigger).map(({ settings }) => settings);
	const code = new Set(open.map((settings) => recordOf(settings).sourceCode));
	for (const holder of open) {
		if (typeof holder !== 'object' || holder === null || code.has(holder)) continue;
		for (const [key, value] of Object.entries(holder)) {
			if (typeof value !== 'string') open.push(value);
			else {
				const renamed = value.replace(EXPRESSION, (found) => renameReferences(found, rename));
				if (renamed !== value) Object.assign(holder, { [key]: renamed });
			}
		}
	}
}

/** Says that a check which stops no operation could not be made. */
export const hintAtUnchecked = (
	{ showHint }: OperationContext,
	what: 'connections' | 'pieces' | 'tables',
	{ displayName }: IDataObject,
	{ message }: ActivepiecesError,
) =>
	showHint(
		`The ${what} of the flow "${shortName(textOf(displayName))}" could not be checked: ${unended(message)}`,
		`unchecked ${what}`,
	);

/**
 * The IDs of the records of a project by their external IDs, read once for all input items, or why they cannot be read.
 */
export async function fetchExternalIds(
	client: ApiClient,
	projectId: string,
	{ list, what }: { list: ApiRequest; what: string },
): Promise<Map<string, string> | ActivepiecesError> {
	const request = inProject(list, { id: projectId });
	return await client.cached(`${what} of ${projectId}`, async () => {
		const ids = new Map<string, string>();
		const convert = ({ externalId, id }: IDataObject) =>
			void ids.set(textOf(externalId), textOf(id));
		return await client.fetchList(request, { convert }).then(
			() => ids,
			(error: unknown) => {
				if (error instanceof ActivepiecesError) return error;
				throw error;
			},
		);
	});
}

/**
 * The connections of a version of a flow that a project lacks, by which flows find them (recorded).
 *
 * @returns undefined when they cannot be read, which a hint says
 */
export async function fetchMissingConnections(
	context: OperationContext,
	projectId: string,
	version: IDataObject,
) {
	const externalIds = connectionsInUse(recordOf(version.trigger));
	if (externalIds.length === 0) return [];
	// Includes the connections of the platform that the project may use (recorded).
	const kind = { list: LIST_CONNECTIONS, what: 'connections' } as const;
	const there = await fetchExternalIds(context.client, projectId, kind);
	if (there instanceof Map) return externalIds.filter((externalId) => !there.has(externalId));
	hintAtUnchecked(context, kind.what, version, there);
	return undefined;
}
