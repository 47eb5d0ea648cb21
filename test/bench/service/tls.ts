/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n's engine, never inside n8n */
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';

import { generate } from 'selfsigned';

/**
 * Puts TLS with a certificate of its own making before a service on 127.0.0.1, as a proxy in front of a
 * real one does.
 * @returns the base URL to use instead, with the path of the given one
 */
export async function behindTls(baseUrl: string): Promise<string> {
	const { port, pathname } = new URL(baseUrl);
	const { private: key, cert } = generate([{ name: 'commonName', value: '127.0.0.1' }], {
		keySize: 2048,
		algorithm: 'sha256',
	});
	const server = createServer({ key, cert }, (secure) => {
		const plain = connect({ host: '127.0.0.1', port: Number(port), noDelay: true });
		secure.setNoDelay(true);
		secure.pipe(plain).pipe(secure);
		// A connection that breaks on one side ends on the other; the client is the one to report it.
		secure.on('error', () => plain.destroy());
		plain.on('error', () => secure.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `https://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
}
