/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { Readable } from 'node:stream';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { faultAnswer } from './faultAnswers';
import type { AppliedFaults } from './faults';
import type { Traffic } from './traffic';
import type { Waits } from './waits';

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
		if (!next || typeof payload !== 'object' || payload === null || !('data' in payload))
			return payload;
		return { ...payload, next: next.value };
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
