import { callResult } from '../../nodes/Activepieces/resources/flow/flowResponse';
import { classifyConnectionError } from '../../nodes/Activepieces/transport/connectionError';
import { limits } from '../../nodes/Activepieces/transport/limits';
import { createRedactor, NO_SECRETS } from '../../nodes/Activepieces/transport/redact';
import { type ApiResponse, parseResponse } from '../../nodes/Activepieces/transport/response';
import type { AttemptResult } from '../../nodes/Activepieces/transport/exchange';
import { judge, nextRetryDelay } from '../../nodes/Activepieces/transport/retry';

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
	METHODS.filter((method) => nextRetryDelay(result, method, first, limits.execution) !== undefined);

// Other limits are used below and in test/engine.
test('how long a workflow waits, and how long a person in the editor waits', () => {
	expect(limits).toMatchObject({
		requestTimeoutMs: 300_000,
		credentialTestTimeoutMs: 30_000,
		listSearch: { maxElapsedMs: 3_000 },
		locatorMaxElapsedMs: 30_000,
	});
});

// Others are in test/engine/faults.
test.each<[string, AttemptResult, readonly string[], boolean]>([
	['503 of a proxy in JSON', response(503, {}, '{"statusCode":503}'), NOT_POST, true],
	['503 of a gateway', response(503, {}, '{"code":503,"message":"timeout"}'), NOT_POST, true],
	['503 of a mesh', response(503, {}, '{"code":"UNAVAILABLE","message":"-"}'), NOT_POST, true],
	['503 in another form', response(503, {}, '{"statusCode":503,"message":"-"}'), NOT_POST, true],
	['an unknown host', failed('unknownHost'), METHODS, false],
	['a refused connection', failed('connectionRefused'), METHODS, false],
	['no connection in time', failed('connectTimeout'), METHODS, false],
	['a lost way', failed('unreachable'), NOT_POST, true],
	['a certificate', failed('untrustedCertificate'), [], false],
	['no TLS', failed('tlsProtocol'), [], true],
	['anything else', failed('other'), [], true],
])('is %s worth another attempt?', (_name, result, methods, ambiguous) => {
	expect(retriedFor(result)).toEqual(methods);
	expect(judge(result, 'DELETE').outcome).toBe(ambiguous ? 'maybe' : 'nothing');
});

// Proxies, such as Cloudflare in front of Cloud, add headers of their own.
const OF_PROXIES = 'cf-ray cf-cache-status alt-svc Via keep-alive x-request-id'.split(' ');
const FAILED = 'The flow has failed and there is no response returned';
test.each<[number, unknown, number | undefined, string, object?]>([
	// The timer of the server and ours differ a little, and it may not say how long it waits.
	[204, '', 960, 'timedOut'],
	[204, '', 900, 'answered'],
	[204, '', 960, 'answered', { 'x-flow': 'a' }],
	[408, {}, undefined, 'timedOut'],
	[413, { message: 'Too many rows' }, 900, 'answered'],
	[500, { message: 'An internal error has occurred' }, 900, 'failed'],
	[500, { message: FAILED, code: 1 }, 900, 'answered'],
	[422, { message: FAILED }, 900, 'answered'],
])('a %d with %j after %p ms of a second: %s', (status, body, elapsedMs, result, ...more) => {
	const headers = { ...Object.fromEntries(OF_PROXIES.map((name) => [name, 'a'])), ...more[0] };
	const answer = { headers, text: '', content: Buffer.alloc(0), elapsedMs: elapsedMs ?? 900 };
	const { response: ended } = response(status, {}, body) as { response: ApiResponse };
	expect(callResult(ended, answer, elapsedMs && 1000)).toBe(result);
});

test('no other status is worth another attempt', () => {
	const retried = Array.from({ length: 400 }, (_, index) => 200 + index).filter(
		(status) => retriedFor(response(status)).length > 0,
	);
	const cloudflare = Array.from({ length: 11 }, (_, index) => 520 + index);
	expect(retried).toEqual([408, 425, 429, 502, 503, 504, ...cloudflare]);
});

test.each<[Kind, string]>([
	['connectionRefused', 'connect ECONNREFUSED 127.0.0.1:1'],
	['connectionRefused', 'connect EHOSTUNREACH 10.0.0.1:443, connect ENETUNREACH 10.0.0.1:443'],
	['unreachable', 'read EHOSTUNREACH, read ENETUNREACH'],
	['connectTimeout', 'connect ETIMEDOUT 10.0.0.1:443'],
	['timeout', 'read ETIMEDOUT, timeout of 150ms exceeded, Connection timed out'],
	['connectionReset', 'socket hang up, write EPIPE, read ECONNRESET, Parse Error: Expected HTTP/'],
	[
		'connectionReset',
		'ERR_STREAM_PREMATURE_CLOSE, unexpected end of file, stream has been aborted',
	],
	['unknownHost', 'getaddrinfo EAI_AGAIN ap.example, getaddrinfo ENOTFOUND ap.example'],
	['untrustedCertificate', 'CERT_HAS_EXPIRED, CERT_NOT_YET_VALID, ERR_TLS_CERT_ALTNAME_INVALID'],
	['untrustedCertificate', 'UNABLE_TO_GET_ISSUER_CERT, self-signed certificate'],
	['tlsProtocol', 'write EPROTO 0:error, wrong version number, SSL routines:error'],
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

describe('waits', () => {
	test('the maximum wait doubles each time, within the time of the run', () => {
		const result = response(503);
		const delay = (count: number, random: number, elapsedMs = 0) =>
			nextRetryDelay(result, 'GET', { count, elapsedMs }, limits.execution, random);
		const longest = [1, 2, 3, 4, 5].map((count) => delay(count, 1));
		expect(longest).toEqual([500, 1_000, 2_000, 4_000, undefined]);
		expect([1, 2, 3, 4].map((count) => delay(count, 0.5))).toEqual([250, 500, 1_000, 2_000]);
		expect([119_500, 119_501].map((elapsedMs) => delay(1, 1, elapsedMs))).toEqual([500, undefined]);
	});

	test('nothing is sent again when the time is over, or after the final result', () => {
		const policy = (ms: number) => ({ ...limits.execution, remainingMs: () => ms });
		const result = response(503);
		expect(nextRetryDelay(result, 'GET', first, policy(500), 1)).toBe(500);
		expect(nextRetryDelay(result, 'GET', first, policy(499), 1)).toBeUndefined();
		expect(retriedFor({ ...result, isFinal: true })).toEqual([]);
	});

	test('a wait of a minute, as the service asks for, is accepted, a second more is not, and none is for a person', () => {
		const delay = (seconds: number, random: number, policy = limits.execution) => {
			const result = response(429, { 'retry-after': String(seconds) });
			return nextRetryDelay(result, 'POST', first, policy, random);
		};
		expect([delay(60, 0), delay(60, 1)]).toEqual([60_000, 60_500]);
		expect([delay(61, 0), delay(60, 0, limits.listSearch)]).toEqual([undefined, undefined]);
	});
});
