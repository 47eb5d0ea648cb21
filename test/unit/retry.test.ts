import { callResult } from '../../nodes/Activepieces/resources/flow/flowResponse';
import { classifyConnectionError } from '../../nodes/Activepieces/transport/http/connectionError';
import { createRedactor, NO_SECRETS } from '../../nodes/Activepieces/transport/http/redact';
import {
	AttemptResult,
	parseResponse,
	type ApiResponse,
} from '../../nodes/Activepieces/transport/http/response';
import { nextRetryDelay } from '../../nodes/Activepieces/transport/http/retry';
import {
	mayRepeat,
	rowOf,
	verdictOf,
	VERDICTS,
} from '../../nodes/Activepieces/transport/http/verdict';
import { limits } from '../../nodes/Activepieces/transport/limits';
import { inRanges } from '../tools/docs/ranges';

type Kind = ReturnType<typeof classifyConnectionError>['kind'];
const REDACTOR = createRedactor(NO_SECRETS);

const response = (statusCode: number, headers = {}, body: unknown = {}): AttemptResult => ({
	response: parseResponse({ statusCode, headers, body: body as object }, REDACTOR),
});
const failed = (kind: Kind) => ({ connectionError: { kind } });
const first = { count: 1, elapsedMs: 0 };
const METHODS = ['GET', 'DELETE', 'POST'] as const;
const NOT_POST = ['GET', 'DELETE'] as const;

const retriedFor = (result: AttemptResult) =>
	METHODS.filter(
		(method) =>
			mayRepeat(verdictOf(result, method), method) &&
			nextRetryDelay(result, first, limits.execution) !== undefined,
	);

// Other limits are used below and in test/engine.
test('how long a workflow waits, a poll for other tries, and a person in the editor', () => {
	expect(limits).toMatchObject({
		requestTimeoutMs: 300_000,
		credentialTestTimeoutMs: 30_000,
		poll: { maxElapsedMs: 15_000 },
		listSearch: { maxElapsedMs: 3_000 },
		locatorMaxElapsedMs: 30_000,
	});
});

/** The statuses and connection errors by what they mean; ranges are written as `520-530`. */
function meanings(kinds: string[], resultOf: (status: number) => AttemptResult) {
	const groups: Record<string, string[]> = {};
	const add = (result: AttemptResult, reason: number | Kind, name: string) => {
		const { outcome } = verdictOf(result, 'DELETE');
		const [first] = METHODS.filter((method) => !mayRepeat(verdictOf(result, method), method));
		const repeat = first === undefined ? 'all' : first === 'POST' ? 'exceptPost' : 'none';
		const { scope, n8nCause } = rowOf(reason);
		(groups[`${outcome}, repeat ${repeat}, ${scope}, ${n8nCause}`] ??= []).push(name);
	};
	for (const kind of kinds as Kind[]) add(failed(kind), kind, kind);
	for (let status = 200; status < 600; status++) add(resultOf(status), status, String(status));
	return Object.fromEntries(
		Object.entries(groups).map(([meaning, names]) => [meaning, inRanges(names).join(' ')]),
	);
}

const KINDS = Object.keys(VERDICTS).slice(0, Object.keys(VERDICTS).indexOf('badRequest'));

test('what a connection error means, and a status that is not of the service', () => {
	expect(meanings(KINDS, response)).toEqual({
		'nothing, repeat all, server, temporarily-unavailable': 'unknownHost notConnected',
		'nothing, repeat all, server, rate-limited': '429',
		'nothing, repeat all, request, temporarily-unavailable': '425',
		'maybe, repeat exceptPost, server, temporarily-unavailable': '502-503',
		'maybe, repeat exceptPost, request, temporarily-unavailable':
			'timeout connectionReset 408 504 520-530',
		'nothing, repeat none, server, credential-invalid': '401',
		'nothing, repeat none, server, configuration-invalid': 'untrustedCertificate 407',
		'nothing, repeat none, list, configuration-invalid': '404',
		'nothing, repeat none, request, configuration-invalid': '300-400 405 413-414 431',
		'maybe, repeat none, list, credential-invalid': '403',
		'maybe, repeat none, list, configuration-invalid': '402 409',
		'maybe, repeat none, request, configuration-invalid':
			'tooLarge 200-299 406 410-412 415-424 426-428 430 432-499',
		'maybe, repeat none, request, temporarily-unavailable': 'other 500-501 505-519 531-599',
	});
});

