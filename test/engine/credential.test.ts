import { FIRST_AND_LAST, type FaultKind } from '../service';
import { tryOnce } from './harness/built';
import { byId } from './harness/byId';
import { CALLERS, NOTHING_WRONG } from './harness/callers';
import { useHostileServers } from './harness/hostile';
import { useHttpProxy } from './harness/httpProxy';
import {
	ALL_FLOWS,
	CONNECTIONS,
	FLOWS,
	FOLDER,
	METRICS,
	RENAME,
	TEMPLATE,
	TEMPLATES,
} from './harness/parameters';
import { endSilences, useService, type TestContext } from './harness/service';
import { signInCredential } from './harness/signIn';

describe.each(FIRST_AND_LAST)('keys and addresses on release %s', (release) => {
	const context = useService({ release });

	/** The error for a credential with other values. */
	const failsWith = async (changes: object, ...failure: Parameters<typeof context.failsWith>) => {
		const [parameters, message, description] = failure;
		const credential = { ...context.credential, ...changes };
		return await context.failsWith(parameters, message, description, { credential });
	};

	test('a good key passes the test, with one request that every key may send', async () => {
		expect(await context.engine.testCredential(context.credential)).toMatchObject({ status: 'OK' });
		expect(context.requests.map(({ url }) => url)).toEqual(['/api/v1/projects?limit=1']);
	});

	test.each(['sk-wrong', 'sk-a.key', 'no-sk-key'])('every message names %s', async (apiKey) => {
		const folder = { ...FOLDER, folderId: byId(context.data.folders[0].id) };
		for (const parameters of [folder, TEMPLATE, METRICS, ALL_FLOWS]) {
			const refused = 'Activepieces did not accept the API key';
			const error = await failsWith({ apiKey }, parameters, refused, 'API Key in the credential');
			expect(error.description).toContain('The Community edition has none: there, use an');
			expect(error.httpCode).toBe('401');
		}
	});

	const PAGE = 'Base URL points to a web page, not to the Activepieces API';
	test.each([
		['', PAGE, '/api', undefined],
		['/projects/abc/flows', PAGE, '/api', '/projects/abc/flows/api'],
		['/apis', PAGE, '/api', '/apis/api'],
		['/api/v1/flows', /^This Activepieces server has no /, '/api', undefined],
		['/api/docs', /^This Activepieces server has no /, '/api', undefined],
	])('a Base URL of "%s" is corrected in the message', async (path, message, first, second) => {
		const advice = `The Base URL in the credential should probably end in /api. Try ${context.origin}${first}${(second && `, or ${context.origin}${second} if Activepieces is served under that path`) ?? ''}`;
		for (const parameters of [FOLDER, RENAME, CONNECTIONS, TEMPLATES]) {
			const error = await failsWith({ baseUrl: context.origin + path }, parameters, message);
			expect(error.description).toContain(advice);
		}
		const wrong = { ...context.credential, baseUrl: context.origin + path };
		expect((await context.engine.testCredential(wrong)).message).toContain(advice);
	});

	// Of proxies that do not know the path: Traefik, Envoy, Kong.
	test.each<[string, FaultKind]>([
		['in text', { status: 404, body: '404 page not found', contentType: 'text/plain' }],
		['without a body', { status: 404, body: '', contentType: 'text/plain' }],
		['in JSON', { status: 404, body: { message: 'no Route matched with those values' } }],
		['with 405', { status: 405, body: '', contentType: 'text/plain' }],
	])('a Base URL that the front answers with 404 %s is told as that', async (_how, kind) => {
		context.fault({ kind });
		const message = `A proxy in front of Activepieces responded that nothing was found (HTTP ${kind.status})`;
		for (const path of ['', '/projects/abc/flows', '/api/docs']) {
			const baseUrl = context.origin + path;
			for (const parameters of [FOLDER, RENAME, CONNECTIONS]) {
				await failsWith({ baseUrl }, parameters, message, `Try ${context.origin}/api`);
			}
			const test = await context.engine.testCredential({ ...context.credential, baseUrl });
			expect(test.message).toContain(message);
		}
		const byProxy = /^(?!Base URL).*\(HTTP 40[45]\)$/;
		await failsWith({}, FOLDER, byProxy, []);
	});

	test('a Base URL of a page with /api after it is corrected in the message', async () => {
		const baseUrl = `${context.origin}/projects/abc/api`;
		const advice = `Check that ${baseUrl}, the Base URL in the credential, is the URL of the API. If it includes the path of a page, try ${context.origin}/api`;
		await failsWith({ baseUrl }, CONNECTIONS, PAGE, advice);
	});

	test('an unknown project is named with its field', async () => {
		const message =
			/^(Project "proj" was not found|The API key is not allowed to access the project "proj")$/;
		await context.failsWith(FLOWS, message, 'Project');
	});
});

