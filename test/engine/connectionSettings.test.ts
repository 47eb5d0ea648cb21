import type { INodeParameters } from 'n8n-workflow';

import { restoreLimits } from '../restoreLimits';
import { limits, skipWaits, waitReally } from './harness/built';
import { byId } from './harness/byId';
import type { AnyCredential } from './harness/credentials';
import { type HostileServer, startHostileServer } from './harness/hostileServer';
import { type HttpProxy, startHttpProxy } from './harness/httpProxy';
import { ALL_FLOWS, FOLDER, METRICS, RENAME, TEMPLATE } from './harness/parameters';
import { type TestContext, useService } from './harness/service';
import { SIGN_IN, signInCredential } from './harness/signIn';
import { createTriggerRun } from './harness/trigger';

restoreLimits(limits);
afterEach(waitReally);

type Settings = Record<string, string | number | boolean>;

/** Each part of the package that talks to a server, with a credential that has these settings. */
const PARTS: Record<string, (context: TestContext, settings: Settings) => Promise<unknown>> = {
	node: async ({ engine, credential }, settings) =>
		await engine.records({ credential: { ...credential, ...settings }, parameters: METRICS }),
	locator: async ({ engine, credential }, settings) =>
		await engine.search('searchProjects', { credential: { ...credential, ...settings } }),
	trigger: async ({ engine, credential }, settings) =>
		await createTriggerRun(
			engine,
			{ ...credential, ...settings },
			{ event: 'userJoined' },
		).fetchTestEvent(),
	'credential test': async ({ engine, credential }, settings) =>
		await passing(engine, { ...credential, ...settings }),
	'signing in': async (context, settings) =>
		await context.engine.records({
			credential: { ...signInCredential(context), ...settings },
			parameters: { ...ALL_FLOWS, ...SIGN_IN },
		}),
	'test of signing in': async (context, settings) =>
		await passing(context.engine, { ...signInCredential(context), ...settings }),
};

/** Tests a credential; throws what the person reads when it does not pass. */
async function passing({ testCredential }: TestContext['engine'], credential: AnyCredential) {
	const { status, message } = await testCredential(credential);
	if (status !== 'OK') throw new Error(message);
}

/** Operations on one record, which have neither filters nor pages. */
const ON_ONE_RECORD: Record<string, INodeParameters> = {
	'folder create': {
		resource: 'folder',
		operation: 'create',
		projectId: byId('abc'),
		displayName: 'x',
	},
	'folder get': FOLDER,
	'folder update': RENAME,
	'template delete': TEMPLATE,
	publish: { resource: 'flow', operation: 'publish', flowId: byId('abc') },
};

const PART_NAMES = Object.keys(PARTS);

const messageOf = async (promise: Promise<unknown>): Promise<string> =>
	await promise.then(
		() => 'nothing went wrong',
		(error: Error & { description?: string }) => `${error.message}. ${error.description}`,
	);

describe('Ignore SSL Issues of the credential', () => {
	const context = useService({ tls: true });

	test.each(PART_NAMES)('holds for the %s, and is named without it', async (name) => {
		const part = PARTS[name];
		const message = await messageOf(part(context, {}));
		expect(message).toMatch(/The certificate of 127\.0\.0\.1:\d+ is not trusted/);
		expect(message).toContain('turn on Ignore SSL Issues in the credential');
		expect(context.service.requests).toEqual([]);
		await part(context, { allowUnauthorizedCerts: true });
		expect(context.service.requests).not.toEqual([]);
		// An expression gives it as text.
		await part(context, { allowUnauthorizedCerts: 'true' });
	});

	test('gives way to Request Options of the node', async () => {
		const { credential } = context;
		const trusting = { ...credential, allowUnauthorizedCerts: true };
		const options = (allowUnauthorizedCerts: boolean): INodeParameters => ({
			...METRICS,
			requestOptions: { allowUnauthorizedCerts },
		});
		await context.failure(options(false), { credential: trusting });
		await context.records(options(true));
		await context.records(METRICS, { credential: trusting });
	});
});