test('what a refusal of the service means', () => {
	const refusal = (status: number) => response(status, {}, { code: 'ANY', params: {} });
	expect(meanings([], refusal)).toEqual({
		'nothing, repeat all, server, temporarily-unavailable': '503',
		'nothing, repeat all, server, rate-limited': '429',
		'nothing, repeat all, request, temporarily-unavailable': '425',
		'maybe, repeat exceptPost, server, temporarily-unavailable': '502',
		'maybe, repeat exceptPost, request, temporarily-unavailable': '408 504 520-530',
		'nothing, repeat none, server, credential-invalid': '401',
		'nothing, repeat none, server, configuration-invalid': '407',
		'nothing, repeat none, list, credential-invalid': '403',
		'nothing, repeat none, list, configuration-invalid': '402 404 409',
		'nothing, repeat none, request, configuration-invalid':
			'300-400 405-406 410-424 426-428 430-499',
		'maybe, repeat none, request, configuration-invalid': '200-299',
		'maybe, repeat none, request, temporarily-unavailable': '500-501 505-519 531-599',
	});
});

test.each<[string, unknown, readonly string[]]>([
	['in JSON', '{"statusCode":503}', NOT_POST],
	['of a gateway', '{"code":503,"message":"timeout"}', NOT_POST],
	['of a mesh', '{"code":"UNAVAILABLE","message":"-"}', NOT_POST],
	['in another form', '{"statusCode":503,"message":"-"}', NOT_POST],
	['of the service', { code: 'ANY', params: {} }, METHODS],
])('a 503 %s', (_name, body, methods) => {
	expect(retriedFor(response(503, {}, body))).toEqual(methods);
});

test('a response that the end of the connection may have cut is requested again, if it is that of a GET', () => {
	expect(retriedFor(response(200, {}, '{"data":['))).toEqual(['GET']);
});

const FAILED = 'The flow has failed and there is no response returned';
test.each<[number, unknown, number | undefined, string]>([
	// The timer of the server and ours differ a little, and it may not say how long it waits.
	[204, '', 960, 'timedOut'],
	[204, '', 900, 'answered'],
	[408, {}, undefined, 'timedOut'],
	[413, { message: 'Too many rows' }, 900, 'answered'],
	[500, { message: 'An internal error has occurred' }, 900, 'failed'],
	[500, { message: FAILED, code: 1 }, 900, 'answered'],
	[422, { message: FAILED }, 900, 'answered'],
])('a %d with %j after %p ms of a second: %s', (status, body, elapsedMs, result) => {
	// Those of proxies and caches, such as Cloudflare in front of Cloud, which are no sign of the flow.
	const headers = { 'cf-ray': 'a', etag: 'a', nel: '{}', 'set-cookie': ['a'], 'x-cache': 'MISS' };
	const webhook = { headers, text: '', content: Buffer.alloc(0), elapsedMs: elapsedMs ?? 900 };
	const { response: ended } = response(status, {}, body) as { response: ApiResponse };
	expect(callResult({ ...ended, webhook }, elapsedMs && 1000)).toBe(result);
});

