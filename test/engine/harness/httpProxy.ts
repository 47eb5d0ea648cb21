/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';

import { listen, passOn } from './listen';

/** A proxy for the tests of a block, which clears its recorded requests between them. */
export function useHttpProxy() {
	const context = {} as { proxy: Awaited<ReturnType<typeof startHttpProxy>> };
	beforeAll(async () => (context.proxy = await startHttpProxy()));
	beforeEach(() => {
		context.proxy.targets.length = 0;
		context.proxy.authorizations.length = 0;
	});
	afterAll(async () => await context.proxy.close());
	return context;
}

/** Starts a proxy that accepts requests with a whole URL as well as tunnels, and forwards all of them. */
async function startHttpProxy() {
	/** Whole URLs, or host:port for a tunnel */
	const targets: string[] = [];
	/** Proxy-Authorization of each of them */
	const authorizations: Array<string | undefined> = [];

	const note = ({ url = '', headers }: IncomingMessage) => {
		targets.push(url);
		authorizations.push(headers['proxy-authorization']);
		return url;
	};
	const server = createServer((incoming, outgoing) => passOn(note(incoming), incoming, outgoing));
	server.on('connect', (incoming, socket, head) => {
		const [host, port] = note(incoming).split(':');
		const tunnel = connect(Number(port), host, () => {
			socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			tunnel.write(head);
			tunnel.pipe(socket).pipe(tunnel);
		});
		tunnel.on('error', () => socket.destroy());
		socket.on('error', () => tunnel.destroy());
		socket.on('close', () => tunnel.destroy());
	});
	const { host, close } = await listen(server);
	return { url: `http://${host}`, targets, authorizations, close };
}
