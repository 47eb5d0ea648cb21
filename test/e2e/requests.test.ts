import type {
	ICredentialDataDecryptedObject as Data,
	INodeListSearchResult,
	INodeParameters,
} from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import {
	bomb,
	drip,
	startHostileServer,
	type HostileServer,
} from '../engine/harness/hostileServer';
import { startService, type Service } from '../service';
import { stepsOf } from '../service/webhookSteps';
import { credentialJson, signInJson } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { useN8n } from './support/running';
import {
	activepieces,
	CREDENTIAL_TYPE,
	NODE_TYPE,
	step as nodeOf,
	set,
	SIGN_IN_TYPE,
	trigger,
	workflow,
} from './support/workflow';

const KEY = `sk-${'k'.repeat(61)}`;

const NOBODY = { baseUrl: 'http://127.0.0.1:9/api' };
const GATEWAY = { headers: { values: [{ name: 'X-Gateway', value: 'gateway-value' }] } };
const WRONG = { password: 'not-the-password' };

const ANSWER = { body: { done: true } };
const AUTHENTICATION = { authType: 'basic', authFields: { username: 'hook', password: 'pass' } };
const AUTHORIZATION = `Basic ${Buffer.from('hook:pass').toString('base64')}`;
const HEADER = { headers: { values: [{ name: 'Authorization', value: AUTHORIZATION }] } };

