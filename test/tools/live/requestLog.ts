/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n's engine, never inside n8n */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

const ANSWERED = 'http.client.response.finish';

/** Parts of a path that are IDs, which are of no use in a report. */
const ID = /(?<=\/)(?=[^/]*[0-9A-Z])[0-9A-Za-z]{8,}(?=\/|$)/g;

/** The requests of this process to one server, as Node.js itself reports them. */
export class RequestLog {
	/** Number of responses so far */
	count = 0;
	/** The last one, as `GET /v1/folders/{id} → 404`; empty before the first */
	last = '';

	constructor(private readonly baseUrl: string) {
		subscribe(ANSWERED, this.listener);
	}

	close(): void {
		unsubscribe(ANSWERED, this.listener);
	}

	private readonly listener = (message: unknown) => {
		const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
		const { baseUrl } = this;
		if (!URL.canParse(baseUrl) || request.getHeader('host') !== new URL(baseUrl).host) return;
		this.count++;
		const path = request.path.replace(/^.*?(?=\/v1\/)|\?.*$/g, '').replace(ID, '{id}');
		this.last = `${request.method} ${path} → ${response.statusCode}`;
	};
}
