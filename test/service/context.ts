import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodType } from 'zod/v4';

import type { Authorization } from './auth';
import type { Clock } from './clock';
import type { FlowChanges } from './flowChanges';
import type { ServiceData } from './records';
import type { ReleaseTraits } from './releases';
import { type Fields, id, makeSchema, type Values } from './schema';
import type { Sessions } from './sessions';
import type { Edition, Plan, ServiceOptions } from './types';
import type { Waits } from './waits';
import type { Webhooks } from './webhooks';

type NoFields = Record<never, never>;

/** What a route checks before its handler runs. */
interface RouteSchema<Query extends Fields, Body extends Fields> {
	query?: Query;
	/** A query that fields cannot describe */
	querySchema?: ZodType;
	body?: Body;
	/** A body that fields cannot describe */
	bodySchema?: ZodType;
	params?: Fields;
	/** runs before anything is read or checked */
	onRequest?: (request: FastifyRequest, reply: FastifyReply) => unknown;
}

/** A request with the values of the fields that its route has checked. */
type CheckedRequest<Query extends Fields, Body extends Fields> = FastifyRequest & {
	params: Record<string, string>;
	query: Values<Query>;
	body: Values<Body>;
};

/** The schema of a route by ID, if the service checks its form. */
export const BY_ID = { params: { id } };

/** What every route file receives. */
export interface Context {
	traits: ReleaseTraits;
	own: ServiceData;
	/** own and the other one */
	platforms: ServiceData[];
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
	route<Query extends Fields = NoFields, Body extends Fields = NoFields>(
		method: 'GET' | 'POST' | 'DELETE',
		path: string,
		schema: RouteSchema<Query, Body>,
		handler: (request: CheckedRequest<Query, Body>, reply: FastifyReply) => unknown,
	): void;
}

/** The `route` of a context: validates as the release does, and leaves out unwanted routes. */
export function routeAdder(
	app: FastifyInstance,
	without: ServiceOptions['without'] = [],
): Context['route'] {
	const left = new Set(without.map((route) => route.replace(/\{(\w+)\}/g, ':$1')));
	return (method, path, checks, handler) => {
		if (left.has(`${method} ${path}`)) return;
		const { query, body, params, onRequest } = checks;
		const { querySchema = query && makeSchema(query) } = checks;
		const { bodySchema = body && makeSchema(body) } = checks;
		app.route({
			method,
			url: `/api${path}`,
			...(onRequest && { onRequest: async (request, reply) => onRequest(request, reply) }),
			schema: {
				...(querySchema !== undefined && { querystring: querySchema }),
				...(bodySchema !== undefined && { body: bodySchema }),
				...(params && { params: makeSchema(params) }),
			},
			handler: async (request, reply) => await handler(request as never, reply),
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
