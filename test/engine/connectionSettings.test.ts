import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../service';
import { limits, tryOnce } from './harness/built';
import { byId } from './harness/byId';
import { type Caller, CALLERS, NOTHING_WRONG } from './harness/callers';
import { useHostileServers } from './harness/hostile';
import type { startHostileServer } from './harness/hostileServer';
import { useHttpProxy } from './harness/httpProxy';
import { ALL_FLOWS, FOLDER, METRICS, RENAME, TEMPLATE } from './harness/parameters';
import { type TestContext, useService } from './harness/service';
import { signInCredential } from './harness/signIn';

const hostile = useHostileServers();
beforeEach(tryOnce);

const NAMES = Object.keys(CALLERS);

/** The message of a caller, with settings of its credential. */
const told = async (
	context: TestContext,
	name: string,
	fields: Caller['fields'] = {},
	parameters = METRICS,
) => {
	const { engine, baseUrl, credential } = context;
	const secrets = { ...signInCredential(context), apiKey: credential.apiKey };
	return await CALLERS[name]({ engine, baseUrl, secrets, fields, parameters });
};

describe('Ignore SSL Issues of the credential', () => {
	const context = useService({ tls: true });

	test.each(NAMES)('applies to %s, and without it the message names it', async (name) => {
		const message = await told(context, name);
		expect(message).toMatch(/The certificate of 127\.0\.0\.1:\d+ is not trusted/);
		expect(message).toContain('turn on Ignore SSL Issues in the credential');
		expect(context.requests).toEqual([]);
		expect(await told(context, name, { allowUnauthorizedCerts: true })).toBe(NOTHING_WRONG);
		expect(context.requests).not.toEqual([]);
		// An expression gives it as text.
		expect(await told(context, name, { allowUnauthorizedCerts: 'true' })).toBe(NOTHING_WRONG);
	});

	test('gives way to Request Options of the node', async () => {
		const credential = { ...context.credential, allowUnauthorizedCerts: true };
		const options = [false, true].map((allowUnauthorizedCerts) => ({ allowUnauthorizedCerts }));
		await context.failure({ ...METRICS, requestOptions: options[0] }, { credential });
		await context.records({ ...METRICS, requestOptions: options[1] });
	});
});

/** Proxies that do not work: their response to a request and to a tunnel, and the message. */
const BAD_PROXIES: Array<[string, [...Parameters<typeof startHostileServer>], RegExp]> = [
	[
		'that wants a login',
		[
			(response) => response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end(),
			'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n',
		],
		/^The proxy 127\.0\.0\.1:\d+ requires a username and password/,
	],
	[
		'that is no proxy',
		[({ socket }) => socket?.end('220 mail.example ESMTP\r\n'), '220 mail.example ESMTP\r\n'],
		/through the proxy 127\.0\.0\.1|Proxy in the credential.*: the proxy is 127\.0\.0\.1/,
	],
];

describe.each([false, true])('Proxy of the credential, server with TLS: %j', (tls) => {
	const context = useService({ tls });
	const given = useHttpProxy();
	const settings = (address: string) => ({ proxy: address, allowUnauthorizedCerts: true });

	test.each(NAMES)('applies to all of %s, and receives its user', async (name) => {
		const { proxy } = given;
		const address = proxy.url.replace('://', '://us%40er:p%3Ass@');
		expect(await told(context, name, settings(address))).toBe(NOTHING_WRONG);
		expect(proxy.targets).toHaveLength(context.requests.length);
		const authorization = `Basic ${Buffer.from('us@er:p:ss').toString('base64')}`;
		expect(new Set(proxy.authorizations)).toEqual(new Set([authorization]));
	});

	describe.each(BAD_PROXIES)('one %s', (_what, answers, message) => {
		test.each(NAMES)('is named by %s', async (name) => {
			const { host } = await hostile.start(...answers);
			const text = await told(context, name, settings(`http://us:correct-horse@${host}`));
			expect(text).toMatch(message);
			expect(text).not.toContain('correct-horse');
			expect(context.requests).toEqual([]);
		});
	});

	test.each(NAMES)('is named by %s when it does not respond, or is not a proxy', async (name) => {
		expect(await told(context, name, settings('http://127.0.0.1:1'))).toMatch(
			/The proxy 127\.0\.0\.1:1 does not respond.*Check Proxy in the credential/,
		);
		expect(await told(context, name, settings('proxy.example:3128'))).toMatch(
			/Proxy must be a URL that begins with http:\/\/ or https:\/\/.*Change Proxy in the credential/,
		);
		expect(context.requests).toEqual([]);
	});

	test('gives way to Request Options of the node', async () => {
		const parameters = { ...METRICS, requestOptions: { proxy: given.proxy.url } };
		const text = await told(context, 'the node', settings('http://127.0.0.1:1'), parameters);
		expect(text).toBe(NOTHING_WRONG);
		expect(given.proxy.targets).not.toEqual([]);
	});
});

