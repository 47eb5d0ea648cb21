import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Authorization } from './auth';
import type { Clock } from './clock';
import type { FlowChanges } from './flowChanges';
import type { PageRequest } from './list';
import type { ServiceData } from './records';
import type { ReleaseTraits } from './releases';
import { type Fields, makeSchema } from './schema';
import type { Sessions } from './sessions';
import type { Edition, Plan, ServiceOptions } from './types';
import type { Waits } from './waits';
import type { Webhooks } from './webhooks';

type Method = 'GET' | 'POST' | 'DELETE';
type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** What a route checks before its handler runs. */
interface RouteSchema {
	query?: Fields;
	/** A query that fields cannot describe, as a schema for the release's validator */
	querySchema?: unknown;
	body?: Fields;
	/** A body that fields cannot describe, as a schema for the release's validator */
	bodySchema?: unknown;
	params?: Fields;
	/** runs before anything is read or checked */
	onRequest?: (request: FastifyRequest, reply: FastifyReply) => unknown;
}

declare module 'fastify' {
	interface FastifyRequest {
		/** of a fault: at most this many rows a page */
		pageCap?: number;
	}
}

/** What every route file receives. */
export interface Context {
	traits: ReleaseTraits;
	own: ServiceData;
	other: ServiceData;
	auth: Authorization;
	sessions: Sessions;
	edition: Edition;
	plan: Plan;
	options: ServiceOptions;
	/** dates the changes */
	time: Clock;
	/** ms since 1970, for the end of tokens and rate limits */
	clock(): number;
	/** Time of the next change, from a counter so that test runs are repeatable */
	now(): string;
	/** carries out changes of flows */
	flowChanges: FlowChanges;
	/** ends with the service */
	waits: Waits;
	webhooks: Webhooks;
	/**
	 * Adds a route below /api unless it should be left out.
	 * @param path as in Fastify, e.g. /v1/folders/:id
	 */
	route(method: Method, path: string, handler: Handler, schema?: RouteSchema): void;
}

/** The `route` of a context: validates as the release does, and leaves out unwanted routes. */
export function routeAdder(
	app: FastifyInstance,
	traits: ReleaseTraits,
	without: ServiceOptions['without'] = [],
): Context['route'] {
	const left = new Set(without.map((route) => route.replace(/\{(\w+)\}/g, ':$1')));
	return (
		method,
		path,
		handler,
		{ query, querySchema, body, bodySchema, params, onRequest } = {},
	) => {
		if (left.has(`${method} ${path}`)) return;
		app.route({
			method,
			url: `/api${path}`,
			...(onRequest ? { onRequest: async (request, reply) => onRequest(request, reply) } : {}),
			schema: {
				...(query ? { querystring: makeSchema(query, traits.validation) } : {}),
				...(querySchema === undefined ? {} : { querystring: querySchema }),
				...(params ? { params: makeSchema(params, traits.validation) } : {}),
				...(body ? { body: makeSchema(body, traits.validation) } : {}),
				...(bodySchema === undefined ? {} : { body: bodySchema }),
			},
			handler: async (request, reply) => await handler(request, reply),
		});
	};
}

/** The parameters of a list request, with the page cap of a fault. */
export function pageRequest(request: FastifyRequest): PageRequest {
	const { limit, cursor } = request.query as PageRequest;
	return { limit, cursor, pageCap: request.pageCap };
}

/** The parameters every paged list takes. */
export const PAGE_FIELDS: Fields = { limit: { type: 'number' }, cursor: { type: 'string' } };
