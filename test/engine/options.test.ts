import type { IDataObject } from 'n8n-workflow';

import { type HttpProxy, startHttpProxy } from './harness/httpProxy';
import { CONNECTIONS, INVITATION, METRICS } from './harness/parameters';
import { byId, useService } from './harness/service';

describe('Batching under Request Options', () => {
	const context = useService();

	test('sends as many items at once as it says, and waits in between', async () => {
		const { engine, credential, service } = context;
		const arrivals: number[] = [];
		service.fault({
			kind: {
				answers: () => {
					arrivals.push(Date.now());
					return { data: [] };
				},
			},
		});
		const batch = { batchSize: 2, batchInterval: 1_500 };
		await engine.run({
			credential,
			parameters: { ...CONNECTIONS, requestOptions: { batching: { batch } } },
			items: Array.from({ length: 4 }, () => ({})),
		});
		expect(arrivals).toHaveLength(4);
		// Measured at the service, where the first batch may be late on a slow machine.
		expect(arrivals[2] - arrivals[1]).toBeGreaterThanOrEqual(500);
		expect(arrivals[1] - arrivals[0]).toBeLessThan(1_500);
	});
});

describe('Proxy under Request Options', () => {
	const context = useService();
	let proxy: HttpProxy;
	beforeAll(async () => {
		proxy = await startHttpProxy();
	});
	beforeEach(() => {
		proxy.targets.length = 0;
	});
	afterAll(async () => {
		await proxy.close();
	});
	const options = () => ({ requestOptions: { proxy: proxy.url } });

	test('is the way every request takes, the repeated ones too', async () => {
		const { engine, credential, service } = context;
		service.fault({ path: '/v1/global-connections', after: 1, times: 2, kind: { status: 503 } });
		const records = await engine.records({
			credential,
			parameters: { ...CONNECTIONS, returnAll: true, options: { pageSize: 10 }, ...options() },
		});
		expect(records).toHaveLength(service.data.connections.length);
		expect(service.requests).toHaveLength(5);
		expect(proxy.targets).toHaveLength(5);
		expect(service.connections.opened).toBeGreaterThanOrEqual(1);
	});

	test('is the way of the lists of locators as well', async () => {
		const { engine, credential, service } = context;
		const { results } = await engine.search('searchProjects', {
			credential,
			parameters: options(),
		});
		expect(results).toHaveLength(service.data.projects.length);
		expect(proxy.targets).toHaveLength(1);
	});

	test('that is not there is said to be, after all tries', async () => {
		const { engine, credential, service } = context;
		const error = await engine.failure({
			credential,
			parameters: { ...METRICS, requestOptions: { proxy: 'http://127.0.0.1:1' } },
		});
		expect(error.message).toMatch(/^Nothing answers at .*, after 5 tries/);
		expect(service.requests).toEqual([]);
	});
});

describe('Ignore SSL Issues under Request Options', () => {
	const context = useService({ tls: true });

	test('lets the node talk to a server whose certificate nobody trusts', async () => {
		const { engine, credential } = context;
		expect(credential.baseUrl).toMatch(/^https:/);
		const records = await engine.records({
			credential,
			parameters: { ...METRICS, requestOptions: { allowUnauthorizedCerts: true } },
		});
		expect(records).toHaveLength(1);
	});

	test('is named where it would help, and nothing is sent or tried again without it', async () => {
		const { engine, credential, service } = context;
		const error = await engine.failure({ credential, parameters: METRICS });
		expect(error.message).toMatch(/^The certificate of 127\.0\.0\.1:\d+ is not trusted$/);
		expect(error.description).toContain('Ignore SSL Issues');
		expect(service.requests).toEqual([]);
	});

	test('holds for each try', async () => {
		const { engine, credential, service } = context;
		service.fault({ times: 2, kind: { reset: 'beforeHeaders' } });
		const items: IDataObject[] = [{ id: service.data.invitations[0].id }];
		const records = await engine.records({
			credential,
			items,
			parameters: {
				...INVITATION,
				invitationId: byId('={{ $json.id }}'),
				requestOptions: { allowUnauthorizedCerts: true },
			},
		});
		expect(records).toEqual([{ deleted: true }]);
		expect(service.requests).toHaveLength(3);
	});

	test('holds for the lists of locators', async () => {
		const { engine, credential } = context;
		const { results } = await engine.search('searchProjects', {
			credential,
			parameters: { requestOptions: { allowUnauthorizedCerts: true } },
		});
		expect(results).not.toEqual([]);
	});
});