describe.each([false, true])(
	'Proxy of the credential, on the way to a server with TLS: %j',
	(tls) => {
		const context = useService({ tls });
		let proxy: HttpProxy;
		beforeAll(async () => {
			proxy = await startHttpProxy();
		});
		beforeEach(() => {
			proxy.targets.length = 0;
			proxy.authorizations.length = 0;
		});
		afterAll(async () => {
			await proxy.close();
		});
		const settings = (address: string): Settings => ({
			proxy: address,
			allowUnauthorizedCerts: true,
		});

		test.each(PART_NAMES)('is the way of every request of the %s', async (name) => {
			await PARTS[name](context, settings(proxy.url));
			expect(context.service.requests.length).toBeGreaterThan(0);
			expect(proxy.targets).toHaveLength(context.service.requests.length);
		});

		test.each(PART_NAMES)('is told its user and password by the %s', async (name) => {
			await PARTS[name](context, settings(proxy.url.replace('://', '://us%40er:p%3Ass@')));
			expect(new Set(proxy.authorizations)).toEqual(
				new Set([`Basic ${Buffer.from('us@er:p:ss').toString('base64')}`]),
			);
		});

		test.each(PART_NAMES)('that is not there is named by the %s', async (name) => {
			const message = await messageOf(PARTS[name](context, settings('http://127.0.0.1:1')));
			expect(message).toContain('The proxy 127.0.0.1:1 does not respond');
			expect(message).toContain('Check Proxy in the credential');
			expect(context.service.requests).toEqual([]);
		});

		test.each(PART_NAMES)('that wants a login is named by the %s', async (name) => {
			const strict: HostileServer = await startHostileServer(
				(response) => response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end(),
				'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n',
			);
			try {
				const address = `http://us:correct-horse@${strict.host}`;
				const message = await messageOf(PARTS[name](context, settings(address)));
				expect(message).toContain(`The proxy ${strict.host} requires a username and password`);
				expect(message).not.toContain('correct-horse');
				expect(context.service.requests).toEqual([]);
			} finally {
				await strict.close();
			}
		});

		test.each(PART_NAMES)('that is no proxy is named by the %s', async (name) => {
			const other: HostileServer = await startHostileServer(
				({ socket }) => socket?.end('220 mail.example ESMTP\r\n'),
				'220 mail.example ESMTP\r\n',
			);
			try {
				const message = await messageOf(PARTS[name](context, settings(`http://${other.host}`)));
				expect(message).toMatch(
					/through the proxy 127\.0\.0\.1|Proxy in the credential.*: the proxy is 127\.0\.0\.1/,
				);
				expect(context.service.requests).toEqual([]);
			} finally {
				await other.close();
			}
		});

		test.each(PART_NAMES)('that is no address is named by the %s', async (name) => {
			const message = await messageOf(PARTS[name](context, settings('proxy.example:3128')));
			expect(message).toContain('Proxy is not a valid web address');
			expect(message).toContain('Change Proxy in the credential');
			expect(context.service.requests).toEqual([]);
		});

		test('gives way to Request Options of the node', async () => {
			const { credential } = context;
			const parameters = { ...METRICS, requestOptions: { proxy: proxy.url } };
			const changed = { ...credential, ...settings('http://127.0.0.1:1') };
			await context.records(parameters, { credential: changed });
			expect(proxy.targets).not.toEqual([]);
		});
	},
);

describe('Timeout of the credential', () => {
	const context = useService();

	test.each(PART_NAMES)('holds for the %s', async (name) => {
		context.service.fault({ kind: { delay: 20_000 } });
		const message = await messageOf(PARTS[name](context, { timeout: '100' }));
		expect(message).toContain('did not respond in time');
		expect(message).toContain('raise Timeout in the credential');
	});

	test.each<[string, Settings[string]]>([
		['a text from an expression', '100'],
		['a number', 100],
	])('under Request Options comes before it: %s', async (_what, timeout) => {
		const { engine, credential, service } = context;
		service.fault({ kind: { delay: 20_000 } });
		const run = {
			credential: { ...credential, timeout: 60_000 },
			parameters: { ...METRICS, requestOptions: { timeout } },
		};
		expect((await engine.failure(run)).message).toContain('did not respond in time');
	});
});

