import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { cases } from '../operations';
import { stepsOf } from '../service/webhookSteps';
import { tryOnce } from './harness/built';
import { byId } from './harness/byId';
import { CALLERS, NOTHING_WRONG } from './harness/callers';
import type { AnyCredential } from './harness/credentials';
import { REFUSALS, startGateway } from './harness/gateway';
import { jsonOf, startHostileServer, type HostileServer } from './harness/hostileServer';
import { useHttpProxy } from './harness/httpProxy';
import { CONNECTIONS, FOLDER, METRICS, parametersOf, RENAME } from './harness/parameters';
import { useService } from './harness/service';
import { signInCredential } from './harness/signIn';
import { captureLog, textsOf, tracesOf } from './harness/traces';

const ID = 'd41d8cd98f00b204e9800998ecf8427e.access';
const SECRET = 'correct "horse" & battery=/+staple';
const WANTED = { 'CF-Access-Client-Id': ID, 'CF-Access-Client-Secret': SECRET };

/** Headers as n8n saves them in a credential. */
const saved = (headers: Record<string, unknown>) => ({
	headers: { values: Object.entries(headers).map(([name, value]) => ({ name, value })) },
});

const FIELDS = saved(WANTED) as ICredentialDataDecryptedObject;

const context = useService({ data: { flowRuns: 40 } });
let gateway: Awaited<ReturnType<typeof startGateway>>;
let elsewhere: HostileServer;
beforeAll(async () => {
	elsewhere = await startHostileServer(jsonOf({ data: [], next: null }));
	gateway = await startGateway(context.origin, WANTED);
});
beforeEach(() => {
	tryOnce();
	gateway.received.length = 0;
});
afterAll(async () => {
	await gateway.close();
	await elsewhere.close();
});

const behind = (fields: object = FIELDS, credential: AnyCredential = context.credential) =>
	({ ...credential, ...fields, baseUrl: gateway.baseUrl }) as AnyCredential;

/** What every way to send requests says behind the gateway. */
const told = async (name: string, fields: ICredentialDataDecryptedObject = FIELDS) => {
	const { engine, credential } = context;
	const secrets = { ...signInCredential(context), apiKey: credential.apiKey };
	return await CALLERS[name]({ engine, baseUrl: gateway.baseUrl, secrets, fields });
};

/** Texts with the key or a header's value, in the forms in which a server may quote it. */
const leaks = (texts: string[]) => {
	const escaped = [JSON.stringify(SECRET).slice(1, -1), encodeURIComponent(SECRET)];
	const secrets = [ID, SECRET, ...escaped, 'staple', context.credential.apiKey];
	return texts.filter((text) => secrets.some((secret) => text.includes(secret)));
};

describe.each(Object.keys(CALLERS))('%s', (name) => {
	test('passes a gateway with Headers, whatever the spelling and the blanks around them', async () => {
		expect(await told(name)).toBe(NOTHING_WRONG);
		expect(gateway.received.length).toBeGreaterThan(0);
		const pasted = { 'cf-access-client-ID ': `${ID}\n`, ' CF-Access-Client-Secret': ` ${SECRET}` };
		expect(await told(name, saved({ ...pasted, '': '' }) as typeof FIELDS)).toBe(NOTHING_WRONG);
	});

	test.each(Object.keys(REFUSALS))('names Headers in the message about %s', async (product) => {
		gateway.refuse = REFUSALS[product](`http://${elsewhere.host}`);
		for (const fields of [
			{},
			{ ...saved({ ...WANTED, 'CF-Access-Client-Id': 'another-secret' }) },
		]) {
			const message = await told(name, fields as typeof FIELDS);
			expect(message).toContain('add the header that it requires under Headers in the credential');
			expect(leaks([message])).toEqual([]);
			expect(message).not.toContain('another-secret');
		}
		expect(elsewhere.requests).toEqual([]);
		expect(context.requests).toEqual([]);
	});
});

describe('every request of', () => {
	const given = useHttpProxy();

	test.each(cases)(
		'$pair has Headers, and goes through the Proxy of Request Options',
		async (each) => {
			const parameters = {
				...each.parameters(context.data),
				requestOptions: { proxy: given.proxy.url },
			};
			const credential = behind(FIELDS, each.credentialFor(context.service));
			await context.records(parameters, { credential });
			expect(context.requests).not.toEqual([]);
			expect(gateway.received).toHaveLength(context.requests.length);
			expect(given.proxy.targets).toHaveLength(context.requests.length);
			await context.service.webhooks.settled();
		},
	);
});

test.each([true, false])('Run with Wait: %s sends Headers, and its own win', async (isWaiting) => {
	const steps = stepsOf('webhook', {}, { body: { done: true } });
	const { id } = context.live.addFlow({ enabled: true, steps });
	const own = { 'X-Tenant': 'of the call' };
	const parameters = parametersOf('flow.run', {
		flowId: byId(id),
		waitForResponse: isWaiting,
		options: saved(own) as never,
	});
	const fields = saved({ ...WANTED, 'x-tenant': 'of the credential' });
	await context.records(parameters, { credential: behind(fields) });
	const [call] = context.posts();
	expect(call.headers).toMatchObject({ 'x-tenant': 'of the call', 'cf-access-client-id': ID });
	expect(call.headers.authorization).toBeUndefined();
});