const context = useService();

// Others are in unit/values.test.ts, and keys in secrets.test.ts.
test.each([
	[{ apiKey: ' ' }, 'API Key is empty. Enter the complete'],
	[{ baseUrl: '' }, 'Base URL is empty'],
	[{ baseUrl: 'cloud.activepieces.com/api' }, 'Base URL must start with https:// or http://'],
	[{ baseUrl: 'https://' }, 'Base URL is not a valid URL'],
	[{ baseUrl: 'https://me:pass@ap.test/api' }, 'Base URL must not contain a username or password'],
	[{ baseUrl: 'https://ap.test/#/platform' }, 'Base URL must not contain "?" or "#"'],
	[{ baseUrl: 'https://ap.test/api?a=b' }, 'Base URL must not contain "?" or "#"'],
	[{ baseUrl: 'http://127.0.0.1:1' }, /^No server responds at 127\.0\.0\.1:1.*\. Check the host/],
	[{ baseUrl: 'http://no.invalid' }, /^The host no\.invalid was not found.*Check Base/],
])('%j: %s, in the node and in the credential test', async (changes, message) => {
	const credential = { ...context.credential, ...changes };
	const error = await context.failure(FOLDER, { credential });
	expect(`${error.message}. ${error.description}`).toMatch(message);
	const result = await context.engine.testCredential(credential);
	expect(result.status).toBe('Error');
	expect(result.message).toMatch(message);
	expect(context.requests).toEqual([]);
});

test.each([
	{ allowedHttpRequestDomains: 'none', allowedDomains: '' },
	{ allowedHttpRequestDomains: 'domains', allowedDomains: 'elsewhere.example' },
])('%j is meant for HTTP Request nodes, and works anyway', async (allowed) => {
	const credential = { ...context.credential, ...allowed };
	expect(await context.records(METRICS, { credential })).toHaveLength(1);
});

describe('a server that does not answer as it should', () => {
	endSilences(context);

	test.each<[string, FaultKind, string]>([
		['a service that is slow', { delay: 20_000 }, 'in time. Try again later, or raise'],
		['a web page', { html: true }, 'Base URL points to a web page'],
		['another API', { body: { hello: 'world' } }, 'does not have the expected format'],
		['a proxy without its server', { status: 502, shape: 'html' }, 'is unavailable'],
		['a cut connection', { reset: 'beforeHeaders' }, 'closed the connection'],
		['a redirect', { redirect: '/elsewhere' }, 'The server redirects to'],
	])('%s does not pass the credential test, and is tried once', async (_name, kind, message) => {
		context.fault({ kind });
		const result = await context.engine.testCredential(context.credential);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(message);
		expect(context.requests).toHaveLength(1);
	});
});

const NAMES = Object.keys(CALLERS);

/** The message of a caller, with settings of its credential. */
const told = async (context: TestContext, name: string, fields = {}, parameters = METRICS) => {
	const { engine, baseUrl, credential } = context;
	const secrets = { ...signInCredential(context), apiKey: credential.apiKey };
	return await CALLERS[name]({ engine, baseUrl, secrets, fields, parameters });
};

describe('Ignore SSL Issues', () => {
	const context = useService({ tls: true });
	beforeEach(tryOnce);

	test.each(NAMES)('applies to %s, and without it the message names it', async (name) => {
		const message = await told(context, name);
		expect(message).toMatch(/The certificate of 127\.0\.0\.1:\d+ is not trusted/);
		expect(message).toContain('turn on Ignore SSL Issues in the credential');
		expect(context.requests).toEqual([]);
		// An expression gives it as text.
		for (const allowUnauthorizedCerts of [true, 'true']) {
			expect(await told(context, name, { allowUnauthorizedCerts })).toBe(NOTHING_WRONG);
		}
	});
});

const UNAUTHORIZED =
	'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n';
const REFUSED =
	/^The proxy did not accept the request without another username and password\. Enter them in the URL in Proxy in the credential/;
const NO_PROXY =
	/(could not be completed.*\. Proxy conn.*\. Check Base|closed.*http).* Also check Proxy in the credential.*: the proxy is 127\.0\.0\.1:\d+\.$/;
