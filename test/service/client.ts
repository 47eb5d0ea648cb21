import { type Service, type ServiceOptions, startService } from './index';

interface ListBody {
	data: Array<Record<string, unknown> & { id: string }>;
	next: string | null;
	previous: string | null;
}

const started: Service[] = [];

/** Starts a service that the test file's `stopAll` ends. */
export async function start(options?: ServiceOptions): Promise<Service> {
	const service = await startService(options);
	started.push(service);
	return service;
}

/** Ends every service a test has started: for afterEach. */
export async function stopAll(): Promise<void> {
	await Promise.all(started.splice(0).map(async (service) => await service.close()));
}

/** The path that lists the flows of a project. */
export function flowsOf(service: Service, project = 0): string {
	return `/v1/flows?projectId=${service.data.projects[project].id}`;
}

/** GET (or another method) below /api with the service's key. */
export async function call(
	service: Service,
	path: string,
	init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
) {
	const response = await fetch(service.baseUrl + path, {
		redirect: 'manual',
		...init,
		headers: { authorization: `Bearer ${service.apiKey}`, ...init.headers },
	});
	const text = await response.text();
	const { status, headers } = response;
	return { status, headers, text, json: () => JSON.parse(text) as ListBody };
}

/** POST of a JSON body with the service's key. */
export const post = async (service: Service, path: string, body: unknown, signal?: AbortSignal) =>
	await call(service, path, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
		signal,
	});

/** Follows `next` to the end of a list; returns the size of every page and the IDs. */
export async function walk(
	service: Service,
	path: string,
	key = service.apiKey,
): Promise<{ sizes: number[]; ids: string[] }> {
	const sizes: number[] = [];
	const ids: string[] = [];
	const url = new URL(path, 'http://service');
	let cursor = url.searchParams.get('cursor');
	do {
		if (cursor !== null) url.searchParams.set('cursor', cursor);
		const headers = { authorization: `Bearer ${key}` };
		const { json } = await call(service, url.pathname + url.search, { headers });
		const page = json();
		sizes.push(page.data.length);
		ids.push(...page.data.map(({ id }) => id));
		cursor = page.next;
	} while (cursor !== null);
	return { sizes, ids };
}
