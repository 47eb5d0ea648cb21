/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { nginxPage, send, WEB_APP } from './nginx';
import type { Fault, FaultKind, RecordedRequest } from './types';
import type { Waits } from './waits';

/** The effect of all faults on one request. */
interface AppliedFaults {
	record: RecordedRequest;
	/** Before the service carries out the request, or on its way out */
	effect: Effect;
	/** After the service has carried it out */
	late: Effect;
}

type Effect = Omit<FaultKind, 'answers'>;

const ANSWERS = ['status', 'html', 'empty', 'noContent', 'body', 'answers', 'redirect'];

export const isAnswer = (kind: object): boolean => ANSWERS.some((key) => key in kind);

function matches({ method, path, projectId }: Fault, request: RecordedRequest): boolean {
	if (projectId !== undefined && request.query.projectId !== projectId) return false;
	if (method !== undefined && method.toUpperCase() !== request.method) return false;
	if (path === undefined) return true;
	return typeof path === 'string' ? path === request.path : request.path.search(path) !== -1;
}

/** The faults of a service, in order of arrival. */
export class Faults {
	private armed: Array<{ fault: Fault; seen: number; applied: number }> = [];
	private readonly effects = new WeakMap<IncomingMessage, AppliedFaults>();

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
	apply(message: IncomingMessage, record: RecordedRequest): Effect {
		const effect: Effect = {};
		const late: Effect = {};
		for (const armed of this.armed) {
			const { after = 0, times = Infinity, kind, done } = armed.fault;
			if (!matches(armed.fault, record)) continue;
			armed.seen++;
			if (armed.seen <= after || armed.applied >= times) continue;
			if (isAnswer(kind) && (isAnswer(effect) || isAnswer(late))) continue;
			const n = ++armed.applied;
			const { answers, ...others } = kind;
			const to = done === true ? late : effect;
			const delay = (to.delay ?? 0) + (kind.delay ?? 0);
			Object.assign(to, others, { delay }, answers && { body: answers(record, n) });
		}
		this.effects.set(message, { record, effect, late });
		return effect;
	}

	on({ raw }: FastifyRequest): AppliedFaults {
		return this.effects.get(raw)!;
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

function statusBody({ status = 200, shape, code, message, params }: Effect): unknown {
	const error = STATUS_CODES[status] ?? 'Error';
	const byCode = code !== undefined || params !== undefined ? 'application' : 'framework';
	if ((shape ?? byCode) === 'application') {
		return { code: code ?? CODES[status] ?? 'UNKNOWN', params: params ?? { message } };
	}
	return { statusCode: status, code, error, message: message ?? error };
}

/** The response of a fault in place of the normal one. */
function faultAnswer(kind: Effect) {
	const { status = 200, shape, headers, body, contentType, redirect } = kind;
	const answer = (type: Record<string, string>, sent = '') => ({
		status,
		headers: { ...type, ...headers },
		body: sent,
	});
	if (redirect !== undefined) {
		return { ...answer({ location: redirect }), status: kind.status ?? 302 };
	}
	if (kind.noContent) return { ...answer({}), status: 204 };
	if (kind.html) return answer({ 'content-type': 'text/html; charset=utf-8' }, WEB_APP);
	if (kind.empty) return answer(JSON_TYPE);
	if (shape === 'html') return answer({ 'content-type': 'text/html' }, nginxPage(status));
	if (!('body' in kind)) return answer(JSON_TYPE, JSON.stringify(statusBody(kind)));
	if (contentType === undefined) return answer(JSON_TYPE, JSON.stringify(body));
	return answer({ 'content-type': contentType }, String(body));
}

export function answerFault(response: ServerResponse, kind: Effect): void {
	const { status, headers, body } = faultAnswer(kind);
	send(response, status, headers, body);
}

/** The request's body: a fault answers before the framework would read it. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
	const body = await text(request);
	return body === '' ? undefined : JSON.parse(body);
}

/** Faults that change the normal response on its way out. */
export function addFaultHooks(app: FastifyInstance, faults: Faults, waits: Waits): void {
	app.addHook('preValidation', async (request) => {
		const { record, effect } = faults.on(request);
		const { pageCap } = effect;
		// A copy, because the validator of older releases changes values in place.
		record.body = structuredClone(request.body);
		const query = request.query as { limit?: number };
		if (pageCap !== undefined) query.limit = Math.min(query.limit ?? pageCap, pageCap);
	});

	app.addHook('preSerialization', async (request, _reply, payload) => {
		const { next } = faults.on(request).effect;
		const isList = typeof payload === 'object' && payload !== null && 'data' in payload;
		return next !== undefined && isList ? { ...payload, next } : payload;
	});

	app.addHook('onSend', async (request, reply, payload) => {
		const { effect, late } = faults.on(request);
		const { truncated, unframed, slowBody, reset } = { ...late, ...effect };
		if (late.delay) await waits.after(late.delay);
		if (late.reset === 'beforeHeaders') request.raw.socket.destroy();
		if (isAnswer(late)) {
			const { status, headers, body } = faultAnswer(late);
			// It comes from a proxy, without the service's own headers.
			reply
				.removeHeader('content-type')
				.removeHeader('x-webhook-id')
				.status(status)
				.headers(headers);
			return body;
		}
		const isCut = reset === 'inBody';
		if (typeof payload !== 'string') return payload;
		if (!truncated && slowBody === undefined && !isCut) return payload;
		const bytes = Buffer.from(payload);
		if (truncated) {
			reply.status(200);
			const half = bytes.subarray(0, Math.floor(bytes.length / 2));
			if (!unframed) return half;
			// Without a length and without chunks, the end of the connection is the end of the body.
			reply.raw.useChunkedEncodingByDefault = false;
			return Readable.from([half]);
		}
		reply.header('content-length', String(bytes.length));
		return Readable.from(
			(async function* parts() {
				yield bytes.subarray(0, 1);
				if (slowBody !== undefined) await waits.after(slowBody);
				if (isCut) {
					// Wait until the first part is sent before closing the connection.
					await waits.after(10);
					request.raw.socket.destroy();
				} else yield bytes.subarray(1);
			})(),
		);
	});
}