// n8n's HTTP clients for nodes and for credential tests, which differ by release. Other responses are
// tested in n8n's engine.
describe.each(N8N_RELEASES)('requests of n8n %s', (n8n) => {
	let hostile: HostileServer;
	let service: Service;
	let secure: Service;
	/** The flows that are called, by what is special about them */
	let flows: Record<string, string>;
	const bombing = () => ({ baseUrl: `http://${hostile.host}/bomb`, apiKey: KEY, timeout: 60_000 });
	const dripping = () => ({ baseUrl: `http://${hostile.host}/drip`, apiKey: KEY, timeout: 1_000 });
	const trusting = () => {
		const { baseUrl, apiKey } = secure;
		return { baseUrl, apiKey, allowUnauthorizedCerts: true };
	};
	const distrusting = () => ({ ...trusting(), allowUnauthorizedCerts: false });

	const running = useN8n(n8n, async (ends) => {
		const answers: Record<string, typeof drip> = { bomb: bomb(200 * 2 ** 20, 'gzip'), drip };
		hostile = await ends(
			startHostileServer((response, request, body) =>
				answers[request.url?.split('/')[1] ?? ''](response, request, body),
			),
		);
		secure = await ends(startService({ tls: true }));
		service = await ends(startService({ data: { flows: 130 } }));
		service.webhooks.timeoutSeconds = 1;
		const add = (input = {}, answer?: typeof ANSWER) =>
			service.live.addFlow({ enabled: true, steps: stepsOf('webhook', input, answer) }).id;
		flows = {
			answers: add({}, ANSWER),
			'asks for a header': add(AUTHENTICATION, ANSWER),
			'is slow': add({}, ANSWER),
			'is not waited for': add(),
		};
		service.webhooks.ends.set(flows['is slow'], 'isSlow');

		const list = { resource: 'project', operation: 'getAll' };
		const run = { resource: 'flow', operation: 'run', input: '={{ $json }}', options: HEADER };
		const step = (name: string, credential: string, parameters: INodeParameters) => [
			{ ...activepieces(name, credential, parameters), onError: 'continueRegularOutput' as const },
		];
		const steps = [
			step('bomb', 'bomb', { resource: 'queue', operation: 'getMetrics' }),
			step('drip', 'drip', list),
			step('secure', 'secure', list),
			...Object.entries(flows).map(([name, id]) => {
				const waitForResponse = name !== 'is not waited for';
				return step(name, 'good', { ...run, flowId: byId(id), waitForResponse });
			}),
		];
		const input = [trigger(), set('Input', { order: '1001' })];
		const url = `${service.baseUrl}/v1/users?limit=1`;
		const http = { url, authentication: 'predefinedCredentialType', options: {} };
		const users = nodeOf('Users', 'httpRequest', 4.2, {
			...http,
			nodeCredentialType: SIGN_IN_TYPE,
		});
		users.credentials = { [SIGN_IN_TYPE]: { id: 'visitor', name: 'visitor' } };
		return [
			[
				credentialJson('good', service),
				signInJson('person', service),
				signInJson('visitor', service, GATEWAY),
				credentialJson('bomb', bombing()),
				credentialJson('drip', dripping(), { timeout: 1_000 }),
				credentialJson('secure', secure, trusting()),
			],
			[workflow('calls', input, steps), workflow('users', [trigger(), users])],
		];
	});

	test('end with what the server did, and contain the key only where it belongs', async () => {
		const { records, printed } = await running.execute('calls');
		expect(records('bomb')[0].error).toContain('is larger than 128 MB');
		expect(records('drip')[0].error).toContain('did not respond in time');
		expect(records('secure')[0]).toMatchObject({ id: expect.any(String) });
		expect(printed).not.toContain(KEY);
		expect(printed).not.toContain(service.apiKey);

		const noAnswer = expect.stringMatching(/returned no response within 1 second/) as string;
		expect(Object.keys(flows).map(records)).toMatchObject([
			[ANSWER.body],
			[ANSWER.body],
			[{ error: noAnswer, order: '1001' }],
			[{ accepted: true }],
		]);
		const { runs } = service.webhooks;
		expect(runs.map(({ flowId }) => flowId).sort()).toEqual(Object.values(flows).sort());
		for (const { body } of runs) expect(body).toEqual({ order: '1001' });
		// Webhooks are public, and the run stores whatever a call contains.
		const calls = service.requests.filter(({ path }) => path.startsWith('/v1/webhooks/'));
		expect(JSON.stringify(calls)).not.toContain(service.apiKey);
	});

	test('of HTTP Request with a Sign-In credential use the session that n8n keeps, and renew it', async () => {
		const signIns = () => service.requests.filter(({ path }) => path.endsWith('/sign-in')).length;
		service.clearRequests();
		for (const expected of [1, 1, 2]) {
			if (expected === 2) service.expireTokens();
			const { records } = await running.execute('users');
			expect(records('Users')).toMatchObject([{ data: [{ id: expect.any(String) }] }]);
			expect(signIns()).toBe(expected);
		}
		const sent = service.requests.filter(({ path }) => path === '/v1/users');
		expect(sent.map(({ headers }) => headers['x-gateway'])).toEqual(Array(4).fill('gateway-value'));
		expect(service.requests.every(({ headers }) => 'x-gateway' in headers)).toBe(true);
	});

	/** What a person enters beside the right values of an API key, or of a Sign-In credential. */
	test.each<[type: string, says: RegExp, entered: () => object]>([
		[CREDENTIAL_TYPE, /^OK: .*successful/, () => ({})],
		[CREDENTIAL_TYPE, /^OK: .*successful/, trusting],
		[CREDENTIAL_TYPE, /^Error: No server responds at 127\.0\.0\.1:9/, () => NOBODY],
		[CREDENTIAL_TYPE, /^Error: .*is larger than 128 MB/, bombing],
		[CREDENTIAL_TYPE, /^Error: .*did not respond in time/, dripping],
		[CREDENTIAL_TYPE, /^Error: .*turn on Ignore SSL Issues/s, distrusting],
		[SIGN_IN_TYPE, /^OK: .*successful/, () => ({})],
		[SIGN_IN_TYPE, /^Error: .*did not accept the email and password/, () => WRONG],
	])('of the test of %s say %s (%#)', async (type, says, entered) => {
		const isPerson = type === SIGN_IN_TYPE;
		const credential = (isPerson ? signInJson : credentialJson)('entered', service);
		credential.id = running.credentials[isPerson ? 'person' : 'good'];
		const data = { ...(credential.data as Data), ...entered() };
		const { status, message } = await running.rest.post<Record<'status' | 'message', string>>(
			'/rest/credentials/test',
			{ credentials: { ...credential, data } },
		);
		expect(`${status}: ${message}`).toMatch(says);
		expect(message).not.toContain(data.apiKey ?? data.password);
	});

	test.each(['apiKey', 'signIn'])(
		'of From List read page by page, with %s',
		async (authentication) => {
			service.clearRequests();
			// Smaller pages than requested, so that there is a second page.
			service.fault({ path: '/v1/flows', kind: { pageCap: 20 } });
			async function pagesFrom(paginationToken?: unknown): Promise<unknown[][]> {
				const { results, paginationToken: next } = await running.rest.post<INodeListSearchResult>(
					'/rest/dynamic-node-parameters/resource-locator-results',
					{
						path: 'parameters.flowId',
						nodeTypeAndVersion: { name: NODE_TYPE, version: 1 },
						methodName: 'searchFlows',
						paginationToken,
						currentNodeParameters: { authentication },
						credentials: {
							[CREDENTIAL_TYPE]: { id: running.credentials.good, name: 'good' },
							[SIGN_IN_TYPE]: { id: running.credentials.person, name: 'person' },
						},
					},
				);
				const page = results.map(({ value }) => value);
				return next === undefined ? [page] : [page, ...(await pagesFrom(next))];
			}
			const pages = await pagesFrom();
			service.clearFaults();
			expect(pages.length).toBeGreaterThan(1);
			expect(pages.flat().sort()).toEqual(service.data.flows.map(({ id }) => id).sort());
			const lists = service.requests.filter(({ path }) => path === '/v1/flows');
			const withKey = lists.filter(({ headers }) =>
				headers.authorization?.endsWith(service.apiKey),
			);
			expect(withKey).toHaveLength(authentication === 'apiKey' ? lists.length : 0);
		},
	);
});
