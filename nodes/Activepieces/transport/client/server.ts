import type { IDataObject } from 'n8n-workflow';

import { type AttemptResult, isSuccess } from '../http/response';
import { limits } from '../limits';
import { isRecord } from '../values';

/** What requests have shown of a server. */
interface Server {
	/** When it is forgotten, in milliseconds since 1970: an upgrade is noticed soon after */
	until: number;
	/** What it tells clients without a credential, stored when the request starts, because several items may ask at once */
	flags?: Promise<IDataObject>;
	/** Whether it refuses the statuses of runs that only newer releases know */
	refusesNewStatuses?: boolean;
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
