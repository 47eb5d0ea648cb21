import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { limits } from './limits';
import { type ApiResponse, isSuccess } from './response/response';
import { createExpiringMap } from './values/expiringMap';
import { isRecord } from './values/isRecord';

/** By Base URL, from the moment at which a server is asked: several input items may want to know at once. */
const flagsOfServers = createExpiringMap<Promise<IDataObject>>(() => limits.serverKnowledgeTtlMs);

/**
 * What a server tells of itself to whoever sends no credential; a wrong one gets 401, and 0.73 answers a
 * right one with 409 (recorded). Nothing when it does not tell.
 *
 * @param exchangePublic sends a request without the credential
 */
export async function fetchFlags(
	baseUrl: string,
	exchangePublic: (options: IHttpRequestOptions) => Promise<ApiResponse>,
): Promise<IDataObject> {
	const known = flagsOfServers.get(baseUrl);
	if (known !== undefined) return await known;
	const flags = exchangePublic({
		method: 'GET',
		url: '/v1/flags',
		json: true,
		headers: { Accept: 'application/json' },
	}).then(
		(response) => (isSuccess(response) && isRecord(response.body) ? response.body : {}),
		// Nobody has asked for them, so that nothing is said of it.
		() => ({}),
	);
	flagsOfServers.set(baseUrl, flags);
	// Asked again by the next one if it did not tell.
	void flags.then((told) => {
		if (Object.keys(told).length === 0) flagsOfServers.delete(baseUrl);
	});
	return await flags;
}

/** How long a server waits for the answer of a flow, in milliseconds; nothing where it does not tell. */
export function webhookTimeoutMs({ WEBHOOK_TIMEOUT_SECONDS: seconds }: IDataObject) {
	if (typeof seconds !== 'number' || !(seconds > 0)) return undefined;
	return Math.min(seconds, limits.maxRunTimeoutSeconds) * 1000;
}

/**
 * Whether a server says that it is the Community edition, which has no API keys and refuses one as any
 * other wrong key (recorded).
 */
export const isCommunity = ({ EDITION: edition }: IDataObject): boolean => edition === 'ce';
