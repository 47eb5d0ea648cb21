import type { Service } from './index';

interface ListBody {
	data: Array<Record<string, unknown> & { id: string }>;
	next: string | null;
}

/** GET (or another method) below /api with the service's key. */
export async function call(
	service: Service,
	path: string,
	init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
) {
	const response = await fetch(service.baseUrl + path, {
		...init,
		headers: { authorization: `Bearer ${service.apiKey}`, ...init.headers },
	});
	const text = await response.text();
	return { status: response.status, text, json: () => JSON.parse(text) as ListBody };
}

/** Follows `next` to the end of a list; returns the size of every page and the IDs. */
export async function walk(
	service: Service,
	path: string,
	key: string,
): Promise<{ sizes: number[]; ids: string[] }> {
	const sizes: number[] = [];
	const ids: string[] = [];
	const headers = { authorization: `Bearer ${key}` };
	let cursor = '';
	for (;;) {
		const page = (await call(service, path + cursor, { headers })).json();
		sizes.push(page.data.length);
		ids.push(...page.data.map(({ id }) => id));
		if (page.next === null) return { sizes, ids };
		cursor = `&cursor=${encodeURIComponent(page.next)}`;
	}
}
