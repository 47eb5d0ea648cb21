import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client/client';
import { RunEndedError } from '../../transport/errors/error';
import { fetchList } from '../../transport/lists/pages';
import { inProject } from '../../transport/lists/projects';
import { capitalize, shortName, someOf } from '../../transport/text';
import { recordOf, textOf } from '../../transport/values';
import { labelOf, stepsOf } from '../flow/flow';
import { LIST_CONNECTIONS } from './connection';
import { referencesIn, textsIn } from './flowsUsing';

export function hintAtMissing(
	context: OperationContext,
	flow: IDataObject,
	missing: string[] = [],
) {
	if (missing.length === 0) return;
	context.showHint(
		`${capitalize(labelOf(flow))} needs connections that its project does not have: ${someOf(missing.map(shortName))}. Its runs fail until you create connections with these external IDs, or choose others in its steps`,
	);
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

/** The external IDs of the connections of a project; undefined when they cannot be read, which stops no operation. */
async function fetchExternalIds(client: ApiClient, projectId: string) {
	// Includes the connections of the platform that the project may use (recorded).
	const request = inProject(LIST_CONNECTIONS, { id: projectId });
	const externalIds = new Set<string>();
	const take = ({ externalId }: IDataObject) => void externalIds.add(textOf(externalId));
	return await fetchList(client, request, { take }).then(
		() => externalIds,
		(error: unknown) => {
			if (error instanceof RunEndedError) throw error;
			return undefined;
		},
	);
}

/**
 * The connections of a flow that a project lacks, by their external ID, by which flows find them
 * (recorded). The connections of the project are read once for all input items.
 *
 * @returns undefined when they cannot be read
 */
export async function fetchMissingConnections(
	client: ApiClient,
	projectId: string,
	trigger: IDataObject,
): Promise<string[] | undefined> {
	const externalIds = connectionsInUse(trigger);
	if (externalIds.length === 0) return [];
	const there = await client.once(
		`connections of ${projectId}`,
		async () => await fetchExternalIds(client, projectId),
	);
	return there && externalIds.filter((externalId) => !there.has(externalId));
}
