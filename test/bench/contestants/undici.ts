import { Agent, request } from 'undici';

import { type Contestant, PAGE_SIZE, type Task } from './contestant';

/** With undici's own defaults, so it keeps its connection from page to page. */
async function list({ place }: Task): Promise<number> {
	const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
	const flows: unknown[] = [];
	let cursor: string | null = null;
	do {
		const url = new URL(`${place.baseUrl}/v1/flows`);
		url.searchParams.set('projectId', place.projectId);
		url.searchParams.set('limit', String(PAGE_SIZE));
		if (cursor !== null) url.searchParams.set('cursor', cursor);
		const { body } = await request(url, {
			dispatcher,
			headers: { authorization: `Bearer ${place.apiKey}` },
		});
		const page = (await body.json()) as { data: unknown[]; next: string | null };
		flows.push(...page.data);
		cursor = page.next;
	} while (cursor !== null);
	await dispatcher.close();
	return flows.length;
}

export const rawUndici: Contestant = {
	title: 'raw undici, keep-alive',
	pageSize: PAGE_SIZE,
	async prepare() {
		return list;
	},
};
