/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n's engine, never inside n8n */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Parts of a path that are ids, which nobody can make use of. */
const ID = /(?<=\/)(?=[^/]*[0-9A-Z])[0-9A-Za-z]{8,}(?=\/|$)/g;

const ANSWERED = 'http.client.response.finish';

/** The requests that this process sent to one server, as Node itself reports them. */
export class RequestLog {
	/** How many were answered so far */
	count = 0;
	/** The last one, as `GET /v1/folders/{id} → 404`; empty before the first */
	last = '';
	private readonly server?: URL;

	/** @param baseUrl requests to other servers are not counted */
	constructor(baseUrl: string) {
		if (URL.canParse(baseUrl)) this.server = new URL(baseUrl);
		subscribe(ANSWERED, this.listener);
	}

	close(): void {
		unsubscribe(ANSWERED, this.listener);
	}

	private readonly listener = (message: unknown) => {
		const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
		if (this.server === undefined || request.getHeader('host') !== this.server.host) return;
		this.count++;
		const prefix = this.server.pathname.replace(/\/(?:v1\/?)?$/, '');
		const [path] = request.path.split('?');
		const shown = path.startsWith(prefix) ? path.slice(prefix.length) : path;
		this.last = `${request.method} ${shown.replace(ID, '{id}')} → ${response.statusCode}`;
	};
}
