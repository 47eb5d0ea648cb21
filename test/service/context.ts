/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod/v4';

import type { Authorization } from './auth';
import type { Clock } from './clock';
import { refuseNul } from './errors';
import type { FlowChanges } from './flowChanges';
import type { ServiceData } from './records';
import type { ReleaseTraits } from './releases';
import { id, shape } from './schema';
import type { Sessions } from './sessions';
import type { Edition, Plan, ServiceOptions } from './types';
import type { Waits } from './waits';
import type { Webhooks } from './webhooks';

/** Of a route that reads no query or no body */
type Nothing = z.ZodType<Record<never, never>>;

interface Checks<Query extends z.ZodType, Body extends z.ZodType> {
	query?: Query;
	body?: Body;
	params?: z.ZodType;
	/** runs before anything is read or checked */
	onRequest?: (request: FastifyRequest, reply: FastifyReply) => unknown;
	/** receives the body as it was sent */
	onBody?: (request: FastifyRequest, body: Buffer) => void;
}

/** A request with the values that its route has checked. */
type CheckedRequest<Query extends z.ZodType, Body extends z.ZodType> = FastifyRequest & {
	params: Record<string, string>;
	query: z.infer<Query>;
	body: z.infer<Body>;
};

/** Of a route by ID, where the service checks its form. */
export const BY_ID = { params: shape({ id }) };

export interface Context {
	traits: ReleaseTraits;
	own: ServiceData;
	platforms: ServiceData[];
	auth: Authorization;
	sessions: Sessions;
	edition: Edition;
	plan: Plan;
	options: ServiceOptions;
	time: Clock;
	/** ms since 1970, for the end of tokens and rate limits */
	clock(): number;
	/** Time of the next change, from a counter so that test runs are repeatable */
	now(): string;
	flowChanges: FlowChanges;
	waits: Waits;
	webhooks: Webhooks;
	/**
	 * Adds a route below /api unless it should be left out.
	 * @param path as in Fastify, e.g. /v1/folders/:id
	 * @param handler returns the body, the reply that it has sent, or nothing for a 204
	 */
	route<Query extends z.ZodType = Nothing, Body extends z.ZodType = Nothing>(
		method: 'GET' | 'POST' | 'DELETE',
		path: string,
		checks: Checks<Query, Body>,
		handler: (request: CheckedRequest<Query, Body>, reply: FastifyReply) => unknown,
	): void;
}

/** The `route` of a context: validates as the release does, and leaves out unwanted routes. */
export function routeAdder(
	app: FastifyInstance,
	without: ServiceOptions['without'] = [],
): Context['route'] {
	const left = new Set(without.map((route) => route.replace(/\{(\w+)\}/g, ':$1')));
	return (method, path, { query, body, params, onRequest, onBody }, handler) => {
		if (left.has(`${method} ${path}`)) return;
		app.route({
			method,
			url: `/api${path}`,
			...(onRequest && { onRequest: async (request, reply) => onRequest(request, reply) }),
			...(onBody && {
				preParsing: async (request: FastifyRequest, _reply: unknown, payload: Readable) => {
					const content = await buffer(payload);
					onBody(request, content);
					return Readable.from(content);
				},
			}),
			// Fastify warns of keys that are undefined.
			schema: {
				...(query && { querystring: query }),
				...(body && { body }),
				...(params && { params }),
			},
			async handler(request, reply) {
				if (!path.startsWith('/v1/webhooks/')) refuseNul(request);
				const answer = handler(request as never, reply);
				return answer === undefined ? reply.status(204).send() : await answer;
			},
		});
	};
}

/** A record of any platform on the server, with its platform; the first platform if there is none. */
export function locate<Row extends { id: string }>(
	{ platforms }: Context,
	rowsOf: (data: ServiceData) => Row[],
	id: string,
): { data: ServiceData; row: Row | undefined } {
	for (const data of platforms) {
		const row = rowsOf(data).find((each) => each.id === id);
		if (row !== undefined) return { data, row };
	}
	return { data: platforms[0], row: undefined };
}
