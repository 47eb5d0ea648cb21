/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http';

import type { AnswerKind } from './faults';
import { nginxPage, send, WEB_APP } from './pages';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

const CODES: Record<number, string> = {
	401: 'AUTHENTICATION',
	402: 'FEATURE_DISABLED',
	403: 'AUTHORIZATION',
	404: 'ENTITY_NOT_FOUND',
	409: 'VALIDATION',
};

type StatusKind = Extract<AnswerKind, { status: number; shape?: string }>;

function statusBody(kind: Exclude<StatusKind, { redirect: string }>): string {
	const { status, code, message, params } = kind;
	const error = STATUS_CODES[status] ?? 'Error';
	const byCode = code !== undefined || params !== undefined ? 'application' : 'framework';
	if ((kind.shape ?? byCode) === 'application') {
		const text = message === undefined ? {} : { message };
		return JSON.stringify({ code: code ?? CODES[status] ?? 'UNKNOWN', params: params ?? text });
	}
	return JSON.stringify({
		statusCode: status,
		...(code === undefined ? {} : { code }),
		error,
		message: message ?? error,
	});
}

/** Gives the answer of a fault in place of the normal one. */
export function answerFault(response: ServerResponse, kind: AnswerKind): void {
	if ('redirect' in kind) send(response, kind.status ?? 302, { location: kind.redirect });
	else if ('html' in kind)
		send(response, 200, { 'content-type': 'text/html; charset=utf-8' }, WEB_APP);
	else if ('empty' in kind) send(response, 200, JSON_TYPE);
	else if ('noContent' in kind) response.writeHead(204).end();
	else if ('body' in kind) {
		const { body, contentType } = kind;
		const asItIs = contentType !== undefined && typeof body === 'string';
		const headers = contentType === undefined ? JSON_TYPE : { 'content-type': contentType };
		send(response, 200, headers, asItIs ? body : JSON.stringify(body));
	} else if (kind.shape === 'html') {
		const headers = { 'content-type': 'text/html', ...kind.headers };
		send(response, kind.status, headers, nginxPage(kind.status));
	} else {
		send(response, kind.status, { ...JSON_TYPE, ...kind.headers }, statusBody(kind));
	}
}

/** The request's body, parsed when it is JSON: a fault answers before the framework would read it. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString();
	if (text === '') return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
