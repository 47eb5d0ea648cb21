import { sleep, type INodeParameters } from 'n8n-workflow';

import { cases } from '../operations';
import { skipWaits, waitReally } from './harness/built';
import { GET, METRICS } from './harness/parameters';
import { useService, type TestContext } from './harness/service';

describe('Batching under Request Options', () => {
	const context = useService({ data: { projects: 1, foldersPerProject: 6 } });
	const folders = () => context.data.folders.map(({ id }) => ({ id }));

	/** Runs reads in batches, and calls a function when an item starts: when its credential is read. */
	async function runBatches(
		batch: Record<string, number>,
		items: Array<{ id: string }>,
		onStart: () => void,
	) {
		const credential = () => {
			onStart();
			return context.credential;
		};
		const parameters = { ...GET, requestOptions: { batching: { batch } } };
		return await context.run(parameters, { credential, items });
	}

	test('sends as many items at once as configured, waits in between, and keeps their order', async () => {
		/** For each item, how many waits had ended when it started */
		const starts: number[] = [];
		let ended = 0;
		const waits = skipWaits(async () => {
			while (starts.length < 2 * waits.length) await sleep(1);
			// An item that did not wait would start now.
			await sleep(20);
			ended++;
		});
		// The first response comes last.
		context.fault({ path: /folders/, times: 2, kind: { untilInFlight: 2 } });
		context.fault({ path: /folders/, times: 1, kind: { delay: 40 } });
		const items = folders().slice(0, 5);
		const batch = { batchSize: 2, batchInterval: 300 };
		const given = await runBatches(batch, items, () => void starts.push(ended));
		expect(given.items.map(({ json }) => json.id)).toEqual(items.map(({ id }) => id));
		expect(starts).toEqual([0, 0, 1, 1, 2]);
		expect(waits).toEqual([300, 300]);
	});

	test('starts no further batch, without waiting, when an item failed', async () => {
		waitReally();
		let starts = 0;
		// Longer than the time limit of a test
		const batch = { batchSize: 1, batchInterval: 3_600_000 };
		const items = [{ id: 'nobody' }, ...folders().slice(0, 2)];
		const { error } = await runBatches(batch, items, () => void starts++);
		expect(error?.context.itemIndex).toBe(0);
		expect(starts).toBe(1);
	});
});

describe('a value under Request Options that cannot be used', () => {
	const context = useService();
	const noValue = (field: string) => `The expression in ${field} returns no value`;
	const interval = { batchSize: 1, batchInterval: '={{ $json.no }}' };

	// That a proxy applies to each operation is in `headers.test.ts`.
	test.each<[INodeParameters, string]>([
		[{ proxy: 'proxy.example:3128' }, 'Proxy must be a URL that begins with http:// or https://'],
		[{ proxy: '={{ $json.no }}' }, noValue('Proxy')],
		[{ proxy: '= {{ $json.no }} ' }, noValue('Proxy')],
		[{ proxy: '={{ null }}' }, noValue('Proxy')],
		[{ timeout: '={{ $json.no }}' }, noValue('Timeout')],
		[{ batching: { batch: interval } }, noValue('Batch Interval')],
	])('is refused before anything is sent: %j', async (requestOptions, message) => {
		const says = ['Request Options', 'Nothing was sent'];
		await context.refuses({ ...METRICS, requestOptions }, message, says, [{}, {}]);
	});

	test('is refused in the editor as well, and for agents up to 1.x', async () => {
		const withProxy = (proxy: string) => ({ ...METRICS, requestOptions: { proxy } });
		for (const [proxy, message] of [
			['proxy.example:3128', 'Proxy must be a URL that begins with http:// or https://'],
			['={{ null }}', noValue('Proxy')],
		]) {
			const parameters = withProxy(proxy);
			await expect(context.search('searchProjects', { parameters })).rejects.toThrow(message);
		}
		const given = { isRouted: true };
		await context.refuses(withProxy('={{ null }}'), noValue('Proxy'), 'Nothing was sent', given);
	});

	test('is not an expression that returns an empty text: it sets nothing', async () => {
		const requestOptions = { proxy: '={{ "" }}' };
		expect(await context.records({ ...METRICS, requestOptions })).toHaveLength(1);
	});
});

describe('n8n’s router, as agents up to 1.x call the node', () => {
	const direct = useService({ data: { flowRuns: 40 } });
	const routed = useService({ data: { flowRuns: 40 } });

	test.each(cases)('gives what operations give otherwise: $pair', async (each) => {
		const output = async ({ engine, service }: TestContext, isRouted: boolean) => {
			const parameters = each.parameters(service.data);
			const credential = each.credentialFor(service);
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
