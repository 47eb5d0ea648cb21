import type { IDataObject } from 'n8n-workflow';

import { choices, optionsField } from '../../descriptions/fields';
import { type RequestTarget, requestTarget } from '../../descriptions/locator';
import { getOption } from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client/client';
import { requestRecord } from '../../transport/client/record';
import { textOf } from '../../transport/values';
import { errorOf } from '../refusals';
import {
	fetchFlow,
	flowLocator,
	GET_FLOW,
	isLatestPublished,
	labelOf,
	versionOf,
	wasPublished,
} from './flow';

/**
 * Fetches a flow with its published version.
 *
 * @param latest the flow with its latest version; it was published at some time
 * @throws {ActivepiecesError} when the server returns another version
 */
export async function fetchPublishedVersion(
	client: ApiClient,
	target: RequestTarget,
	latest: IDataObject,
): Promise<IDataObject> {
	if (isLatestPublished(latest)) return latest;
	const query = { versionId: textOf(latest.publishedVersionId) };
	const flow = await requestRecord(client, { endpoint: GET_FLOW, ...target, query });
	// A server or proxy that ignores the query returns the draft.
	if (versionOf(flow).id === query.versionId) return flow;
	throw errorOf(
		`The server did not return the published version of ${labelOf(latest)}`,
		'It returned another version. Check the proxy in front of Activepieces: it may remove the query from requests, or return stored responses.',
	);
}

export const versionField = optionsField('Version', 'version', {
	options: choices(
		['Latest', 'latest', 'The version shown in the Activepieces editor'],
		['Published', 'published', 'The version that runs while the flow is enabled'],
	),
	default: 'latest',
	description: 'Which version of the flow to return',
});

/**
 * Fetches the flow of an item with the version that the item asks for, and with its latest one.
 *
 * @throws {ActivepiecesError} when the item asks for the published version and there is none
 */
export async function fetchChosenVersion(context: OperationContext) {
	const { client } = context;
	const version = getOption(context, versionField);
	const target = requestTarget(context, flowLocator);
	const latest = await fetchFlow(client, target);
	if (version === 'latest') return { flow: latest, latest };
	if (wasPublished(latest)) {
		return { flow: await fetchPublishedVersion(client, target, latest), latest };
	}
	throw errorOf(
		`${labelOf(latest)} has never been published`,
		'Set Version to Latest, or publish the flow.',
	);
}
