/* eslint-disable @n8n/community-nodes/no-restricted-imports -- measures what a script of one's own would do, never runs inside n8n */
import http from 'node:http';

import axios from 'axios';

import type { Remote } from './remote';

/** A client as a user would write it; each request on a new connection, as n8n does it. */
export function rawClient({ baseUrl, apiKey }: Remote) {
	return async (method: 'GET' | 'DELETE', url: string, params?: object) =>
		await axios.request<{ data: unknown[]; next: string | null }>({
			method,
			baseURL: baseUrl,
			url,
			params,
			proxy: false,
			headers: { Authorization: `Bearer ${apiKey}` },
			httpAgent: new http.Agent({ keepAlive: false }),
		});
}

/** Pages through the flows of one project. */
export async function rawFlows(remote: Remote, projectId: string, limit: number): Promise<number> {
	const send = rawClient(remote);
	const flows: unknown[] = [];
	let cursor: string | null | undefined;
	do {
		const { data } = await send('GET', '/v1/flows', {
			projectId,
			limit,
			cursor: cursor ?? undefined,
		});
		flows.push(...data.data);
		cursor = data.next;
	} while (cursor);
	return flows.length;
}

/** Deletes with ten requests at a time. */
export async function rawDeletes(remote: Remote, ids: string[]): Promise<number> {
	const send = rawClient(remote);
	let next = 0;
	const worker = async () => {
		while (next < ids.length)
			await send('DELETE', `/v1/user-invitations/${encodeURIComponent(ids[next++])}`);
	};
	await Promise.all(Array.from({ length: 10 }, worker));
	return ids.length;
}
