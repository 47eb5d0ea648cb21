import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { isStatus, isSuccess, type ApiResponse, type AttemptResult } from '../http/response';
import { limits } from '../limits';
import { isRecord } from '../values';
import type { ApiRequest, OtherPath } from './request';

/* What is known of a server beyond a run: its edition, and where it has an endpoint. */

/** What requests have shown of a server. */
export interface Server {
	/** When it is forgotten, in milliseconds since 1970: an upgrade is noticed soon after */
	until: number;
	/** What it tells clients without a credential, stored when the request starts, because several items may ask at once */
	flags?: Promise<IDataObject>;
	/** Where it has endpoints that some servers have elsewhere, by the method and path of the contract */
	paths: Map<string, string>;
	/** Endpoints that it lacks, in the same form */
	absent: Set<string>;
}

const servers = new Map<string, Server>();

export function serverOf(baseUrl: string): Server {
	const now = Date.now();
	for (const [url, { until }] of servers) if (until <= now) servers.delete(url);
	let server = servers.get(baseUrl);
	if (server === undefined) {
		server = { until: now + limits.serverKnowledgeTtlMs, paths: new Map(), absent: new Set() };
		servers.set(baseUrl, server);
	}
	return server;
}

/** What sends the requests, to the server at its Base URL. */
interface Requester {
	readonly baseUrl: string;
	request(request: ApiRequest): Promise<ApiResponse>;
}

/**
 * Sends a request to the path where the server has its endpoint. Only the framework's own 404 leads to the other
 * path; a missing record is a final response. The right path is remembered per Base URL for some time.
 */
export async function requestAtEitherPath(
	client: Requester,
	request: ApiRequest,
	other: OtherPath,
): Promise<ApiResponse> {
	const { paths } = serverOf(client.baseUrl);
	const endpoint = { ...request.endpoint, otherPath: undefined };
	const key = `${endpoint.method} ${endpoint.path}`;
	const here: ApiRequest = { ...request, endpoint };
	const there: ApiRequest = {
		...request,
		endpoint: { ...endpoint, path: other.path },
		query: { ...request.query, ...other.query },
	};
	const isOtherFirst = paths.has(key) ? paths.get(key) === other.path : other.isTriedFirst;
	const [first, second] = isOtherFirst ? [there, here] : [here, there];
	const response = await client.request(first);
	if (!response.isRouteMissing) return response;
	const fallback = await client.request(second);
	// A server without the other path reads its last segment as an ID (recorded).
	if (isStatus(fallback.status, 'badRequest')) return response;
	if (fallback.isRouteMissing) paths.delete(key);
	else paths.set(key, second.endpoint.path);
	return fallback;
}

export const GET_FLAGS: IHttpRequestOptions = {
	method: 'GET',
	url: '/v1/flags',
	headers: { Accept: 'application/json' },
};

/**
 * What a server tells every client about itself. A wrong credential gets 401, and 0.73 responds to a
 * right one with 409 (recorded). Empty when the request fails; the next caller then asks again.
 */
export async function flagsOf(
	baseUrl: string,
	fetchFlags: () => Promise<AttemptResult>,
	isFresh: boolean,
): Promise<IDataObject> {
	const server = serverOf(baseUrl);
	if (isFresh) server.flags = undefined;
	server.flags ??= fetchFlags().then((result) => {
		const response = 'response' in result ? result.response : undefined;
		if (response !== undefined && isSuccess(response) && isRecord(response.body)) {
			return response.body;
		}
		server.flags = undefined;
		return {};
	});
	return await server.flags;
}

/** How long a server waits for the response of a flow, in milliseconds; undefined when it does not say so. */
export function webhookTimeoutMs({ WEBHOOK_TIMEOUT_SECONDS: seconds }: IDataObject) {
	if (typeof seconds !== 'number' || !(seconds > 0)) return undefined;
	return Math.min(seconds, limits.maxRunTimeoutSeconds) * 1000;
}
