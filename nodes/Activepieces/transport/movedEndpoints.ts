import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from './client';
import { createExpiringMap } from './expiringMap';
import { limits } from './limits';
import type { ApiRequest } from './request';
import type { ApiResponse } from './response';
import { sendRequest } from './send';

interface MovedEndpoint {
	/** Where other releases or editions have it */
	path: string;
	query?: IDataObject;
	/** Whether that place is asked first: the contract's may still answer, but to another question */
	isFirst?: boolean;
	/** What servers answer there that do not have it: they take the end of the path for an id (recorded) */
	absentStatus?: number;
	/** Whether it is asked, too, when a session for one project is refused: that of a user who is no admin */
	isForOwnProject?: boolean;
}

/** The endpoints that are not in the same place everywhere (read in the service's source, and recorded). */
const MOVED: Record<string, MovedEndpoint> = {
	// Since 0.80.
	'GET /v1/queue-metrics': { path: '/v1/worker-machines/queue-metrics' },
	// Since 0.74. Until 0.76 the contract's path gives the public catalogue, an empty page or a 500.
	'GET /v1/flow-templates': { path: '/v1/templates', query: { type: 'CUSTOM' }, isFirst: true },
	// Since 0.74.
	'DELETE /v1/flow-templates/{id}': { path: '/v1/templates/{id}' },
	// Community edition up to 0.76, and on 0.73 of every edition for users who are no admins.
	'GET /v1/projects': { path: '/v1/users/projects', absentStatus: 400, isForOwnProject: true },
};

/** Of endpoints that a server does not have: `<base URL> <method> <path>`. */
const absent = createExpiringMap<true>(() => limits.movedEndpointTtlMs);

/**
 * Sends a request to an endpoint that only some servers have. One that does not have it is not asked
 * again for a while.
 *
 * @returns nothing when the server does not have it
 */
export async function sendIfPresent(
	client: ApiClient,
	request: ApiRequest,
): Promise<ApiResponse | undefined> {
	const key = `${client.baseUrl} ${request.method} ${request.path}`;
	if (absent.get(key)) return undefined;
	const response = await sendRequest(client, request);
	if (!response.isRouteMissing) return response;
	absent.set(key, true);
	return undefined;
}

/** `<base URL> <method> <contract path>` → the path that the server has, which is asked first. */
const preferredPaths = createExpiringMap<string>(() => limits.movedEndpointTtlMs);

/**
 * Sends a request to the place where the server has the endpoint. Only the framework's own 404 leads on
 * to the other place; a record that does not exist is the answer. Which one a server has is remembered
 * per Base URL for a while.
 */
export async function sendWithFallback(
	client: ApiClient,
	request: ApiRequest,
): Promise<ApiResponse> {
	const endpoint = `${request.method} ${request.path}`;
	const moved = MOVED[endpoint];
	if (moved === undefined) return await sendRequest(client, request);

	const movedRequest: ApiRequest = {
		...request,
		path: moved.path,
		query: { ...request.query, ...moved.query },
	};
	const order = moved.isFirst ? [movedRequest, request] : [request, movedRequest];
	const key = `${client.baseUrl} ${endpoint}`;
	const remembered = preferredPaths.get(key);
	if (remembered !== undefined) {
		order.sort((a, b) => Number(b.path === remembered) - Number(a.path === remembered));
	}

	const [first, second] = order;
	const response = await sendRequest(client, first);
	if (
		moved.isForOwnProject === true &&
		response.status === 403 &&
		response.code === 'AUTHORIZATION' &&
		client.tokenProjectId() !== undefined
	) {
		// Not remembered: others of the server are not refused.
		return await sendRequest(client, second);
	}
	const isAbsent = first === movedRequest && response.status === moved.absentStatus;
	if (!response.isRouteMissing && !isAbsent) return response;

	const fallback = await sendRequest(client, second);
	if (isAbsent && fallback.isRouteMissing) return response;
	if (second === movedRequest && fallback.status === moved.absentStatus) return response;
	if (fallback.isRouteMissing) preferredPaths.delete(key);
	else preferredPaths.set(key, second.path);
	return fallback;
}
