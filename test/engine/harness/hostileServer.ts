/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { sleep } from 'n8n-workflow';

import { listen } from './listen';

export type HostileServer = Awaited<ReturnType<typeof startHostileServer>>;

type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => unknown;

/**
 * Starts a server on 127.0.0.1 with responses that the service never sends.
 * @param tunnel the raw response of a proxy to a request for a tunnel
 */
export async function startHostileServer(answer: Answer, tunnel = '') {
	/** `GET /v1/flows` of each request, its URL as it was sent, its headers and its body */
	const requests: Array<Pick<IncomingMessage, 'url' | 'headers'> & { path: string; body: string }> =
		[];
	const server = createServer((request, response) => {
		void (async () => {
			const body = await text(request);
			const { url, headers } = request;
			const path = `${request.method} ${url?.replace(/^\/api/, '').replace(/\?.*/, '')}`;
			requests.push({ path, url, headers, body });
			await answer(response, request, body);
		})();
	});
	server.on('connect', (_request, socket) => socket.end(tunnel));
	const { host, sockets, close } = await listen(server);
	return {
		baseUrl: `http://${host}/api`,
		host,
		requests,
		get connections() {
			return sockets.size;
		},
		close,
	};
}

const JSON_TYPE = { 'content-type': 'application/json' };

export const json =
	(body: string, status = 200): Answer =>
	(response) =>
		response.writeHead(status, JSON_TYPE).end(body);

export const jsonOf = (body: unknown, status?: number): Answer =>
	json(JSON.stringify(body), status);

const COMPRESSION = { br: brotliCompressSync, gzip: gzipSync, deflate: deflateSync };

/** Responds with this many bytes of JSON, compressed to about a thousandth or less. */
export function bomb(bytes: number, encoding: keyof typeof COMPRESSION): Answer {
	const content = Buffer.alloc(bytes, ' ');
	content.write('{"data":[');
	content.write('],"next":null}', bytes - 14);
	const compressed = COMPRESSION[encoding](content);
	return (response) =>
		response.writeHead(200, { ...JSON_TYPE, 'content-encoding': encoding }).end(compressed);
}

async function repeatUntilClosed(response: ServerResponse, everyMs: number, work: () => unknown) {
	// A response whose connection was closed has no socket any more.
	while (response.socket !== null && !response.socket.destroyed) {
		work();
		await sleep(everyMs);
	}
}

/** Sends byte after byte, until the connection is closed. */
export const drip: Answer = (response) => {
	response.writeHead(200, JSON_TYPE);
	response.write('{"data":[');
	void repeatUntilClosed(response, 5, () => response.write(' '));
};

/** Sends header after header, until the connection is closed. */
export const dripHeaders: Answer = (response) => {
	const { socket } = response;
	socket?.write('HTTP/1.1 200 OK\r\n');
	void repeatUntilClosed(response, 20, () => socket?.write('x: y\r\n'));
};

/** Responds with a body that does not match its Content-Encoding. */
export const undecodable =
	(encoding: keyof typeof COMPRESSION): Answer =>
	(response) =>
		response
			.writeHead(200, { ...JSON_TYPE, 'content-encoding': encoding })
			.end('{"data":[],"next":null}'.repeat(10));
