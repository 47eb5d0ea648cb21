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

/** The response of a fault, before it is sent. */
interface FaultAnswer {
	status: number;
	headers: Record<string, string>;
	body: string;
}

/** The response of a fault in place of the normal one. */
export function faultAnswer(kind: AnswerKind): FaultAnswer {
	const ok = (headers: Record<string, string>, body = '') => ({ status: 200, headers, body });
	if ('redirect' in kind) {
		return { status: kind.status ?? 302, headers: { location: kind.redirect }, body: '' };
	}
	if ('html' in kind) return ok({ 'content-type': 'text/html; charset=utf-8' }, WEB_APP);
	if ('empty' in kind) return ok(JSON_TYPE);
	if ('noContent' in kind) return { status: 204, headers: {}, body: '' };
	if ('body' in kind) {
		const { body, contentType, status = 200 } = kind;
		const asItIs = contentType !== undefined && typeof body === 'string';
		const headers = contentType === undefined ? JSON_TYPE : { 'content-type': contentType };
		return { status, headers, body: asItIs ? body : JSON.stringify(body) };
	}
	const { status, shape, headers } = kind;
	return shape === 'html'
		? { status, headers: { 'content-type': 'text/html', ...headers }, body: nginxPage(status) }
		: { status, headers: { ...JSON_TYPE, ...headers }, body: statusBody(kind) };
}

/** Sends the response of a fault without the framework. */
export function answerFault(response: ServerResponse, kind: AnswerKind): void {
	const { status, headers, body } = faultAnswer(kind);
	if (status === 204) response.writeHead(204).end();
	else send(response, status, headers, body);
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
