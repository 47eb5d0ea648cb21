/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { nginxPage, send, WEB_APP } from './nginx';
import type { Traffic } from './traffic';
import type { AnswerKind, Fault, FaultKind, RecordedRequest } from './types';
import type { Waits } from './waits';

/** What replaces the normal response, or precedes it. */
interface Instead {
	/** ms to wait first */
	delay: number;
	/** Number of requests that must have been in flight at once first */
	untilInFlight?: number;
	reset?: 'beforeHeaders' | 'inBody';
	answer?: AnswerKind;
}

/** The effect of all faults on one request. */
export interface AppliedFaults extends Instead {
	/** The same, after the service has carried out the request */
	late: Instead;
	slowBody?: number;
	truncated?: { unframed?: true };
	/** replaces `next` of a list */
	next?: { value: string | null };
	pageCap?: number;
}

const ANSWERS = ['status', 'html', 'empty', 'noContent', 'body', 'answers', 'redirect'];

const isAnswer = (kind: FaultKind): boolean => ANSWERS.some((key) => key in kind);

function matches({ method, path, projectId }: Fault, request: RecordedRequest): boolean {
	if (projectId !== undefined && request.query.projectId !== projectId) return false;
	if (method !== undefined && method.toUpperCase() !== request.method) return false;
	if (path === undefined) return true;
	return typeof path === 'string' ? path === request.path : request.path.search(path) !== -1;
}

function add(
	applied: AppliedFaults,
	{ kind, done }: Fault,
	request: RecordedRequest,
	n: number,
): void {
	const instead = done === true ? applied.late : applied;
	if ('delay' in kind) instead.delay += kind.delay;
	else if ('untilInFlight' in kind) instead.untilInFlight = kind.untilInFlight;
	else if ('reset' in kind) (kind.reset === 'inBody' ? applied : instead).reset = kind.reset;
	else if ('slowBody' in kind) applied.slowBody = kind.slowBody;
	else if ('truncated' in kind) applied.truncated = kind;
	else if ('pageCap' in kind) applied.pageCap = kind.pageCap;
	else if ('next' in kind) {
		applied.next = { value: typeof kind.next === 'function' ? kind.next(n) : kind.next };
	} else if ('answers' in kind) instead.answer = { body: kind.answers(request, n) };
	else instead.answer = kind;
}

/** The faults of a service, in order of arrival. */
export class Faults {
	private armed: Array<{ fault: Fault; seen: number; applied: number }> = [];

	add(fault: Fault): void {
		this.armed.push({ fault, seen: 0, applied: 0 });
	}

	clear(): void {
		this.armed = [];
	}

	/**
	 * Counts a request for every fault that it matches and returns their combined effect. Of several faults
	 * that would respond only the first applies, so two faults with `times: 1` respond to two requests.
	 */
	apply(request: RecordedRequest): AppliedFaults {
		const applied: AppliedFaults = { delay: 0, late: { delay: 0 } };
		for (const armed of this.armed) {
			const { after = 0, times = Infinity, kind } = armed.fault;
			if (!matches(armed.fault, request)) continue;
			armed.seen++;
			if (armed.seen <= after || armed.applied >= times) continue;
			if (isAnswer(kind) && (applied.answer ?? applied.late.answer)) continue;
			armed.applied++;
			add(applied, armed.fault, request, armed.applied);
		}
		return applied;
	}
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

const CODES: Record<number, string> = {
	401: 'AUTHENTICATION',
	402: 'FEATURE_DISABLED',
	403: 'AUTHORIZATION',
	404: 'ENTITY_NOT_FOUND',
	409: 'VALIDATION',
};

function statusBody({
	status,
	shape,
	code,
	message,
	params,
}: Extract<AnswerKind, { shape?: string }>): unknown {
	const error = STATUS_CODES[status] ?? 'Error';
	const byCode = code !== undefined || params !== undefined ? 'application' : 'framework';
	if ((shape ?? byCode) === 'application') {
		return { code: code ?? CODES[status] ?? 'UNKNOWN', params: params ?? { message } };
	}
	return { statusCode: status, code, error, message: message ?? error };
}

/** The response of a fault in place of the normal one. */
function faultAnswer(kind: AnswerKind) {
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
		: { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(statusBody(kind)) };
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

/** Faults that change the normal response on its way out. */
export function addFaultHooks(
	app: FastifyInstance,
	appliedTo: (request: FastifyRequest) => AppliedFaults | undefined,
	traffic: Traffic,
	waits: Waits,
): void {
	app.decorateRequest('pageCap');
	app.addHook('preValidation', async (request) => {
		const record = traffic.recordOf(request.raw);
		// A copy, because the validator of older releases changes values in place.
		if (record) record.body = structuredClone(request.body);
		request.pageCap = appliedTo(request)?.pageCap;
	});

	app.addHook('preSerialization', async (request, _reply, payload) => {
		const next = appliedTo(request)?.next;
		const isList = typeof payload === 'object' && payload !== null && 'data' in payload;
		return next && isList ? { ...payload, next: next.value } : payload;
	});

	app.addHook('onSend', async (request, reply, payload) => {
		const applied = appliedTo(request);
		if (!applied) return payload;
		const { truncated, slowBody, reset, late } = applied;
		if (late.delay > 0) await waits.after(late.delay);
		if (late.reset !== undefined) request.raw.socket.destroy();
		if (late.answer) {
			const { status, headers, body } = faultAnswer(late.answer);
			// It comes from a proxy, without the service's own headers.
			reply
				.removeHeader('content-type')
				.removeHeader('x-webhook-id')
				.status(status)
				.headers(headers);
			return body;
		}
		if (typeof payload !== 'string') return payload;
		if (!truncated && slowBody === undefined && reset !== 'inBody') return payload;
		const bytes = Buffer.from(payload);
		if (truncated) {
			reply.status(200);
			const half = bytes.subarray(0, Math.floor(bytes.length / 2));
			if (!truncated.unframed) return half;
			// Without a length and without chunks, the end of the connection is the end of the body.
			reply.raw.useChunkedEncodingByDefault = false;
			return Readable.from([half]);
		}
		reply.header('content-length', String(bytes.length));
		return Readable.from(
			(async function* parts() {
				yield bytes.subarray(0, 1);
				if (slowBody !== undefined) await waits.after(slowBody);
				if (reset === 'inBody') {
					// Wait until the first part is sent before closing the connection.
					await waits.after(10);
					request.raw.socket.destroy();
				} else yield bytes.subarray(1);
			})(),
		);
	});
}
