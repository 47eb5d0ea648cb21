/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import { type AddressInfo, createServer } from 'node:net';

/** Different ports of 127.0.0.1 that are free now. */
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

/** Whether a port of 127.0.0.1 is free. */
export async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	return await new Promise((resolve) => {
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}
