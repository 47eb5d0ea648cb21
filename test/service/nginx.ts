/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { posix } from 'node:path';

/** The web app's page: the response to a base URL without /api, with status 200. */
export const WEB_APP =
	'<!doctype html><html><head><title>Activepieces</title></head><body><div id="root"></div></body></html>';

const NGINX_REASONS: Record<number, string> = { 405: 'Not Allowed', 414: 'Request-URI Too Large' };

export function nginxPage(status: number): string {
	const title = `${status} ${NGINX_REASONS[status] ?? STATUS_CODES[status] ?? 'Error'}`;
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
	const decoded = path.replace(/%2f/gi, '/').replace(/%2e/gi, '.');
	// Unlike Node, nginx takes dots at the end for a folder (har/enterprise-0.73, f/27).
	const normalised = posix.normalize(decoded.replace(/\/\.\.?$/, '$&/'));
	if (!normalised.startsWith('/api/')) {
		if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
		send(response, 200, HTML, WEB_APP);
		return true;
	}
	request.url = [normalised, ...query].join('?');
	return false;
}
