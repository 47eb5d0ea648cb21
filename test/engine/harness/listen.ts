/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Starts a server on a free port of 127.0.0.1, which can be closed while it has connections. */
export async function listen(server: Server) {
	const sockets = new Set<Socket>();
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		socket.on('close', () => sockets.delete(socket));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
		sockets,
		async close() {
			for (const socket of sockets) socket.destroy();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}

/** Sends a request on to a URL, and its response back. */
export function passOn(url: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
	const { method, headers } = incoming;
	const passedOn = request(url, { method, headers }, (answer) => {
		outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
		answer.pipe(outgoing);
	});
	passedOn.on('error', () => outgoing.destroy());
	incoming.pipe(passedOn);
}