const context = useService();

describe('Timeout of the credential', () => {
	test.each(['50', 50])(
		'is overridden by Request Options, a text or a number: %j',
		async (timeout) => {
			context.fault({ kind: { delay: 20_000 } });
			const parameters = { ...METRICS, requestOptions: { timeout } };
			const message = await told(context, 'the node', { timeout: 60_000 }, parameters);
			expect(message).toContain('did not respond in time');
		},
	);
});

describe('advice', () => {
	test.each([
		['the node', /set Batching under Request Options in the Settings tab/],
		['a locator', /Wait a moment, then open the list again/],
		['the trigger', /Set a longer interval in Poll Times/],
		['the credential test', /Wait a moment, then test the credential again/],
	])('for too many requests fits its place: %s', async (name, advice) => {
		context.fault({ kind: { status: 429 } });
		expect(await told(context, name)).toMatch(advice);
	});

	/** Operations of the node: on lists, and on one record, without filters and pages. */
	const OPERATIONS: Record<string, INodeParameters> = {
		'the node': METRICS,
		'a list': ALL_FLOWS,
		'folder create': { ...RENAME, operation: 'create', projectId: byId('abc') },
		'folder get': FOLDER,
		'template delete': TEMPLATE,
		publish: { resource: 'flow', operation: 'publish', flowId: byId('abc') },
	};
	const IN_NODE = [...Object.keys(OPERATIONS), 'signing in'];
	const TESTS = ['the credential test', 'the test of signing in'];

	/** Words that fit one place only, and the places that use them. */
	const ONLY_IN: Array<[RegExp, string[]]> = [
		[/Settings tab|Batching|[Rr]un the node|fields of the node/, IN_NODE],
		[/[Ff]ilters|Page Size|\bLimit\b/, ['a list']],
		[/fields of the trigger|Poll Times|next poll/, ['the trigger']],
		[/By ID|search/, ['a locator']],
		[/fields of the credential|[Tt]est the credential/, TESTS],
		[/Email and Password/, ['signing in', 'the test of signing in']],
		[/Request Options/, [...IN_NODE, 'a locator']],
	];

	/** Checks the words of every place. */
	const expectFitting = async (fields?: Caller['fields'], words = /\w/) => {
		for (const place of new Set([...NAMES, ...IN_NODE])) {
			const name = place in OPERATIONS ? 'the node' : place;
			const message = await told(context, name, fields, OPERATIONS[place]);
			expect([place, message]).not.toEqual([place, NOTHING_WRONG]);
			expect(message).toMatch(words);
			for (const [notThere, places] of ONLY_IN) {
				if (places.includes(place)) continue;
				expect([place, message]).toEqual([place, expect.not.stringMatching(notThere)]);
			}
		}
	};
	test.each<FaultKind>([
		// All forms of these lead to the same message.
		...[304, 307, 402, 409, 413, 414, 418, 429, 431].map((status) => ({ status })),
		...(['application', 'framework', 'html'] as const).flatMap((shape) =>
			[400, 401, 403, 404, 407, 500, 503].map((status) => ({ status, shape })),
		),
		{ status: 500, body: { message: 'invalid byte sequence for encoding "UTF8"' } },
		{ status: 400, body: { message: 'querystring/limit must be a number' } },
	])('fits its place: %j', async (kind) => {
		context.fault({ kind });
		await expectFitting();
	});

	test('fits its place: responses that are too large', async () => {
		limits.maxResponseBytes = 1000;
		limits.maxSignInBytes = 1000;
		context.fault({ kind: { body: { text: 'x'.repeat(2000) } } });
		await expectFitting({}, /is larger than/);
	});

	test.each(['http://127.0.0.1:1', 'http://proxy.invalid:1'])('fits: proxy %s', async (proxy) => {
		await expectFitting({ proxy }, /Check Proxy in the credential/);
	});

	test('a 3xx status without a target is not called a redirect', async () => {
		context.fault({ kind: { status: 304 } });
		const message = await told(context, 'the node');
		expect(message).toContain('The server responded with HTTP 304');
		expect(message).not.toContain('redirect');
	});
});

test('a credential that n8n cannot read has to be selected again', async () => {
	const credential = () => {
		throw new Error('Credential with ID "1" does not exist for type "activepiecesApi".');
	};
	const error = await context.failure(METRICS, { credential });
	expect(error.message).toBe('The credential could not be read');
	expect(error.description).toContain('Select a credential in the node.');
	expect(context.requests).toEqual([]);
});
