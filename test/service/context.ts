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

type Method = 'GET' | 'POST' | 'DELETE';
type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

declare module 'fastify' {
	interface FastifyRequest {
		/** of a fault: at most this many rows a page */
		pageCap?: number;
	}
}

/** What a route takes; a body that fields do not describe comes as a schema for the release's validator. */
interface RouteSchema {
	path?: Fields;
	query?: Fields;
	body?: Fields;
	bodySchema?: unknown;
}

/** What every route file is given. */
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
	clock: Clock;
	/** time of the next change, from a counter so that runs repeat */
	now(): string;
	/** carries out changes of flows */
	flowChanges: FlowChanges;
	/**
	 * Adds a route below /api unless it is to be left out.
	 * @param path as in Fastify, e.g. /v1/folders/:id
	 */
	route(method: Method, path: string, handler: Handler, schema?: RouteSchema): void;
}

/** The `route` of a context: validates as the release does, and leaves out what is not wanted. */
export function routeAdder(
	app: FastifyInstance,
	traits: ReleaseTraits,
	without: ServiceOptions['without'] = [],
): Context['route'] {
	const left = new Set(without.map((route) => route.replace(/\{(\w+)\}/g, ':$1')));
	return (method, path, handler, { path: ids, query, body, bodySchema } = {}) => {
		if (left.has(`${method} ${path}`)) return;
		app.route({
			method,
			url: `/api${path}`,
			schema: {
				...(ids ? { params: makeSchema(ids, traits.validation) } : {}),
				...(query ? { querystring: makeSchema(query, traits.validation) } : {}),
				...(body ? { body: makeSchema(body, traits.validation) } : {}),
				...(bodySchema === undefined ? {} : { body: bodySchema }),
			},
			handler: async (request, reply) => await handler(request, reply),
		});
	};
}

/** What a list request asks, with the cap of a fault. */
export function pageRequest(request: FastifyRequest): PageRequest {
	const { limit, cursor } = request.query as PageRequest;
	return { limit, cursor, pageCap: request.pageCap };
}

/** The parameters every paged list takes. */
export const PAGE_FIELDS: Fields = { limit: { type: 'number' }, cursor: { type: 'string' } };