const STATUSES = [400, 401, 403, 404, 422, 500, 503];
test.each(STATUSES)(
	'they and the key are in nothing that a run leaves behind after %s with them',
	async (status) => {
		const log = captureLog();
		const message = `${context.credential.apiKey}, ${ID}, ${SECRET}, ${JSON.stringify(SECRET)}`;
		context.fault({ kind: { status, code: 'VALIDATION', message } });
		for (const parameters of [RENAME, CONNECTIONS]) {
			for (const onError of [undefined, 'continueErrorOutput'] as const) {
				const given = { onError, credential: behind() };
				expect(leaks(tracesOf(await context.run(parameters, given)))).toEqual([]);
			}
		}
		for (const name of Object.keys(CALLERS)) {
			// Signing in has no key.
			const isOfKey = !name.endsWith('signing in');
			const said = isOfKey ? message : message.replace(context.credential.apiKey, '');
			context.service.clearFaults();
			context.fault({ kind: { status, code: 'VALIDATION', message: said } });
			const telling = await told(name);
			expect(telling).not.toBe(NOTHING_WRONG);
			expect(leaks([telling])).toEqual([]);
		}
		expect(leaks(textsOf(log))).toEqual([]);
	},
);

test('their values are redacted in records and in the target of a redirect', async () => {
	context.fault({ kind: { answers: () => ({ id: 'abc', sent: { [ID]: [SECRET] } }) } });
	const records = await context.records(FOLDER, { credential: behind() });
	expect(records).toEqual([{ id: 'abc', sent: { '***': ['***'] } }]);
	context.clearFaults();
	context.fault({ kind: { redirect: `https://other.example/${ID}/${context.credential.apiKey}` } });
	const error = await context.failure(METRICS, { credential: behind() });
	expect(error.message).not.toContain('other.example');
});

test.each<[Record<string, unknown>, string]>([
	[{ Authorization: SECRET }, 'The node sets the header Authorization itself'],
	[{ 'content-TYPE': SECRET }, 'The node sets the header content-TYPE itself'],
	[{ Host: SECRET }, 'The node sets the header Host itself'],
	[{ Accept: SECRET }, 'The node sets the header Accept itself'],
	[{ 'Content-Length': '1' }, 'The node sets the header Content-Length itself'],
	[{ [`X-Key: ${SECRET}`]: '' }, 'The name of a header is not valid'],
	[{ [SECRET]: 'x' }, 'The name of a header is not valid'],
	[{ '': SECRET }, 'A header has no name'],
	[{ 'X-Key': `${SECRET}\r\nX-Other: 1` }, 'The value of the header X-Key has characters'],
	[{ 'X-Key': `${SECRET} €` }, 'The value of the header X-Key has characters'],
	[{ 'X-Key': ' ' }, 'A header has no value'],
	[{ staple: null }, 'A header has no value'],
])('%j: %s, in the node and in the credential test', async (headers, message) => {
	const credential = behind(saved(headers));
	const error = await context.failure(METRICS, { credential });
	const test = await context.engine.testCredential(credential);
	for (const text of [`${error.message}. ${error.description}`, test.message]) {
		expect(text).toContain(message);
		expect(text).toMatch(/under Headers in the credential\..*Nothing was sent/);
		expect(leaks([text])).toEqual([]);
	}
	expect(gateway.received).toEqual([]);
});

describe('HTTP Request with the credential', () => {
	const authenticate = async (options: object, data: AnyCredential) => {
		const { type } = context.engine.loader.getCredential('activepiecesApi');
		if (typeof type.authenticate !== 'function') throw new Error('It cannot authenticate');
		return await type.authenticate(data, options as IHttpRequestOptions);
	};
	const own = { 'x-own': '1', Accept: 'text/plain' };

	test.each(['url', 'uri'])('gets the key and Headers on its own server (%s)', async (name) => {
		const options = { [name]: `${gateway.baseUrl}/v1/users`, headers: own };
		const sent = await authenticate(options, behind());
		expect(sent.headers).toEqual({
			...own,
			'cf-access-client-id': ID,
			'cf-access-client-secret': SECRET,
			Authorization: `Bearer ${context.credential.apiKey}`,
		});
		// n8n sends the headers to the target of a redirect.
		expect(sent).toMatchObject({ disableFollowRedirect: true, followRedirect: false });
	});

	test.each([
		'https://ap.example:9/api/v1/users',
		// Without encryption
		'http://ap.example/api/v1/users',
		'https://other.example/api/v1/users',
		'//other.example/api',
		'not a URL',
	])('gets neither for %s', async (url) => {
		const data = { ...behind(), baseUrl: 'https://ap.example/api' };
		await expect(authenticate({ url }, data)).rejects.toMatchObject({
			message: 'The credential can only be used for its own server',
			description: expect.stringContaining('Begin the URL with https://ap.example, '),
		});
	});
});
