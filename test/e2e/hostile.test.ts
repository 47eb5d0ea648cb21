import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import {
	bomb,
	drip,
	type HostileServer,
	json,
	startHostileServer,
} from '../engine/harness/hostileServer';
import { byId } from '../engine/harness/byId';
import { type Service, startService } from '../service';
import { credentialJson, execute, importCredentials, importWorkflows } from './support/headless';
import type { Home } from './support/home';
import { freshHome } from './support/homes';
import { N8N_RELEASES } from './support/install';
import { useN8n } from './support/running';
import {
	activepieces,
	chain,
	CREDENTIAL_TYPE,
	rows,
	SIGN_IN_TYPE,
	type Step,
	trigger,
	workflow,
} from './support/workflow';

const KEY = `sk-${'k'.repeat(61)}`;
const MEGABYTE = 2 ** 20;
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const CONNECTIONS = { resource: 'globalConnection', operation: 'getAll', simplify: false };

/** A server with one kind of malice under each path: its Base URL is `<origin>/<kind>`. */
async function startMalice(): Promise<HostileServer> {
	const big = bomb(200 * MEGABYTE, 'gzip');
	const list = (record: string) => json(`{"data":[${record}],"next":null}`);
	const answers: Record<string, typeof drip> = {
		bomb: big,
		drip,
		leak: list(`{"id":"a","displayName":"of \\u0073${KEY.slice(1)}"}`),
		pattern: list(`{"id":"a","displayName":"${'a'.repeat(5000)}"}`),
		refused: (response, request, body) =>
			request.url?.includes('sign-in')
				? json('{"token":"always-the-same-token"}')(response, request, body)
				: json('{}', 403)(response, request, body),
	};
	return await startHostileServer((response, request, body) => {
		const kind = request.url?.split('/')[1] ?? '';
		return answers[kind](response, request, body);
	});
}

const originOf = ({ host }: HostileServer) => `http://${host}`;

describe.each(N8N_RELEASES)('n8n %s and a hostile server', (n8n) => {
	let server: HostileServer;
	let secure: Service;
	let home: Home;

	const credential = (kind: string, fields: ICredentialDataDecryptedObject = {}) => ({
		...credentialJson(kind, { baseUrl: `${originOf(server)}/${kind}`, apiKey: KEY }),
		data: { baseUrl: `${originOf(server)}/${kind}`, apiKey: KEY, ...fields },
	});

	beforeAll(async () => {
		server = await startMalice();
		secure = await startService({ tls: true });
		home = await freshHome(n8n);
		await importCredentials(home, [
			credential('bomb'),
			credential('drip', { timeout: 1_000 }),
			credential('leak'),
			credential('pattern'),
			{
				...credentialJson('secure', secure),
				data: { baseUrl: secure.baseUrl, apiKey: secure.apiKey, allowUnauthorizedCerts: true },
			},
			{
				id: 'refused',
				name: 'refused',
				type: SIGN_IN_TYPE,
				data: {
					baseUrl: `${originOf(server)}/refused`,
					email: 'nathan@example.com',
					password: 'correct horse',
				},
			},
		]);

		const start = trigger();
		const one = (kind: string, parameters: Step['parameters']) =>
			activepieces(kind, kind, parameters, CONTINUE);
		const single = [
			one('bomb', { resource: 'queue', operation: 'getMetrics' }),
			one('drip', CONNECTIONS),
			one('leak', CONNECTIONS),
			one('pattern', {
				resource: 'project',
				operation: 'getAll',
				filters: { displayName: '%a%a%a%a%a%a%a%a%b' },
			}),
			one('secure', { resource: 'project', operation: 'getAll' }),
		];
		const many = rows(
			'Many',
			Array.from({ length: 40 }, (_, index) => ({ index })),
		);
		const refused: Step = {
			...one('refused', {
				resource: 'folder',
				operation: 'get',
				folderId: byId('abc'),
				authentication: 'signIn',
			}),
			credentials: { [SIGN_IN_TYPE]: { id: 'refused', name: 'refused' } },
		};
		await importWorkflows(home, [
			workflow(
				'hostile',
				[start, ...single],
				single.map(({ name }) => ({ from: start.name, to: name })),
			),
			workflow('refusing', [start, ...many, refused], chain(start, ...many, refused)),
		]);
	});
	afterAll(async () => {
		await server.close();
		await secure.close();
	});

	test('what is too large, never ends, leaks or takes long ends with what it is', async () => {
		const { items, printed } = await execute(home, 'hostile');
		const errorOf = (node: string) => items(node)[0].json.error;
		expect(errorOf('bomb')).toContain('is larger than 128 MB');
		expect(errorOf('drip')).toContain('did not respond in time');
		expect(items('leak').map((item) => item.json)).toEqual([{ id: 'a', displayName: 'of ***' }]);
		expect(items('pattern')).toEqual([]);
		expect(items('secure').length).toBeGreaterThan(0);
		expect(errorOf('secure')).toBeUndefined();
		expect(printed).not.toContain(KEY);
		expect(printed).not.toContain(secure.apiKey);
	});

	test('forty items sign in twice at most', async () => {
		const { items } = await execute(home, 'refusing');
		expect(items('refused')).toHaveLength(40);
		const signIns = server.requests.filter(({ path }) => path.includes('sign-in'));
		expect(signIns.length).toBeLessThanOrEqual(2);
	});
});

describe.each(N8N_RELEASES)('the credential test of n8n %s', (n8n) => {
	let server: HostileServer;
	let secure: Service;
	beforeAll(async () => {
		server = await startMalice();
		secure = await startService({ tls: true });
	});
	afterAll(async () => {
		await server.close();
		await secure.close();
	});
	const running = useN8n(n8n, async (home) => {
		await importCredentials(home, [credentialJson('entered', secure)]);
	});

	const testCredential = async (data: ICredentialDataDecryptedObject) =>
		await running.rest.post<{ status: string; message: string }>('/rest/credentials/test', {
			credentials: { id: 'entered', name: 'entered', type: CREDENTIAL_TYPE, data },
		});

	test.each([
		['bomb', 60_000, 'is larger than 128 MB'],
		['drip', 1_000, 'did not respond in time'],
	])('ends: %s', async (kind, timeout, says) => {
		const baseUrl = `${originOf(server)}/${kind}`;
		const { status, message } = await testCredential({ baseUrl, apiKey: KEY, timeout });
		expect(status).toBe('Error');
		expect(message).toContain(says);
	});

	test('knows Ignore SSL Issues', async () => {
		const { baseUrl, apiKey } = secure;
		expect((await testCredential({ baseUrl, apiKey })).message).toContain(
			'turn on Ignore SSL Issues in the credential',
		);
		expect((await testCredential({ baseUrl, apiKey, allowUnauthorizedCerts: true })).status).toBe(
			'OK',
		);
	});
});
