import type { IDataObject } from 'n8n-workflow';

import type { RequestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import { requestRecord } from '../../transport/record';
import { textOf } from '../../transport/textOf';
import { isLatestPublished } from './flowState';
import { GET_FLOW } from './requests';

/**
 * Gets a flow with its published version.
 *
 * @param latest the flow with its latest version, which was published once
 */
export async function fetchPublishedVersion(
	client: ApiClient,
	target: RequestTarget,
	latest: IDataObject,
): Promise<IDataObject> {
	if (isLatestPublished(latest)) return latest;
	const query = { versionId: textOf(latest.publishedVersionId) };
	return await requestRecord(client, { ...GET_FLOW, ...target, query });
}
