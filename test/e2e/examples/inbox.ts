/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import type { AddressInfo } from 'node:net';

import fastify from 'fastify';

/** Accepts whatever is posted to it, as a chat's incoming webhook does. */
export interface Inbox {
	url: string;
	received: Array<{ path: string; body: unknown }>;
	close(): Promise<void>;
}

export async function startInbox(): Promise<Inbox> {
	const received: Inbox['received'] = [];
	const app = fastify({ forceCloseConnections: true });
	app.post('*', async (request) => {
		received.push({ path: request.url, body: request.body });
		return { ok: true };
	});
	await app.listen({ port: 0, host: '127.0.0.1' });
	const { port } = app.server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, received, close: async () => await app.close() };
}
