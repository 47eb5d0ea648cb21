/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { listen, passOn } from './listen';

type Refuse = (response: ServerResponse) => unknown;

const page =
	(status: number, body: string, headers = {}): Refuse =>
	(response) =>
		response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);

/** How gateways respond to requests without their header, by the product that does so. */
export const REFUSALS: Record<string, (elsewhere: string) => Refuse> = {
	'Cloudflare Access': (elsewhere) =>
		page(302, '', { location: `${elsewhere}/cdn-cgi/access/login/ap.example?kid=1` }),
	Authelia: (elsewhere) => page(302, '<a>Found</a>', { location: `${elsewhere}/?rd=https://ap` }),
	'oauth2-proxy': () => page(302, '', { location: '/oauth2/start?rd=%2Fapi' }),
	'a page for people': () => page(200, '<html><title>Sign in</title><input type="password">'),
	'a page with 403': () => page(403, '<html><title>Sign In</title><form>'),
	'a gateway with 403': () => page(403, '<html><title>403 Forbidden</title>'),
	'a gateway with 401': () => page(401, '{"message":"Unauthorized"}', JSON_TYPE),
};

const JSON_TYPE = { 'content-type': 'application/json' };

/** Starts a gateway that passes on requests with these headers, and responds itself to all others. */
export async function startGateway(target: string, wanted: Record<string, string>) {
	/** Headers of all requests */
	const received: Array<IncomingMessage['headers']> = [];
	const gateway = { refuse: REFUSALS['a gateway with 403']('') };
	const server = createServer((incoming, outgoing) => {
		const { url, headers } = incoming;
		received.push(headers);
		if (Object.entries(wanted).some(([name, value]) => headers[name.toLowerCase()] !== value)) {
			incoming.resume();
			gateway.refuse(outgoing);
			return;
		}
		passOn(target + url, incoming, outgoing);
	});
	const { host, close } = await listen(server);
	return Object.assign(gateway, { baseUrl: `http://${host}/api`, received, close });
}
