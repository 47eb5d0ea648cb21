import * as fc from 'fast-check';

import { type Answer, readAnswer } from '../../nodes/Activepieces/transport/answer';
import type { TroubleKind } from '../../nodes/Activepieces/transport/connectionTrouble';
import { readTrouble } from '../../nodes/Activepieces/transport/connectionTrouble';
import { patience } from '../../nodes/Activepieces/transport/patience';
import {
	inWords,
	isInDoubt,
	type Outcome,
	waitBeforeNext,
} from '../../nodes/Activepieces/transport/retry';
import { readRetryAfter } from '../../nodes/Activepieces/transport/retryAfter';

const answer = (status: number, headers = {}, body: unknown = {}): { answer: Answer } => ({
	answer: readAnswer({ statusCode: status, headers, body: body as object }),
});
const trouble = (kind: TroubleKind): Outcome => ({ trouble: { kind } });
const once = { tries: 1, elapsed: 0 };
const METHODS = ['GET', 'DELETE', 'POST'] as const;

const repeatedFor = (outcome: Outcome) =>
	METHODS.filter((method) => waitBeforeNext(outcome, method, once, patience.run) !== undefined);

test('what a workflow waits for and what a person in the editor does', () => {
	expect(patience).toEqual({
		run: { tries: 5, total: 120_000 },
		list: { tries: 2, total: 3_000 },
		backoff: { first: 500, factor: 2, longest: 8_000 },
		longestAsked: 60_000,
		outage: 10,
		share: 1,
	});
});

describe('which outcomes are worth another try', () => {
	test.each<[string, Outcome, readonly string[], boolean]>([
		['429', answer(429), METHODS, false],
		['502', answer(502), ['GET', 'DELETE'], true],
		['503', answer(503), METHODS, true],
		['504', answer(504), ['GET', 'DELETE'], true],
		['an unknown host', trouble('unknownHost'), METHODS, false],
		['a refused connection', trouble('notConnected'), METHODS, false],
		['a lost way', trouble('unreachable'), ['GET', 'DELETE'], true],
		['a time-out', trouble('timedOut'), ['GET', 'DELETE'], true],
		['a cut connection', trouble('cut'), ['GET', 'DELETE'], true],
		['a certificate', trouble('untrusted'), [], false],
		['no TLS', trouble('noTls'), [], false],
		['anything else', trouble('other'), [], false],
	])('%s', (_name, outcome, methods, inDoubt) => {
		expect(repeatedFor(outcome)).toEqual(methods);
		expect(isInDoubt(outcome, 'DELETE')).toBe(inDoubt);
	});

	test('no other status', () => {
		for (let status = 200; status < 600; status++) {
			if (![429, 502, 503, 504].includes(status)) expect(repeatedFor(answer(status))).toEqual([]);
		}
	});

	test('half a JSON text that came whole would come again; one that ended with the connection may be cut', () => {
		const half = '{"data":[{"id":';
		expect(repeatedFor(answer(200, { 'content-length': '15' }, half))).toEqual([]);
		expect(repeatedFor(answer(200, { 'transfer-encoding': 'chunked' }, half))).toEqual([]);
		expect(repeatedFor(answer(200, { connection: 'close' }, half))).toEqual(['GET']);
		expect(repeatedFor(answer(200, { 'content-type': 'text/html' }, '<html>'))).toEqual([]);
	});
});

test('a way lost before the connection is one on which nothing was sent', () => {
	const thrown = (message: string) => readTrouble(Object.assign(new Error(message))).kind;
	expect(thrown('connect ECONNREFUSED 127.0.0.1:1')).toBe('notConnected');
	expect(thrown('connect EHOSTUNREACH 10.0.0.1:443')).toBe('notConnected');
	expect(thrown('read EHOSTUNREACH')).toBe('unreachable');
});

describe('how long is waited', () => {
	test('each wait is anything up to twice the one before, within the bounds', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 6 }),
				fc.integer({ min: 0, max: 130_000 }),
				fc.double({ min: 0, max: 1, noNaN: true }),
				fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
				(tries, elapsed, random, asked) => {
					const headers = asked === undefined ? {} : { 'retry-after': String(asked) };
					const outcome = answer(503, headers);
					const wait = waitBeforeNext(outcome, 'GET', { tries, elapsed }, patience.run, random);
					if (wait === undefined) {
						const longest = asked === undefined ? 8_000 : asked * 1000 + 500;
						expect(tries >= 5 || (asked ?? 0) > 60 || elapsed + longest > 120_000).toBe(true);
						return;
					}
					expect(tries).toBeLessThan(5);
					expect(elapsed + wait).toBeLessThanOrEqual(120_000);
					expect(wait).toBeGreaterThanOrEqual((asked ?? 0) * 1000);
					expect(wait).toBeLessThanOrEqual(
						asked === undefined ? 500 * 2 ** (tries - 1) : asked * 1000 + 500,
					);
				},
			),
			{ numRuns: 2_000 },
		);
	});

	test('the minute that the service asks for is waited for, a second more is not', () => {
		const wait = (seconds: number, random: number) => {
			const outcome = answer(429, { 'retry-after': String(seconds) });
			return waitBeforeNext(outcome, 'POST', once, patience.run, random);
		};
		expect(wait(60, 0)).toBe(60_000);
		expect(wait(60, 1)).toBe(60_500);
		expect(wait(61, 0)).toBeUndefined();
	});

	test('a person who looks at a list is not kept for a minute', () => {
		const outcome = answer(429, { 'retry-after': '60' });
		expect(waitBeforeNext(outcome, 'GET', once, patience.list)).toBeUndefined();
	});
});

describe('Retry-After', () => {
	const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';

	test.each([
		['60', undefined, 60_000],
		['1.5', undefined, 1_500],
		['Wed, 21 Oct 2026 07:28:30 GMT', DATE, 30_000],
		['Wed, 21 Oct 2026 07:27:00 GMT', DATE, undefined],
		['0', undefined, undefined],
		['-5', undefined, undefined],
		['soon', undefined, undefined],
		['', undefined, undefined],
		[undefined, undefined, undefined],
	])('%s on a server where it is %s', (value, date, wait) => {
		expect(readRetryAfter(value, date)).toBe(wait);
	});

	test('a date is measured on the own clock where the server does not tell its own', () => {
		const wait = readRetryAfter(new Date(Date.now() + 30_000).toUTCString());
		expect(wait).toBeGreaterThan(20_000);
		expect(wait).toBeLessThanOrEqual(30_000);
	});

	test('anything at all gives a wait or none, never a throw', () => {
		fc.assert(
			fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (value, date) => {
				const wait = readRetryAfter(value, date);
				expect(wait === undefined || wait > 0).toBe(true);
			}),
			{ numRuns: 2_000 },
		);
	});
});

test.each([
	[1, 90_000, ''],
	[2, 300, ', after 2 tries in less than a second'],
	[3, 1_400, ', after 3 tries in 1 second'],
	[5, 12_000, ', after 5 tries in 12 seconds'],
])('%i tries in %i ms are told as "%s"', (tries, elapsed, words) => {
	expect(inWords({ tries, elapsed, isInDoubt: false })).toBe(words);
});
