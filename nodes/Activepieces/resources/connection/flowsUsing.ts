import type { IDataObject } from 'n8n-workflow';

import { createReadOnce } from '../../execution/readOnce';
import type { ApiClient } from '../../transport/client';
import { limits } from '../../transport/limits';
import { inProject } from '../../transport/paging/projects';
import type { ApiRequest } from '../../transport/request/request';
import { isRecord } from '../../transport/values/isRecord';
import { nameAndId } from '../../transport/values/plainText';
import { textOf } from '../../transport/values/textOf';
import { flowName } from '../flow/locator';
import { LIST_FLOWS } from '../flow/requests';
import { fetchRecords } from '../project/fetchByProject';
import type { FoundConnection } from './fetchConnection';
import { connectionReferences } from './references';

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

const readOnce = createReadOnce<FlowsByConnection>();

/**
 * The labels of the enabled flows that need a connection. Those of a project are read once for all input
 * items.
 */
export async function fetchFlowsUsing(
	client: ApiClient,
	{ externalId, projectId }: FoundConnection,
): Promise<string[]> {
	const flows = await readOnce(
		client,
		projectId,
		async () => await fetchFlowsByConnection(client, projectId),
	);
	return flows.get(externalId) ?? [];
}
