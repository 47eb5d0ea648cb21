import {
	bomb,
	drip,
	type HostileServer,
	startHostileServer,
} from '../engine/harness/hostileServer';
import { type Service, startService } from '../service';
import { credentialJson, execute, importCredentials, importWorkflows } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { useN8n } from './support/running';
import { activepieces, CREDENTIAL_TYPE, fromEach, trigger, workflow } from './support/workflow';

const KEY = `sk-${'k'.repeat(61)}`;
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const PROJECTS = { resource: 'project', operation: 'getAll' };

/** Responses by the first part of the path: `<origin>/<kind>` is the Base URL. */
const ANSWERS: Record<string, typeof drip> = {
	bomb: bomb(200 * 2 ** 20, 'gzip'),
	drip,
};

// The limits of n8n's HTTP clients for nodes and credential tests, which differ by release. Other hostile
// responses are tested in n8n's engine.
describe.each(N8N_RELEASES)('n8n %s and a hostile server', (n8n) => {
	let server: HostileServer;
	let secure: Service;
	const at = (kind: string) => ({ baseUrl: `http://${server.host}/${kind}`, apiKey: KEY });
	const trusting = () => ({
		baseUrl: secure.baseUrl,
		apiKey: secure.apiKey,
		allowUnauthorizedCerts: true,
	});

	const running = useN8n(n8n, async (home) => {
		server = await startHostileServer((response, request, body) =>
			ANSWERS[request.url?.split('/')[1] ?? ''](response, request, body),
		);
		secure = await startService({ tls: true });
		await importCredentials(home, [
			credentialJson('bomb', at('bomb')),
			{ ...credentialJson('drip', at('drip')), data: { ...at('drip'), timeout: 1_000 } },
			{ ...credentialJson('secure', secure), data: trusting() },
		]);
		const start = trigger();
		const each = [
			activepieces('bomb', 'bomb', { resource: 'queue', operation: 'getMetrics' }, CONTINUE),
			activepieces('drip', 'drip', PROJECTS, CONTINUE),
			activepieces('secure', 'secure', PROJECTS, CONTINUE),
		];
		await importWorkflows(home, [workflow('hostile', [start, ...each], fromEach([start], each))]);
	});
	afterAll(async () => {
		await server.close();
		await secure.close();
	});

	test('an answer that is too large or never ends is given up; Ignore SSL Issues trusts a certificate', async () => {
		const { items, printed } = await execute(running.home, 'hostile');
		expect(items('bomb')[0].json.error).toContain('is larger than 128 MB');
		expect(items('drip')[0].json.error).toContain('did not respond in time');
		expect(items('secure')[0].json).toMatchObject({ id: expect.any(String) });
		expect(printed).not.toContain(KEY);
		expect(printed).not.toContain(secure.apiKey);
	});

	test.each([
		['is larger than 128 MB', () => ({ ...at('bomb'), timeout: 60_000 })],
		['did not respond in time', () => ({ ...at('drip'), timeout: 1_000 })],
		['turn on Ignore SSL Issues', () => ({ ...trusting(), allowUnauthorizedCerts: false })],
		['Connection successful', trusting],
	])('the test of a credential says: %s', async (says, data) => {
		const credentials = { id: 'bomb', name: 'bomb', type: CREDENTIAL_TYPE, data: data() };
		const { message } = await running.rest.post<{ message: string }>('/rest/credentials/test', {
			credentials,
		});
		expect(message).toContain(says);
	});
});
