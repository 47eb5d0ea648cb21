import type { IHttpRequestOptions } from 'n8n-workflow';

import { createExpiringMap } from './expiringMap';
import { isRecord } from './isRecord';
import { limits } from './limits';
import { type ApiResponse, isServiceRefusal, isSuccess } from './response';

/** By Base URL, from the moment at which a server is asked: several input items may want to know at once. */
const communities = createExpiringMap<Promise<boolean>>(() => limits.serverKnowledgeTtlMs);

/** Whether the service itself refused the credential. */
export const isCredentialRefused = (response: ApiResponse): boolean =>
	response.status === 401 && isServiceRefusal(response);

/**
 * Whether a server says that it is the Community edition, which has no API keys and refuses one as any
 * other wrong key (recorded). It tells its edition to whoever sends no credential; a wrong one gets 401, and
 * 0.73 answers a right one with 409 (recorded).
 *
 * @param exchangePublic sends a request without the credential
 */
export async function isCommunityServer(
	baseUrl: string,
	exchangePublic: (options: IHttpRequestOptions) => Promise<ApiResponse>,
): Promise<boolean> {
	const known = communities.get(baseUrl);
	if (known !== undefined) return await known;
	const isCommunity = exchangePublic({
		method: 'GET',
		url: '/v1/flags',
		json: true,
		headers: { Accept: 'application/json' },
	}).then(
		(response) => isSuccess(response) && isRecord(response.body) && response.body.EDITION === 'ce',
		// The message of the refusal itself is good enough.
		() => false,
	);
	communities.set(baseUrl, isCommunity);
	return await isCommunity;
}
