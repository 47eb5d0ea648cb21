/* eslint-disable @n8n/community-nodes/no-restricted-imports -- measures what a script of one's own would do, never runs inside n8n */
import http from 'node:http';
import https from 'node:https';

import axios from 'axios';

import type { Place } from '../service/messages';
import { type Bulk, BULK, type BulkKind } from './bulk';
import { type Contestant, PAGE_SIZE, type Task } from './contestant';

/** A client as a person would write it; each request on a new connection, as n8n does it. */
function client({ baseUrl, apiKey }: Place) {
	return async (method: Bulk['method'], url: string, params?: object, data?: object) =>
		await axios.request<{ data: unknown[]; next: string | null }>({
			method,
			baseURL: baseUrl,
			url,
			params,
			data,
			proxy: false,
			headers: { Authorization: `Bearer ${apiKey}` },
			httpAgent: new http.Agent({ keepAlive: false }),
			httpsAgent: new https.Agent({ keepAlive: false, rejectUnauthorized: false }),
		});
}

async function list({ place }: Task): Promise<number> {
	const send = client(place);
	const flows: unknown[] = [];
	let cursor: string | null | undefined;
	do {
		const { data } = await send('GET', '/v1/flows', {
			projectId: place.projectId,
			limit: PAGE_SIZE,
			cursor: cursor ?? undefined,
		});
		flows.push(...data.data);
		cursor = data.next;
	} while (cursor);
	return flows.length;
}

/** Ten requests at a time, until there are no more ids. */
async function pool(kind: BulkKind, { place, ids }: Task): Promise<number> {
	const { method, path, bodyOf } = BULK[kind];
	const send = client(place);
	const answers: unknown[] = [];
	let next = 0;
	const worker = async () => {
		while (next < ids.length) {
			const id = ids[next++];
			const url = path + encodeURIComponent(id);
			answers.push((await send(method, url, undefined, bodyOf?.(id))).data);
		}
	};
	await Promise.all(Array.from({ length: 10 }, worker));
	return answers.length;
}

export const rawAxios: Contestant = {
	title: 'raw axios',
	pageSize: PAGE_SIZE,
	async prepare() {
		return async (task) => await (task.kind === 'list' ? list(task) : pool(task.kind, task));
	},
};
