import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { toUtc } from '../../nodes/Activepieces/descriptions/parameters';
import { idInUrl, recordUrl } from '../../nodes/Activepieces/descriptions/webApp';
import { parseRequestOptions } from '../../nodes/Activepieces/execution/requestOptions';
import { webhookTimeoutMs } from '../../nodes/Activepieces/transport/client/server';
import { requireBaseUrl } from '../../nodes/Activepieces/transport/credential/credential';
import { pathSegment } from '../../nodes/Activepieces/transport/ids';
import { cleanInput } from '../../nodes/Activepieces/transport/names';
import { describeValue } from '../../nodes/Activepieces/transport/texts';

const WORDLESS = { toString: 1 };

// Other values are in test/engine/values.
test.each([
	['a text', '"a text"'],
	['', '""'],
	['x'.repeat(101), 'a string of 101 characters'],
	[0, '0'],
	[NaN, 'NaN'],
	[true, 'true'],
	[null, 'null'],
	[undefined, 'undefined'],
	[['a'], 'a list'],
	[Symbol('x'), 'a symbol'],
	[10n ** 5_000n, 'a bigint'],
	[() => 1, 'a function'],
])('in a message, %p is described as %s', (value, words) =>
	expect(describeValue(value)).toBe(words),
);

describe('an ID', () => {
	const hostile = fc.constantFrom(
		...'../users/x ..\\users %2e%2e/ //evil.example/ a/../b ?a=b #x @host :80'.split(' '),
		...'\u2025\u0000\ud800',
	);
	const ids = fc.oneof(
		fc.string(),
		fc.string({ unit: 'binary' }),
		fc.string({ unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', ' ') }),
		fc.tuple(fc.string(), hostile, fc.string()).map((parts) => parts.join('')),
	);

	test('is one path segment of the same route, or refused', () => {
		fc.assert(
			fc.property(ids, (id) => {
				const result = pathSegment(id);
				if ('invalid' in result) {
					expect(cleanInput(id)).toMatch(/^(|\.|\.\.|null|undefined|NaN)$|\p{Surrogate}/u);
					return;
				}
				const url = new URL(`https://host.example/api/v1/folders/${result.segment}`);
				const [, segment] =
					/^https:\/\/host\.example\/api\/v1\/folders\/([^/?#]+)$/.exec(url.href) ?? [];
				expect(decodeURIComponent(segment)).toBe(cleanInput(id));
			}),
			{ numRuns: 2_000 },
		);
	});

	// Others are in test/engine/values.
	test.each<[unknown, object]>([
		[undefined, { invalid: 'is empty' }],
		['NaN', { invalid: 'is not an ID' }],
		['x'.repeat(1001), { invalid: 'is not an ID' }],
		[10n, { invalid: 'is not an ID' }],
		[0, { segment: '0' }],
		[' a\u200bb\u00adc\u2060\ufeff ', { segment: 'abc' }],
	])('%p gives %j', (value, result) => expect(pathSegment(value)).toEqual(result));
});

describe('a Base URL', () => {
	test('has one normalized form, with any slashes or /v1 at its end', () => {
		const url = fc.webUrl({ withQueryParameters: false, withFragments: false });
		const ending = fc.constantFrom('', '/', '//', '/v1', '/v1/');
		const holds = fc.property(url, ending, fc.constantFrom('', ' ', '\n'), (url, end, space) => {
			const plain = requireBaseUrl(url);
			expect(plain).toMatch(/[^/]$/);
			expect(requireBaseUrl(space + plain + end + space)).toBe(plain);
		});
		fc.assert(holds);
	});

	test.each([undefined, 5])('%p is an empty one', (value) => {
		expect(() => requireBaseUrl(value)).toThrow('Base URL is empty');
	});
});

describe('the URL of a record', () => {
	const CLOUD = 'https://cloud.activepieces.com/api';
	const flow = { id: 'f', projectId: 'p' };

	test.each([
		[CLOUD, 'https://cloud.activepieces.com/projects/p/flows/f'],
		['http://localhost:8080/api', 'http://localhost:8080/projects/p/flows/f'],
		['https://example.com/automation/api', 'https://example.com/automation/projects/p/flows/f'],
		['https://api.example.com', null],
		['https://example.com/my-api', null],
		[undefined, null],
	])('is in the web app of %s, and leads back', (baseUrl, url) => {
		expect(recordUrl(baseUrl, 'flow', flow)).toBe(url);
		if (url !== null) expect(idInUrl(baseUrl, 'flow', url)).toBe('f');
	});

	test('identifies the server also without a known web app', () => {
		const read = (address: string) => idInUrl('https://example.com', 'flow', address);
		expect(read('https://example.com/projects/p/flows/f')).toBe('f');
		expect(read('https://elsewhere.example/projects/p/flows/f')).toBeUndefined();
	});

	const NO_ADDRESSES = ['f', '', 'ftp://cloud.activepieces.com/flows/f', 'https://', '/flows/f'];
	test.each(NO_ADDRESSES)('is not %j', (text) => {
		expect(idInUrl(CLOUD, 'flow', text)).toBeUndefined();
	});

	const kinds = fc.constantFrom('flow', 'flowRun', 'project');
	const ids = fc.oneof(
		fc.string({ unit: 'binary', maxLength: 30 }),
		fc.constantFrom('..', '.', '../../x', '//evil.example', '?', '#', '%2e%2e', '\\', '@evil'),
		fc.constantFrom<IDataObject[string]>('', null, { toString: 'x' }, 'a)](//evil?x=<b>&"'),
	);

	const PAGE = /^https:\/\/cloud\.activepieces\.com\/projects(\/[^/?#\s"<>[\]]+){1,3}$/;
	test('stays on the server, whatever the IDs are', () => {
		fc.assert(
			fc.property(kinds, ids, ids, (kind, id, projectId) => {
				const url = recordUrl(CLOUD, kind, { id, projectId });
				if (url === null) return;
				expect(url).toMatch(PAGE);
				expect(new URL(url).href).toBe(url);
			}),
		);
	});
});

describe('Request Options', () => {
	const proxy = (host: string, port: number, protocol = 'http') => ({ host, port, protocol });
	const auth = { username: 'us@er', password: 'p:ss' };
	const withAuth = { ...proxy('proxy.example', 3128), auth };
	const LONGEST = 2 ** 31 - 1;
	const parse = (options?: object) => {
		const read = () => options;
		return parseRequestOptions({ get: read, raw: read });
	};

	test.each<[object | undefined, object]>([
		[{ proxy: 'http://proxy.example:3128' }, { proxy: proxy('proxy.example', 3128) }],
		[{ proxy: 'http://proxy.example' }, { proxy: proxy('proxy.example', 80) }],
		[{ proxy: 'https://proxy.example' }, { proxy: proxy('proxy.example', 443, 'https') }],
		[{ proxy: ' https://a.example:8443/ ' }, { proxy: proxy('a.example', 8443, 'https') }],
		[{ proxy: 'http://us%40er:p%3Ass@proxy.example:3128' }, { proxy: withAuth }],
		[{ timeout: 5000 }, { timeoutMs: 5000 }],
		[{ timeout: '5000' }, { timeoutMs: 5000 }],
		[{ timeout: 0.5 }, { timeoutMs: 1 }],
		// Longer than a timer of Node.js can wait, which would then not wait at all.
		[{ timeout: 1e12 }, { timeoutMs: LONGEST }],
		[{ timeout: Infinity }, { timeoutMs: LONGEST }],
		[{ allowUnauthorizedCerts: true }, { skipSslCertificateValidation: true }],
		[{ allowUnauthorizedCerts: 'true' }, { skipSslCertificateValidation: true }],
		[{ allowUnauthorizedCerts: false }, { skipSslCertificateValidation: false }],
		[{ allowUnauthorizedCerts: 'false' }, { skipSslCertificateValidation: false }],
		...[undefined, {}, { proxy: '' }, { proxy: ' ' }, { allowUnauthorizedCerts: undefined }].map(
			(none): [object | undefined, object] => [none, {}],
		),
		...[0, '0', '', undefined, null].map((timeout): [object, object] => [{ timeout }, {}]),
	])('%j are the settings %j', (options, settings) => {
		expect(parse(options)).toEqual({ settings, batching: undefined });
	});

	const NO_URLS = ['proxy.example:3128', 'socks5://proxy.example', 'http://', 'http:///x'];
	// Without the check, `us` would be the host of the proxy.
	const CUT = ['#', '/', '?', '\\'].map((sign) => `http://us:20${sign}24@host`);
	const UNENCODED = [
		...CUT,
		'http://us%er:pass@host',
		'https://us:10%@host:1',
		'http://us:a#b@c@d',
	];
	const NO_PROXIES = [...NO_URLS, ...UNENCODED, 'http://a b', 'http://a:no', WORDLESS];
	test.each<[string, string, unknown[]]>([
		['proxy', 'Proxy must be a URL that begins with http:// or https://', NO_PROXIES],
		['timeout', 'Timeout must be a number of milliseconds', ['soon', -1, NaN, true, WORDLESS]],
		['allowUnauthorizedCerts', 'Ignore SSL Issues must be true or false', ['yes', 1, WORDLESS]],
	])('of an invalid %s are refused: %s', (name, message, values) => {
		for (const value of values) {
			expect(() => parse({ [name]: value })).toThrow(message);
		}
	});

	test.each([
		[2, 1_500, { size: 2, intervalMs: 1_500 }],
		['2', '1500', { size: 2, intervalMs: 1_500 }],
		[0, 1_500, { size: 1, intervalMs: 1_500 }],
		[0.5, 1_500, { size: 1, intervalMs: 1_500 }],
		[-1, 1_500, undefined],
		[2, 0, { size: 2, intervalMs: 0 }],
		['', 0, undefined],
		[undefined, undefined, undefined],
		[WORDLESS, 1_500, { size: 1, intervalMs: 1_500 }],
		[2, WORDLESS, { size: 2, intervalMs: 0 }],
	])('with Items per Batch %j, Batch Interval %j', (batchSize, batchInterval, wanted) => {
		const batching = { batch: { batchSize, batchInterval } };
		expect(parse({ batching }).batching).toEqual(wanted);
	});
});

describe('a time', () => {
	const utc = (value: unknown, timeZone = 'Europe/Berlin') =>
		toUtc('Created After', value, timeZone);

	test.each([
		['2026-11-20T08:15:30.250Z', '2026-11-20T08:15:30.250Z'],
		['2026-11-20T08:15:30+02:00', '2026-11-20T06:15:30.000Z'],
		['2026-11-20T08:15:30-0530', '2026-11-20T13:45:30.000Z'],
		[' 2026-11-20T08:15Z ', '2026-11-20T08:15:00.000Z'],
		[new Date('2026-11-20T08:15:30Z'), '2026-11-20T08:15:30.000Z'],
		// Without a zone, in that of the workflow.
		['2026-11-20T08:00:00', '2026-11-20T07:00:00.000Z'],
		['2026-07-20 08:00', '2026-07-20T06:00:00.000Z'],
		['2026-11-20', '2026-11-19T23:00:00.000Z'],
		// The clocks of Berlin went from 2:00 to 3:00, and later from 3:00 back to 2:00.
		['2026-03-29T01:59:59', '2026-03-29T00:59:59.000Z'],
		['2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
		['2026-10-25T01:59:59', '2026-10-24T23:59:59.000Z'],
		['2026-10-25T03:00:00', '2026-10-25T02:00:00.000Z'],
		// In other zones, and of any year.
		['2026-01-01', '2025-12-31T10:00:00.000Z', 'Pacific/Kiritimati'],
		['2026-01-01T00:00:00.5', '2026-01-01T00:00:00.500Z', 'UTC'],
		['2028-02-29', '2028-02-29T00:00:00.000Z', 'UTC'],
		['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
		['0050-01-01T00:00:00', '0050-01-01T00:00:00.000Z', 'UTC'],
	])('%s is %s', (value, wanted, ...zone: string[]) => expect(utc(value, ...zone)).toBe(wanted));

	test('of a year before 100 is local in its zone', () => {
		expect(utc('0050-06-01', 'Asia/Tokyo')).toMatch(/^0050-05-31T14:/);
	});

	const NO_TIMES =
		'yesterday 2026 20.11.2026 2026-13-01 2026-02-30 2026-02-29 2026-02-29T08:00 2026-02-30T08:00:00Z ' +
		'2026-04-31T08:00:00+02:00 2026-00-10 2026-01-00 2026-11-20T08:60 2026-11-20T08:00:61Z ' +
		'2026-11-20T25:00:00Z 2026-11-20T25:00';
	const ODD = [Symbol('x'), WORDLESS, Object.create(null), {}, 7, new Date('x')];
	test.each([...NO_TIMES.split(' '), '9'.repeat(2_000_000), ...ODD])('%p is none', (value) => {
		expect(() => utc(value)).toThrow('Created After must be a date');
	});
});

test.each([
	[1e9, 86_400_000],
	[0, undefined],
])('a server that waits %j seconds for a flow waits %j milliseconds', (seconds, milliseconds) => {
	expect(webhookTimeoutMs({ WEBHOOK_TIMEOUT_SECONDS: seconds })).toBe(milliseconds);
});
