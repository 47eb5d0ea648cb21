/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { STATUS_CODES, type ServerResponse } from 'node:http';

/** The web app's page: the response to a base URL without /api, with status 200. */
export const WEB_APP =
	'<!doctype html><html><head><title>Activepieces</title></head><body><div id="root"></div></body></html>';

const NGINX_REASONS: Record<number, string> = { 405: 'Not Allowed', 414: 'Request-URI Too Large' };

/** nginx's reason phrase for a status. */
export function reason(status: number): string {
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
