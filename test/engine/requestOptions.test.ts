import type { INodeParameters } from 'n8n-workflow';

import { cases } from '../operations';
import { waitReally } from './harness/built';
import { useHttpProxy } from './harness/httpProxy';
import { CONNECTIONS, GET, INVITATION, METRICS } from './harness/parameters';
import { byId, useService } from './harness/service';

describe('Batching under Request Options', () => {
	const context = useService({ data: { projects: 1, foldersPerProject: 6 } });
	beforeEach(waitReally);

	const folders = () => context.data.folders.map(({ id }) => ({ id }));

	/** Runs a number of reads in batches, and returns when each item started: when its credential was read. */
	async function beginnings(count: number, batch: INodeParameters, items = folders()) {
		const times: number[] = [];
		const credential = () => {
			times.push(Date.now());
			return context.credential;
		};
		const parameters = { ...GET, requestOptions: { batching: { batch } } };
		const result = await context.run(parameters, { credential, items: items.slice(0, count) });
		return { times, ...result };
	}

	test('sends as many items at once as configured, waits in between, and keeps their order', async () => {
		context.fault({ path: /folders/, times: 1, kind: { delay: 80 } });
		const { times, items } = await beginnings(5, { batchSize: 2, batchInterval: 350 });
		const ids = folders().map(({ id }) => id);
		expect(items.map(({ json }) => json.id)).toEqual(ids.slice(0, 5));
		expect(times).toHaveLength(5);
		const [, second, third, fourth, fifth] = times.map((time) => time - times[0]);
		expect(second).toBeLessThan(third);
		expect(third).toBeGreaterThanOrEqual(330);
		expect(fourth).toBeLessThan(fifth);
		expect(fifth).toBeGreaterThanOrEqual(2 * 330);
		expect(fifth - fourth).toBeGreaterThan(fourth - third);
	});

	test.each([
		['-1 items per batch', { batchSize: -1, batchInterval: 60_000 }],
		['no interval', { batchSize: 1, batchInterval: 0 }],
	])('is off with %s', async (_name, batch) => {
		const { times } = await beginnings(3, batch);
		expect(times).toHaveLength(3);
	});

	test('starts no further batch, without waiting, when an item failed', async () => {
		const start = Date.now();
		const batch = { batchSize: 1, batchInterval: 60_000 };
		const { times, error } = await beginnings(3, batch, [{ id: 'nobody' }, ...folders()]);
		expect(error?.context.itemIndex).toBe(0);
		expect(times).toHaveLength(1);
		expect(Date.now() - start).toBeLessThan(30_000);
	});
});

describe('Proxy under Request Options', () => {
	const context = useService({ data: { flowRuns: 40 } });
	const given = useHttpProxy();
	const options = () => ({ requestOptions: { proxy: given.proxy.url } });

	/** The base URLs of the requests: those of the proxy, and no others. */
	const asked = () => context.requests.map(({ url }) => context.origin + url);

	test('applies to every request, including repeated ones and further pages', async () => {
		context.fault({ path: '/v1/global-connections', after: 1, times: 2, kind: { status: 503 } });
		const all = { ...CONNECTIONS, returnAll: true, options: { pageSize: 10 } };
		const records = await context.records({ ...all, ...options() });
		expect(records).toHaveLength(context.data.connections.length);
		expect(context.requests).toHaveLength(5);
		expect(given.proxy.targets).toEqual(asked());
	});

	test.each(cases)('applies to $pair', async (each) => {
		await context.records({ ...each.parameters(context.data), ...options() });
		expect(context.requests).not.toEqual([]);
		// Some are sent in parallel.
		expect([...given.proxy.targets].sort()).toEqual(asked().sort());
	});

	test('with an invalid URL fails the run before anything is sent', async () => {
		const parameters = { ...METRICS, requestOptions: { proxy: 'proxy.example:3128' } };
		const error = await context.failure(parameters, [{}, {}]);
		expect(error.message).toBe('Proxy must be a URL that begins with http:// or https://');
		expect(error.description).toContain('Request Options');
		expect(error.context.itemIndex).toBe(0);
		await expect(context.search('searchProjects', { parameters })).rejects.toThrow(
			'Proxy must be a URL that begins with http:// or https://',
		);
		expect(context.requests).toEqual([]);
	});
});

describe('Ignore SSL Issues under Request Options', () => {
	const context = useService({ tls: true });
	const requestOptions = { allowUnauthorizedCerts: true };

	test('accepts a server with an untrusted certificate, in each try', async () => {
		context.fault({ times: 2, kind: { reset: 'beforeHeaders' } });
		const invitationId = byId(context.data.invitations[0].id);
		const records = await context.records({ ...INVITATION, invitationId, requestOptions });
		expect(records).toEqual([{ deleted: true }]);
		expect(context.requests).toHaveLength(3);
	});

	test('applies to the lists of locators', async () => {
		const { results } = await context.search('searchProjects', { parameters: { requestOptions } });
		expect(results).not.toEqual([]);
	});
});
