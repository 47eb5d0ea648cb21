/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The web app's page: the response to a base URL without /api, with status 200. */
export const WEB_APP =
	'<!doctype html><html><head><title>Activepieces</title></head><body><div id="root"></div></body></html>';

const NGINX_REASONS: Record<number, string> = { 405: 'Not Allowed', 414: 'Request-URI Too Large' };

/** nginx's reason phrase for a status. */
function reason(status: number): string {
	return NGINX_REASONS[status] ?? STATUS_CODES[status] ?? 'Error';
}

/** nginx's page for an error. */
export function nginxPage(status: number): string {
	const title = `${status} ${reason(status)}`;
	return [
		'<html>',
		`<head><title>${title}</title></head>`,
		'<body>',
		`<center><h1>${title}</h1></center>`,
		'<hr><center>nginx</center>',
		'</body>',
		'</html>',
		'',
	].join('\r\n');
}

/** Sends a complete body. */
export function send(
	response: ServerResponse,
	status: number,
	headers: Record<string, string>,
	body = '',
): void {
	response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
	response.end(body);
}

const HTML = { 'content-type': 'text/html' };

/** Longest request line nginx takes (large_client_header_buffers). */
const LONGEST_URL = 8 * 1024;

/** Resolves `.`, `..` and doubled slashes. */
function normalisedPath(path: string): string {
	const segments: string[] = [];
	const parts = path.replace(/%2f/gi, '/').replace(/%2e/gi, '.').split('/').slice(1);
	for (const part of parts) {
		if (part === '..') segments.pop();
		else if (part !== '.' && part !== '') segments.push(part);
	}
	const endsInFolder = ['', '.', '..'].includes(parts[parts.length - 1]);
	return `/${segments.join('/')}${endsInFolder && segments.length > 0 ? '/' : ''}`;
}

/**
 * The proxy in front of releases before 0.80: it responds to URLs that it refuses and to everything
 * outside /api, and passes on the rest with a decoded, normalized path (so `a%2Fb` is not one segment).
 * @returns whether it has responded
 */
export function proxied(request: IncomingMessage, response: ServerResponse): boolean {
	const [path, ...query] = (request.url ?? '/').split('?');
	const refuse = (status: number) => {
		request.resume();
		send(response, status, HTML, nginxPage(status));
		return true;
	};
	if ((request.url ?? '').length > LONGEST_URL) return refuse(414);
	if (/%(?![0-9a-f]{2})|%00/i.test(path)) return refuse(400);
	const normalised = normalisedPath(path);
	if (!normalised.startsWith('/api/')) {
		if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
		send(response, 200, HTML, WEB_APP);
		return true;
	}
	request.url = [normalised, ...query].join('?');
	return false;
}

/** Responds on a socket whose request is too large, or too malformed, to be parsed. */
export function answerUnparsed(error: { code?: string }, socket: Duplex): void {
	if (error.code === 'ECONNRESET' || !socket.writable) {
		socket.destroy();
		return;
	}
	const status = error.code === 'HPE_HEADER_OVERFLOW' ? 414 : 400;
	const body = nginxPage(status);
	const head = [
		`HTTP/1.1 ${status} ${reason(status)}`,
		'Content-Type: text/html',
		`Content-Length: ${body.length}`,
		'Connection: close',
	];
	socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
