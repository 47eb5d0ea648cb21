import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { limits } from './limits';
import { type ApiResponse, isSuccess } from './response';
import { createExpiringMap } from './expiringMap';
import { isRecord } from './values';

/** Keyed by Base URL, stored when the request starts, because several input items may ask at once. */
const flagsOfServers = createExpiringMap<Promise<IDataObject>>(() => limits.serverKnowledgeTtlMs);

/**
 * What a server tells clients without a credential about itself. A wrong credential gets 401, and 0.73
 * responds to a right one with 409 (recorded). Empty when the request fails.
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
		// Nobody asked for the flags, so a failure is not reported.
		() => ({}),
	);
	flagsOfServers.set(baseUrl, flags);
	// The next caller asks again if this request failed.
	void flags.then((result) => {
		if (Object.keys(result).length === 0) flagsOfServers.delete(baseUrl);
	});
	return await flags;
}

/** How long a server waits for the response of a flow, in milliseconds; undefined when it does not say so. */
export function webhookTimeoutMs({ WEBHOOK_TIMEOUT_SECONDS: seconds }: IDataObject) {
	if (typeof seconds !== 'number' || !(seconds > 0)) return undefined;
	return Math.min(seconds, limits.maxRunTimeoutSeconds) * 1000;
}

/**
 * Whether a server is of the Community edition, which has no API keys and refuses each like a wrong one
 * (recorded).
 */
export const isCommunity = ({ EDITION: edition }: IDataObject): boolean => edition === 'ce';
