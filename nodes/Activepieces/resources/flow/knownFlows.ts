import type { IDataObject } from 'n8n-workflow';

import { identify, withKey, type KnownRecord } from '../../descriptions/knownRecords';
import type { ApiClient } from '../../transport/api/client';
import { inProject } from '../../transport/client/request';
import { textOf } from '../../transport/values';
import { flowLocator, isDeleting, labelOf, LIST_FLOWS } from './flow';
import { importMetadataOf } from './importMetadata';
import { mapReferences, referencesTo } from './references';

/* The flows of a project, by which the flow of a file is found, and what other flows call. */

/** What identifies a flow of a project. */
export interface KnownFlow extends KnownRecord {
	label: string;
	/** That of the server, by which steps of other flows find the flow */
	serverExternalId: string;
	/** Whether it was imported from a file */
	hasFile: boolean;
}

function known(flow: IDataObject): KnownFlow {
	const { file, externalId } = importMetadataOf(flow);
	return {
		...identify(flow, flowLocator),
		label: labelOf(flow),
		serverExternalId: textOf(flow.externalId),
		hasFile: file !== undefined || externalId !== undefined,
	};
}

export async function fetchProjectFlows(client: ApiClient, projectId: string) {
	const flows: KnownFlow[] = [];
	await client.fetchList(inProject(LIST_FLOWS, { id: projectId }), {
		// The list itself keeps no records, which contain all steps.
		convert(flow) {
			if (!isDeleting(flow)) flows.push(known(flow));
			return undefined;
		},
	});
	return flows;
}

/** The flows of a project, read once for all input items, with those that items created. */
export const fetchProjectFlowsOnce = async (client: ApiClient, projectId: string) =>
	await client.cached(
		`known flows of ${projectId}`,
		async () => await fetchProjectFlows(client, projectId),
	);

/** What the following items find: a flow that was imported, with the external ID that it has got from its file. */
export async function updateProjectFlow(client: ApiClient, flow: IDataObject): Promise<void> {
	const flows = await fetchProjectFlowsOnce(client, textOf(flow.projectId));
	const at = flows.findIndex(({ id }) => id === flow.id);
	flows.splice(at === -1 ? flows.length : at, 1, known(flow));
}

/**
 * Makes the steps of a file name the flows of the project: below 0.92 a flow has another external ID there than in its
 * file (recorded). Changes the given steps.
 *
 * @returns the external IDs of the flows that the project does not have
 */
export async function nameFlowsOfProject(
	client: ApiClient,
	projectId: string,
	trigger: IDataObject,
): Promise<string[]> {
	if (referencesTo('flow', trigger).length === 0) return [];
	const flows = await fetchProjectFlowsOnce(client, projectId);
	return mapReferences(
		'flow',
		trigger,
		(text) => withKey(flows, { mode: 'externalId', text }).at(0)?.serverExternalId,
	);
}

/** Makes the steps of a flow name other flows as their files do, for a third project. Changes the given steps. */
export async function nameFlowsOfFiles(client: ApiClient, projectId: string, trigger: IDataObject) {
	if (referencesTo('flow', trigger).length === 0) return;
	const flows = await fetchProjectFlowsOnce(client, projectId);
	mapReferences(
		'flow',
		trigger,
		(externalId) => flows.find((flow) => flow.serverExternalId === externalId)?.externalIds[0],
	);
}
