/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import { type AddressInfo, createServer } from 'node:net';

/** Ports of 127.0.0.1 that are free now, all different. */
export async function freePorts(count: number): Promise<number[]> {
	const servers = Array.from({ length: count }, () => createServer());
	await Promise.all(
		servers.map(
			async (server) =>
				await new Promise<void>((resolve, reject) => {
					server.once('error', reject).listen(0, '127.0.0.1', resolve);
				}),
		),
	);
	const ports = servers.map((server) => (server.address() as AddressInfo).port);
	await Promise.all(
		servers.map(async (server) => await new Promise((resolve) => server.close(resolve))),
	);
	return ports;
}

/** Whether nobody listens on a port of 127.0.0.1. */
export async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	return await new Promise((resolve) => {
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}
