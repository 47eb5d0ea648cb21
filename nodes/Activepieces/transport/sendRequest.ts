import type { ApiClient } from './client';
import { createExpiringMap } from './expiringMap';
import { isStatus } from './httpStatus';
import { limits } from './limits';
import type { ApiRequest } from './request';
import type { ApiResponse } from './response';
import { sendToPath } from './send';

/** Of endpoints that a server does not have: `<base URL> <method> <path>`. */
const absent = createExpiringMap<true>(() => limits.serverKnowledgeTtlMs);

/**
 * Sends a request to an endpoint that only some servers have. One that does not have it is not asked
 * again for a while.
 *
 * @returns nothing when the server does not have it
 */
export async function requestIfPresent(
	client: ApiClient,
	request: ApiRequest,
): Promise<ApiResponse | undefined> {
	const key = `${client.baseUrl} ${request.method} ${request.path}`;
	if (absent.get(key)) return undefined;
	const response = await sendToPath(client, request);
	if (!response.isRouteMissing) return response;
	absent.set(key, true);
	return undefined;
}

/** `<base URL> <method> <contract path>` → the path that the server has, which is asked first. */
const preferredPaths = createExpiringMap<string>(() => limits.serverKnowledgeTtlMs);

/**
 * Sends a request to the place where the server has its endpoint. Only the framework's own 404 leads on
 * to the other place; a record that does not exist is the answer. Which one a server has is remembered
 * per Base URL for a while.
 */
export async function sendRequest(client: ApiClient, request: ApiRequest): Promise<ApiResponse> {
	const { movedTo: moved } = request;
	if (moved === undefined) return await sendToPath(client, request);

	const movedRequest: ApiRequest = {
		...request,
		path: moved.path,
		query: { ...request.query, ...moved.query },
	};
	const order = moved.isFirst ? [movedRequest, request] : [request, movedRequest];
	const key = `${client.baseUrl} ${request.method} ${request.path}`;
	const remembered = preferredPaths.get(key);
	if (remembered !== undefined) {
		order.sort((a, b) => Number(b.path === remembered) - Number(a.path === remembered));
	}

	const [first, second] = order;
	const response = await sendToPath(client, first);
	if (
		moved.isForOwnProject === true &&
		isStatus(response.status, 'forbidden') &&
		response.code === 'AUTHORIZATION' &&
		client.tokenProjectId() !== undefined
	) {
		// Not remembered: others of the server are not refused.
		return await sendToPath(client, second);
	}
	const isAbsent = first === movedRequest && isStatus(response.status, moved.absentStatus);
	if (!response.isRouteMissing && !isAbsent) return response;

	const fallback = await sendToPath(client, second);
	if (isAbsent && fallback.isRouteMissing) return response;
	if (second === movedRequest && isStatus(fallback.status, moved.absentStatus)) return response;
	if (fallback.isRouteMissing) preferredPaths.delete(key);
	else preferredPaths.set(key, second.path);
	return fallback;
}
