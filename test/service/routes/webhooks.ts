import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { BY_ID, type Context } from '../context';
import { publishedVersion } from '../flowChanges';
import { loggedSteps } from '../flowRunRecords';
import { makeId } from '../ids';
import { id, required, shape, text } from '../schema';
import { createCalledRuns } from '../webhooks';

/** The settings of a Catch Webhook, or of a Return Response. */
interface Input {
	authType?: string;
	authFields?: Record<string, string>;
	responseType?: string;
	fields?: { status?: number; headers?: Record<string, string>; body?: unknown };
}
type Steps = ReturnType<typeof loggedSteps>;

/** The bodies of calls as they were sent. */
const rawBodies = new WeakMap<FastifyRequest, string>();

interface Step {
	type?: string;
	settings?: { pieceName?: string; actionName?: string; input?: Input };
	nextAction?: Step;
}

const TEXT = 'text/plain; charset=utf-8';

/** The largest body, in bytes */
const MOST = 25 * 1024 * 1024;

/** A placeholder for the input of the flow, in the body of a Return Response. */
export const INPUT = "{{trigger['body']}}";

/** The body of a Return Response with the input of the flow (har/enterprise-*, a/8 to a/18). */
function filled(answer: unknown, body: unknown): unknown {
	if (answer === undefined || Buffer.isBuffer(answer)) return answer;
	return JSON.parse(JSON.stringify(answer), (_, each: unknown) => (each === INPUT ? body : each));
}

function responseStep(trigger: Step): Input | undefined {
	for (let step = trigger.nextAction; step !== undefined; step = step.nextAction) {
		if (step.settings?.actionName === 'return_response') return step.settings.input ?? {};
	}
	return undefined;
}

/** Whether a call is signed: piece-webhook/src/lib/triggers/catch-hook.ts, from 2026 on. */
function isSigned(fields: Record<string, string>, request: FastifyRequest): boolean {
	const { hmacHeaderName, hmacSecret, hmacSignaturePrefix = '' } = fields;
	const { hmacAlgorithm = 'sha256', hmacEncoding = 'hex' } = fields;
	const hmac = createHmac(hmacAlgorithm, hmacSecret).update(rawBodies.get(request) ?? '');
	const signature = hmac.digest(hmacEncoding as 'hex');
	return request.headers[hmacHeaderName.toLowerCase()] === hmacSignaturePrefix + signature;
}

/** Whether the webhook authenticates its caller (recorded for basic and header: har/enterprise-*, a/97 to a/106). */
function isKnown({ authType, authFields = {} }: Input, request: FastifyRequest): boolean {
	const { headers } = request;
	if (authType === 'hmac') return isSigned(authFields, request);
	if (authType === 'basic') {
		const { username, password } = authFields;
		const pair = Buffer.from(`${username}:${password}`).toString('base64');
		return headers.authorization === `Basic ${pair}`;
	}
	if (authType !== 'header') return true;
	return headers[String(authFields.headerName).toLowerCase()] === authFields.headerValue;
}

/** What the service takes itself for: not always where callers reach it */
const PUBLIC_URL = 'https://activepieces.example';

/** From this size on an output is in a file (0.85 and later; the exchanges in har/ have smaller ones). */
const SLICED = 32_768;

/** What the trigger of a run logs of the call that started it (har/enterprise-*, a/8 to a/64, a/85 to a/90). */
function triggerOutput(pieceName = '', request: FastifyRequest, body: unknown): unknown {
	const { method, headers, query } = request;
	if (pieceName.endsWith('/piece-schedule')) {
		return { hour_of_the_day: 7, timezone: 'UTC', cron_expression: '0 7 * * *' };
	}
	if (pieceName.endsWith('/piece-manual-trigger')) return {};
	const isRaw = headers['ap-raw-payload'] === 'true' && headers.authorization !== undefined;
	if (isRaw || !pieceName.endsWith('/piece-webhook')) return body;
	return { method, headers, body, queryParams: query, rawBody: rawBodies.get(request) };
}