describe('advice', () => {
	const context = useService();

	test.each<[string, RegExp]>([
		['node', /set Batching in its Settings tab under Request Options/],
		['locator', /Wait a moment, then open the list again/],
		['trigger', /Set a longer interval in Poll Times/],
		['credential test', /Wait a moment, then test the credential again/],
	])('for too many requests fits the %s', async (name, advice) => {
		context.service.fault({ kind: { status: 429 } });
		const message = await messageOf(PARTS[name](context, {}));
		expect(message).toMatch(advice);
		if (name !== 'node') expect(message).not.toMatch(/Settings tab|Batching|[Rr]un the node/);
	});

	/** What is found in one place only, and the places that have it. */
	const ONLY_IN: Array<[RegExp, string[]]> = [
		[/Settings tab|Batching|[Rr]un the node|fields of the node/, ['node']],
		[/[Ff]ilters|Page Size|\bLimit\b/, ['list']],
		[/fields of the trigger|Poll Times|next poll/, ['trigger']],
		[/By ID|search/, ['locator']],
		[/fields of the credential|[Tt]est the credential/, ['credential test', 'test of signing in']],
		[/Email and Password/, ['signing in', 'test of signing in']],
		[/Request Options/, ['node', 'list', 'locator', 'signing in']],
	];
	const PLACES: Record<string, (typeof PARTS)[string]> = {
		...PARTS,
		list: async ({ engine, credential }, settings) =>
			await engine.records({ credential: { ...credential, ...settings }, parameters: ALL_FLOWS }),
	};
	for (const [name, parameters] of Object.entries({ ...ON_ONE_RECORD, node: METRICS })) {
		PLACES[name] = async ({ engine, credential }, settings) =>
			await engine.records({ credential: { ...credential, ...settings }, parameters });
	}
	const expectFitting = (message: string, place: string) => {
		expect(message).not.toBe('nothing went wrong');
		const isOperation = place in ON_ONE_RECORD || ['node', 'list', 'signing in'].includes(place);
		for (const [words, places] of ONLY_IN) {
			const isThere = places.includes(place) || (isOperation && places[0] === 'node');
			if (!isThere) expect([place, message]).toEqual([place, expect.not.stringMatching(words)]);
		}
	};

	test.each([304, 307, 400, 401, 402, 403, 404, 407, 409, 413, 414, 418, 429, 431, 500, 503])(
		'speaks of nothing that its place does not have: %i',
		async (status) => {
			skipWaits();
			for (const shape of ['application', 'framework', 'html'] as const) {
				for (const [place, part] of Object.entries(PLACES)) {
					context.service.clearFaults();
					context.service.fault({ kind: { status, shape } });
					expectFitting(await messageOf(part(context, {})), place);
				}
			}
		},
	);

	test.each([
		[500, 'invalid byte sequence for encoding "UTF8"'],
		[400, 'querystring/limit must be a number'],
	])('speaks of nothing that its place does not have: %i, %s', async (status, message) => {
		skipWaits();
		for (const [place, part] of Object.entries(PLACES)) {
			context.service.clearFaults();
			context.service.fault({ kind: { status, body: { message } } });
			expectFitting(await messageOf(part(context, {})), place);
		}
	});

	test('speaks of nothing that its place does not have: answers that are too large', async () => {
		limits.maxResponseBytes = 1000;
		limits.maxSignInBytes = 1000;
		context.service.fault({ kind: { body: { text: 'x'.repeat(2000) } } });
		for (const [place, part] of Object.entries(PLACES)) {
			const message = await messageOf(part(context, {}));
			expect(message).toContain('is larger than');
			expectFitting(message, place);
		}
	});

	test.each(['http://127.0.0.1:1', 'http://proxy.invalid:1'])(
		'speaks of nothing that its place does not have: the proxy %s',
		async (proxy) => {
			skipWaits();
			for (const [place, part] of Object.entries(PLACES)) {
				const message = await messageOf(part(context, { proxy }));
				expect(message).toContain('Check Proxy in the credential');
				expectFitting(message, place);
			}
		},
	);

	test('a status between redirects that leads nowhere is not called one', async () => {
		context.service.fault({ kind: { status: 304 } });
		const message = await messageOf(PARTS.node(context, {}));
		expect(message).toContain('The server responded with HTTP 304');
		expect(message).not.toContain('redirect');
	});
});

describe('a credential that n8n cannot read', () => {
	const context = useService();

	test('is to be selected', async () => {
		const { service } = context;
		const credential = () => {
			throw new Error('Credential with ID "1" does not exist for type "activepiecesApi".');
		};
		const error = await context.failure(METRICS, { credential });
		expect(error.message).toBe('The credential could not be read');
		expect(error.description).toContain('Select a credential in the node.');
		expect(service.requests).toEqual([]);
	});
});
