/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

import type { Service } from '../service/index';

const AGENT = new Agent({ keepAlive: true });

export interface RawRequest {
	method: string;
	path: string;
	headers: Record<string, string>;
	body?: string;
}

export interface RawAnswer {
	status: number;
	headers: IncomingHttpHeaders;
	text: string;
}

export async function sendRaw(service: Service, raw: RawRequest): Promise<RawAnswer> {
	const { method, path, headers, body } = raw;
	const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
	return await new Promise((done, fail) => {
		const sent = request(
			{
				host: '127.0.0.1',
				port: new URL(service.origin).port,
				method,
				path,
				headers: { ...headers, ...length },
				// A server closes the connection after headers that are too long.
				agent: path.length < 8_000 && AGENT,
			},
			(response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('error', fail);
				response.on('end', () =>
					done({
						status: response.statusCode ?? 0,
						headers: response.headers,
						text: Buffer.concat(chunks).toString(),
					}),
				);
			},
		);
		sent.on('error', fail);
		sent.end(body);
	});
}