test.each<[Kind, string]>([
	['notConnected', 'connect ECONNREFUSED 127.0.0.1:1, connect ETIMEDOUT 10.0.0.1:443'],
	['notConnected', 'connect EHOSTUNREACH 10.0.0.1:443, connect ENETUNREACH 10.0.0.1:443'],
	['connectionReset', 'read EHOSTUNREACH, read ENETUNREACH'],
	['timeout', 'read ETIMEDOUT, timeout of 150ms exceeded, Connection timed out'],
	['connectionReset', 'socket hang up, write EPIPE, read ECONNRESET, Parse Error: Expected HTTP/'],
	['connectionReset', 'ERR_STREAM_PREMATURE_CLOSE, unexpected end of file, stream aborted'],
	['unknownHost', 'getaddrinfo EAI_AGAIN ap.example, getaddrinfo ENOTFOUND ap.example'],
	['untrustedCertificate', 'CERT_HAS_EXPIRED, CERT_NOT_YET_VALID, ERR_TLS_CERT_ALTNAME_INVALID'],
	['untrustedCertificate', 'UNABLE_TO_GET_ISSUER_CERT, self-signed certificate'],
	['other', 'write EPROTO 0:error, wrong version number, SSL routines:error, Z_DATA_ERROR'],
])('connection errors are %s: %s', (kind, messages) => {
	for (const message of messages.split(', ')) {
		const code = /E[A-Z]{6,}/.exec(message)?.[0];
		const error = Object.assign(new Error(message), { code });
		// As n8n throws it: with its own text, and the original error as the cause.
		const ofN8n = Object.assign(new Error('Failed', { cause: error }), { httpCode: code });
		const kinds = [error, ofN8n].map((each) => classifyConnectionError(each).kind);
		expect([message, ...kinds]).toEqual([message, kind, kind]);
	}
});

test.each<[Kind, string, string[]]>([
	['notConnected', 'ETIMEDOUT', ['connect ETIMEDOUT ::1:443', 'connect ENETUNREACH 10.0.0.1:443']],
	[
		'notConnected',
		'ENETUNREACH',
		['connect ENETUNREACH ::1:443', 'connect ETIMEDOUT 10.0.0.1:443'],
	],
])(
	'a host with several addresses, none of which can be connected to, is %s: %s',
	(kind, code, all) => {
		// As Node.js throws it since 20: the code of the first address, and no message.
		const error = Object.assign(new AggregateError(all.map((text) => new Error(text))), { code });
		const ofAxios = Object.assign(new Error('', { cause: error }), { code });
		expect([error, ofAxios].map((each) => classifyConnectionError(each).kind)).toEqual([
			kind,
			kind,
		]);
	},
);

describe('waits', () => {
	test('the maximum wait doubles each time, within the time of the run', () => {
		const result = response(503);
		const delay = (count: number, random: number, elapsedMs = 0) =>
			nextRetryDelay(result, { count, elapsedMs }, limits.execution, random);
		const longest = [1, 2, 3, 4, 5].map((count) => delay(count, 1));
		expect(longest).toEqual([500, 1_000, 2_000, 4_000, undefined]);
		expect([1, 2, 3, 4].map((count) => delay(count, 0.5))).toEqual([250, 500, 1_000, 2_000]);
		expect([119_500, 119_501].map((elapsedMs) => delay(1, 1, elapsedMs))).toEqual([500, undefined]);
	});

	test('nothing is sent again when the time is over, or after the final result', () => {
		const policy = (ms: number) => ({ ...limits.execution, remainingMs: () => ms });
		const result = response(503);
		expect(nextRetryDelay(result, first, policy(500), 1)).toBe(500);
		expect(nextRetryDelay(result, first, policy(499), 1)).toBeUndefined();
		expect(retriedFor({ ...result, isFinal: true })).toEqual([]);
	});

	test('a wait of a minute, as the service asks for, is accepted, a second more is not, and none is for a person', () => {
		const delay = (seconds: number, random: number, policy = limits.execution) => {
			const result = response(429, { 'retry-after': String(seconds) });
			return nextRetryDelay(result, first, policy, random);
		};
		expect([delay(60, 0), delay(60, 1)]).toEqual([60_000, 60_500]);
		expect([delay(61, 0), delay(60, 0, limits.listSearch)]).toEqual([undefined, undefined]);
	});
});
