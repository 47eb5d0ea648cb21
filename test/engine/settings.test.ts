import type { INodeParameters } from 'n8n-workflow';

import { cases } from '../operations';
import { waitReally } from './harness/built';
import { useHttpProxy } from './harness/httpProxy';
import { GET, METRICS } from './harness/parameters';
import { type TestContext, useService } from './harness/service';

describe('Batching under Request Options', () => {
	const context = useService({ data: { projects: 1, foldersPerProject: 6 } });
	beforeEach(waitReally);

	const folders = () => context.data.folders.map(({ id }) => ({ id }));

	/** Runs a number of reads in batches, and returns when each item started: when its credential was read. */
	async function beginnings(count: number, batch: Record<string, number>, items = folders()) {
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
		context.fault({ path: /folders/, times: 1, kind: { delay: 40 } });
		const { times, items } = await beginnings(5, { batchSize: 2, batchInterval: 300 });
		const ids = folders().map(({ id }) => id);
		expect(items.map(({ json }) => json.id)).toEqual(ids.slice(0, 5));
		expect(times).toHaveLength(5);
		const [, second, third, fourth, fifth] = times.map((time) => time - times[0]);
		expect(second).toBeLessThan(third);
		// Less than the interval, because the wait begins a little before the first credential is read.
		expect(third).toBeGreaterThanOrEqual(200);
		expect(fourth).toBeLessThan(fifth);
		expect(fifth).toBeGreaterThanOrEqual(2 * 200);
		expect(fifth - fourth).toBeGreaterThan(fourth - third);
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

	test.each(cases)('applies to $pair', async (each) => {
		await context.records({ ...each.parameters(context.data), ...options() });
		expect(context.requests).not.toEqual([]);
		// Some are sent in parallel.
		expect([...given.proxy.targets].sort()).toEqual(asked().sort());
	});

	test('with an invalid URL fails the run before anything is sent', async () => {
		const parameters = { ...METRICS, requestOptions: { proxy: 'proxy.example:3128' } };
		const message = 'Proxy must be a URL that begins with http:// or https://';
		await context.refuses(parameters, message, 'Request Options', [{}, {}]);
		await expect(context.search('searchProjects', { parameters })).rejects.toThrow(message);
		expect(context.requests).toEqual([]);
	});
});

describe('an expression under Request Options that returns no value', () => {
	const context = useService();

	test.each<[string, INodeParameters]>([
		['Proxy', { proxy: '={{ $json.no }}' }],
		['Proxy', { proxy: '= {{ $json.no }} ' }],
		['Proxy', { proxy: '={{ null }}' }],
		['Timeout', { timeout: '={{ $json.no }}' }],
		['Batch Interval', { batching: { batch: { batchSize: 1, batchInterval: '={{ $json.no }}' } } }],
	])('in %s is refused: %j', async (field, requestOptions) => {
		const message = `The expression in ${field} returns no value`;
		const parameters = { ...METRICS, requestOptions };
		await context.refuses(parameters, message, 'Nothing was sent', [{}, {}]);
	});

	test('is refused in the editor as well, and for agents up to 1.x', async () => {
		const message = 'The expression in Proxy returns no value';
		const parameters = { ...METRICS, requestOptions: { proxy: '={{ null }}' } };
		await expect(context.search('searchProjects', { parameters })).rejects.toThrow(message);
		await context.refuses(parameters, message, 'Nothing was sent', { isRouted: true });
	});

	test('is used when it returns an empty text', async () => {
		const requestOptions = { proxy: '={{ "" }}' };
		expect(await context.records({ ...METRICS, requestOptions })).toHaveLength(1);
	});
});

describe('n8n’s router, as agents up to 1.x call the node', () => {
	const direct = useService({ data: { flowRuns: 40 } });
	const routed = useService({ data: { flowRuns: 40 } });

	test.each(cases)('gives what operations give otherwise: $pair', async (each) => {
		const output = async ({ engine, credential, service }: TestContext, isRouted: boolean) => {
			const parameters = each.parameters(service.data);
			const { items, error } = await engine.run({ credential, parameters, isRouted });
			expect(error).toBeUndefined();
			// A called flow continues to run, and its times appear in the next operation.
			await service.webhooks.settled();
			// Links contain the address of each server.
			return JSON.parse(JSON.stringify(items).replaceAll(service.origin, 'origin')) as unknown;
		};
		expect(await output(routed, true)).toEqual(await output(direct, false));
	});
});
