import type { Service } from './index';

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
	return { status: response.status, text: await response.text() };
}

/** POST of a body as JSON. */
export const post = async (service: Service, path: string, body: object) =>
	await call(service, path, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
