import formbody from '@fastify/formbody';
import fastify, {
	errorCodes,
	type FastifyError,
	type FastifyInstance,
	type FastifyServerFactory,
} from 'fastify';
import { parse } from 'qs';

import { ApplicationError, FrameworkError, ROUTE_NOT_FOUND } from './errors';
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
	useBodyParser(app, traits);
	addCommonAnswers(app);
	addErrors(app, traits);
	return app;
}

type JsonParser = ReturnType<FastifyInstance['getDefaultJsonParser']>;

function refusePrototype(key: string, value: unknown): unknown {
	if (key !== '__proto__') return value;
	throw new Error('Object contains forbidden prototype property');
}

/** Fastify 5.4 passed on the texts of JSON.parse and secure-json-parse, without a code. */
const oldJsonParser: JsonParser = (_request, body, done) => {
	const text = body.toString();
	if (text === '') return done(new errorCodes.FST_ERR_CTP_EMPTY_JSON_BODY());
	try {
		const value: unknown = JSON.parse(text);
		// Only then, also if it may be escaped: with a function for each value large bodies take long.
		if (/__proto__|\\u00/.test(text)) JSON.parse(text, refusePrototype);
		return done(null, value);
	} catch (error) {
		return done(new FrameworkError(400, (error as Error).message));
	}
};

/**
 * Each release parses the JSON of webhooks in its own way: an empty body is no error, and incomplete
 * JSON has no code (har/enterprise-0.73, a/15 and a/16; har/enterprise-0.85, a/16 and a/17).
 */
function useBodyParser(app: FastifyInstance, traits: ReleaseTraits): void {
	const usual = traits.old ? oldJsonParser : app.getDefaultJsonParser('error', 'error');
	app.removeContentTypeParser('application/json');
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
		if (!request.url.startsWith('/api/v1/webhooks/')) return usual(request, body as string, done);
		if (body.length === 0) return done(null);
		return oldJsonParser(request, body as string, done);
	});
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

function addErrors(app: FastifyInstance, traits: ReleaseTraits): void {
	app.setErrorHandler((error: FastifyError, request, reply) => {
		if (error instanceof ApplicationError) {
			return reply.status(error.statusCode).send({ code: error.errorCode, params: error.params });
		}
		if (traits.old && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
			error.message = `Unsupported Media Type: ${request.headers['content-type']}`;
		}
		return reply.send(error);
	});
}
