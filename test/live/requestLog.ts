/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n's engine, never inside n8n */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Parts of a path that are ids, which nobody can make use of. */
const ID = /^(?=.*[0-9A-Z])[0-9A-Za-z]{8,}$/;

/** The requests that this process sent to one server, as Node itself reports them. */
export interface RequestLog {
	/** How many were answered so far */
	readonly count: number;
	/** The last one, as `GET /v1/folders/{id} → 404`; empty before the first */
	readonly last: string;
	close(): void;
}

/** @param baseUrl requests to other servers are not counted */
export function openRequestLog(baseUrl: string): RequestLog {
	const { host, pathname } = URL.canParse(baseUrl) ? new URL(baseUrl) : { host: '', pathname: '/' };
	const prefix = pathname.replace(/\/(?:v1\/?)?$/, '');
	let count = 0;
	let last = '';

	const listener = (message: unknown) => {
		const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
		if (request.getHeader('host') !== host) return;
		count++;
		const [path] = request.path.split('?');
		const shown = (path.startsWith(prefix) ? path.slice(prefix.length) : path)
			.split('/')
			.map((part) => (ID.test(part) ? '{id}' : part))
			.join('/');
		last = `${request.method} ${shown} → ${response.statusCode}`;
	};
	subscribe('http.client.response.finish', listener);
	return {
		get count() {
			return count;
		},
		get last() {
			return last;
		},
		close: () => unsubscribe('http.client.response.finish', listener),
	};
}
