import type { IDataObject } from 'n8n-workflow';

import { limits } from './limits';

/** What requests have shown of a server. */
interface Server {
	/** When it is forgotten, in milliseconds since 1970: an upgrade is noticed soon after */
	until: number;
	/** What it tells clients without a credential, stored when the request starts, because several items may ask at once */
	flags?: Promise<IDataObject>;
	/** Whether it refuses the statuses of runs that only newer releases know */
	refusesNewStatuses?: boolean;
	/** Where it has endpoints, by the method and path of the contract; undefined for an endpoint that it lacks */
	paths: Map<string, string | undefined>;
}

const servers = new Map<string, Server>();

/** What is known of the server of a Base URL. */
export function serverOf(baseUrl: string): Server {
	const now = Date.now();
	for (const [url, { until }] of servers) if (until <= now) servers.delete(url);
	let server = servers.get(baseUrl);
	if (server === undefined) {
		server = { until: now + limits.serverKnowledgeTtlMs, paths: new Map() };
		servers.set(baseUrl, server);
	}
	return server;
}

/** How long a server waits for the response of a flow, in milliseconds; undefined when it does not say so. */
export function webhookTimeoutMs({ WEBHOOK_TIMEOUT_SECONDS: seconds }: IDataObject) {
	if (typeof seconds !== 'number' || !(seconds > 0)) return undefined;
	return Math.min(seconds, limits.maxRunTimeoutSeconds) * 1000;
}