/** The raw responses of proxies that do not work, to a request and to a tunnel, and the message. */
const BAD_PROXIES: Array<[user: string, answer: string, message: RegExp]> = [
	['', UNAUTHORIZED, REFUSED],
	['us:correct-horse@', UNAUTHORIZED, REFUSED],
	['us:correct-horse@', '220 mail.example ESMTP\r\n', NO_PROXY],
];

describe.each([false, true])('Proxy, server with TLS: %j', (tls) => {
	const context = useService({ tls });
	const hostile = useHostileServers();
	const given = useHttpProxy();
	beforeEach(tryOnce);
	const settings = (address: string) => ({ proxy: address, allowUnauthorizedCerts: true });

	test.each(NAMES)('applies to all of %s, and receives its user', async (name) => {
		const { proxy } = given;
		const address = proxy.url.replace('://', '://us%40er:p%3As%2541@');
		expect(await told(context, name, settings(address))).toBe(NOTHING_WRONG);
		expect(proxy.targets).toHaveLength(context.requests.length);
		const authorization = `Basic ${Buffer.from('us@er:p:s%41').toString('base64')}`;
		expect(new Set(proxy.authorizations)).toEqual(new Set([authorization]));
	});

	test.each(NAMES)('is named by %s when it does not work', async (name) => {
		for (const [user, answer, message] of BAD_PROXIES) {
			const { host } = await hostile.start(({ socket }) => socket?.end(answer), answer);
			const text = await told(context, name, settings(`http://${user}${host}`));
			expect(text).toMatch(message);
			expect(text).not.toContain('correct-horse');
		}
		expect(await told(context, name, settings('http://127.0.0.1:1'))).toMatch(
			/No server responds at .*Also check Proxy in the credential: the proxy is 127\.0\.0\.1:1\./,
		);
		expect(await told(context, name, settings('proxy.example:3128'))).toMatch(
			/Proxy must be a URL that begins with http:\/\/ or https:\/\/.*Change Proxy in the credential/,
		);
		expect(context.requests).toEqual([]);
	});

	test.each(['the node', 'signing in'])('gives way to Request Options: %s', async (name) => {
		const parameters = { ...METRICS, requestOptions: { proxy: given.proxy.url } };
		const text = await told(context, name, settings('http://127.0.0.1:1'), parameters);
		expect(text).toBe(NOTHING_WRONG);
		expect(given.proxy.targets).toHaveLength(context.requests.length);
	});
});

describe('a message', () => {
	beforeEach(tryOnce);

	const UNDER_OPTIONS = 'under Request Options in the Settings tab of the node';

	test('names the Timeout that applies, which Request Options override as text or number', async () => {
		for (const [timeout, credential, where] of [
			['50', 60_000, UNDER_OPTIONS],
			[50, 60_000, UNDER_OPTIONS],
			[0, 50, 'in the credential'],
		] as const) {
			context.clearFaults();
			context.fault({ kind: { delay: 20_000 } });
			const parameters = { ...METRICS, requestOptions: { timeout } };
			const text = await told(context, 'the node', { timeout: credential }, parameters);
			const says = /did not respond in time\. .*use Limit, filters .*or raise (Timeout .*)\.$/;
			expect(says.exec(text)?.[1]).toBe(`Timeout ${where}`);
		}
	});

	test('names the Proxy that applies', async () => {
		const proxy = 'http://127.0.0.1:1';
		const parameters = { ...METRICS, requestOptions: { proxy } };
		const text = await told(context, 'the node', { proxy: 'http://a.example' }, parameters);
		expect(text).toMatch(`Also check Proxy ${UNDER_OPTIONS}`);
	});

	test('about what takes too long has advice for a list, but not for one record', async () => {
		context.fault({ kind: { delay: 20_000 } });
		const text = await told(context, 'the node', { timeout: 50 }, FOLDER);
		expect(text).toContain('Try again later, or raise Timeout');
	});

	test.each<[string, RegExp, number?]>([
		['the node', /set Batching under Request Options in the Settings tab/],
		['the trigger', /Set a longer interval in Poll Times/],
		...['a locator', 'an option list', 'the credential test'].flatMap(
			(name): Array<[string, RegExp, number?]> => [
				[name, /Wait a moment, then try again/],
				[name, /Check what you have entered\./, 400],
			],
		),
		['signing in', /50 sign-ins per minute .*Wait a minute\. Run the node again/],
		['the trigger', /Check the fields of the trigger\./, 400],
		['signing in', /Check Email and Password in the credential\./, 400],
	])('has advice for its place: %s, %s', async (name, advice, status = 429) => {
		context.fault({ kind: { status } });
		expect(await told(context, name)).toMatch(advice);
	});
});
