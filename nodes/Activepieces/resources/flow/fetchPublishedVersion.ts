import type { IDataObject } from 'n8n-workflow';

import type { RequestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/error';
import { requestRecord } from '../../transport/send';
import { isRecord, textOf } from '../../transport/values';
import { GET_FLOW, isLatestPublished, labelOf } from './flow';

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
	const flow = await requestRecord(client, { ...GET_FLOW, ...target, query });
	// A server or proxy that ignores the query returns the draft.
	if (isRecord(flow.version) && flow.version.id === query.versionId) return flow;
	throw new ActivepiecesError({
		message: `The server did not return the published version of ${labelOf(latest)}`,
		description:
			'It returned another version. Check the proxy in front of Activepieces: it may remove the query from requests, or return stored responses.',
	});
}
