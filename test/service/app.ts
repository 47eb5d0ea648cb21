import formbody from '@fastify/formbody';
import fastify, {
	type FastifyError,
	type FastifyInstance,
	type FastifyServerFactory,
} from 'fastify';
import { parse } from 'qs';

import { ApplicationError, ROUTE_NOT_FOUND } from './errors';
import { WEB_APP } from './nginx';
import type { ReleaseTraits } from './releases';
import { ajvCompiler, zodCompiler } from './schema';

/**
 * The query parser of a release. One qs is installed here, the releases carried several: older ones
 * limited only `k[i]` indices, newer ones any repeated key.
 */
export function queryParser({ repeatLimit, indexLimit }: ReleaseTraits) {
	return (text: string): Record<string, unknown> => {
		const indices = [...text.matchAll(/(?:\[|%5B)(\d+)(?:\]|%5D)/gi)].map((match) =>
			Number(match[1]),
		);
		const beyond = indices.some((index) => index > indexLimit);
		return parse(text, { arrayLimit: beyond ? indexLimit : (repeatLimit ?? 1_000_000) });
	};
}

/** The framework as a release configures it, without routes. */
export async function makeApp(
	traits: ReleaseTraits,
	serverFactory: FastifyServerFactory,
): Promise<FastifyInstance> {
	const app = fastify({
		logger: false,
		forceCloseConnections: true,
		bodyLimit: 54 * 1024 * 1024,
		routerOptions: { ignoreTrailingSlash: true, querystringParser: queryParser(traits) },
		serverFactory,
	});
	app.setValidatorCompiler(traits.validation === 'zod' ? zodCompiler : ajvCompiler);
	await app.register(formbody, { parser: (text) => parse(text) });
	addCommonAnswers(app);
	addErrors(app);
	return app;
}

function addCommonAnswers(app: FastifyInstance): void {
	app.addHook('onRequest', async (request, reply) => {
		reply.headers({
			'access-control-allow-origin': '*',
			'access-control-expose-headers': '*',
			'strict-transport-security': 'max-age=31536000; includeSubDomains; preload',
			'x-content-type-options': 'nosniff',
		});
		// Before the body is read: the response for an unknown route is 404 whatever the body is.
		if (!request.is404) return;
		if (request.url === '/api' || /^\/api[/?]/.test(request.url)) {
			return await reply.status(404).send(ROUTE_NOT_FOUND);
		}
		return await reply.type('text/html; charset=utf-8').send(WEB_APP);
	});
}

function addErrors(app: FastifyInstance): void {
	app.setErrorHandler((error: FastifyError, _request, reply) => {
		if (error instanceof ApplicationError) {
			return reply.status(error.statusCode).send({ code: error.errorCode, params: error.params });
		}
		return reply.send(error);
	});
}