/** POST /v1/webhooks/{flowId}[/draft][/sync]: public, with any credential. Recorded in har/enterprise-*, part a. */
export function webhookRoutes(context: Context): void {
	const { flowChanges, own, route, traits, waits, webhooks } = context;
	let calls = 0;

	const begin = createCalledRuns(context);

	const answer = (reply: FastifyReply, input: Input, body: unknown) => {
		const { status = 200, headers = {}, body: own } = input.fields ?? {};
		const content = filled(own, body);
		reply.headers(headers).status(status);
		if (input.responseType === 'redirect') {
			return reply.status(301).header('location', String(content)).type(TEXT).send(content);
		}
		if (status === 204) return reply.send();
		if (Buffer.isBuffer(content)) return reply.send(content);
		if (input.responseType === 'raw') {
			if (headers['content-type'] === undefined) reply.type(TEXT);
			return reply.send(String(content ?? ''));
		}
		if (content === undefined) return reply.type(TEXT).send('');
		return reply.type('application/json; charset=utf-8').send(JSON.stringify(content));
	};

	/** At most 25 MB, except in 0.79 (har/enterprise-0.85, a/108). */
	const refuseLarge = (request: FastifyRequest, reply: FastifyReply): unknown => {
		if (Number(request.headers['content-length'] ?? 0) <= MOST) return undefined;
		if (traits.nginx) return undefined;
		reply.header('x-webhook-id', makeId('call', calls++));
		return reply.status(413).send({ message: 'Payload too large' });
	};

	/** The log of a trigger; a large output is in a file, whose URL opens it (recorded). */
	const logged = (output: unknown) => {
		const size = JSON.stringify(output ?? null).length;
		if (!traits.newRuns || size < SLICED) return { output };
		const fileId = makeId('slice', webhooks.files.size);
		webhooks.files.set(fileId, output);
		const url = `${PUBLIC_URL}/api/v1/files/${fileId}?token=${fileId}`;
		return { output: { fileId, size, url }, outputType: 'slice' };
	};

	const handle =
		(isDraft: boolean, isSync: boolean) => async (request: FastifyRequest, reply: FastifyReply) => {
			reply.header('x-webhook-id', makeId('call', calls++));
			const { flowId } = request.params as { flowId: string };
			const flow = own.flows.find((row) => row.id === flowId);
			if (flow === undefined) return await reply.status(410).send({});
			const isEnabled = flow.status === 'ENABLED';
			const version = isDraft ? flow.version : publishedVersion(own, flow);
			if (version === null || !(isDraft || isEnabled)) return await reply.status(404).send({});
			const trigger = version.trigger as Step;
			const input = trigger.settings?.input ?? {};
			const isCaller = isKnown(input, request);
			const isDropped = /schedule|manual/.test(trigger.settings?.pieceName ?? '');
			// Nothing and null arrive as an empty object.
			const body = isDropped || !isCaller ? undefined : (request.body ?? {});
			// From 0.85 on a run without the required basic authentication has no response (recorded).
			const isUnanswered =
				input.authType === 'basic' &&
				request.headers.authorization === undefined &&
				!traits.failedCallsAnswered;
			const end = webhooks.ends.get(flowId) ?? (isUnanswered ? 'fails' : undefined);
			let ended: Promise<void> | undefined;
			if (isSync || (isEnabled && isCaller && trigger.type !== 'EMPTY')) {
				const output = isCaller ? triggerOutput(trigger.settings?.pieceName, request, body) : {};
				const steps = filled(loggedSteps(version, null, traits, logged(output)), body) as Steps;
				ended = begin({ flow, version, isSync, isTest: isDraft, end: end ?? 'succeeds', steps });
				webhooks.runs.push({ flowId, version: isDraft ? 'draft' : 'published', body });
			}
			if (!isSync) return await reply.status(200).send({});

			const isEarly = end === 'fails' && traits.failsBeforeRecord;
			if (!isEarly) await ended;
			const hasWorker = flowChanges.worker.state === 'running';
			const response = responseStep(trigger);
			const isHook = trigger.settings?.pieceName === '@activepieces/piece-webhook';
			if (response !== undefined && isHook && end === undefined && hasWorker) {
				return await answer(reply, response, body);
			}
			if (isEarly || (end === 'fails' && traits.failedCallsAnswered && hasWorker)) {
				const message = 'The flow has failed and there is no response returned';
				return await reply.status(500).send({ message });
			}
			if (trigger.type === 'EMPTY' && traits.failedCallsAnswered) {
				return await reply.status(500).send({ message: 'An internal error has occurred' });
			}
			await waits.after(webhooks.timeoutSeconds * 1000);
			const status = traits.unansweredCallStatus;
			return await reply.status(status).send(status === 408 ? {} : undefined);
		};

	route(
		'GET',
		'/v1/files/:id',
		{ ...BY_ID, query: shape({ token: required(text) }) },
		(request, reply) =>
			reply
				.type('application/octet-stream')
				.send(JSON.stringify(webhooks.files.get(request.params.id))),
	);
	const onBody = (request: FastifyRequest, body: Buffer) => {
		rawBodies.set(request, body.toString('utf8'));
	};
	const params = shape({ flowId: id });
	for (const isDraft of [false, true]) {
		for (const isSync of [false, true]) {
			const path = `/v1/webhooks/:flowId${isDraft ? '/draft' : ''}${isSync ? '/sync' : ''}`;
			route('POST', path, { params, onRequest: refuseLarge, onBody }, handle(isDraft, isSync));
		}
	}
}
