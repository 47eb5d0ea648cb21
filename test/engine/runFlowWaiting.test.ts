import { sleep } from 'n8n-workflow';

import { INPUT } from '../service/routes/webhooks';
import { agentTool } from './harness/agentTool';
import { waitReally } from './harness/built';
import { calls, helpers, runFlow, WAIT } from './harness/runFlow';
import { byId, cancelAt, requestsWithin, useService } from './harness/service';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);

const context = useService({ data: { flows: 2 } });
const { add, records } = helpers(context);

describe('calls that wait', () => {
	test('end when the workflow is canceled, and no other is sent', async () => {
		const { id } = add({ body: {} });
		context.fault({ path: /sync$/, kind: { delay: 60_000 } });
		const cancelled = await context.run(runFlow(id, WAIT), {
			items: Array.from({ length: 9 }, (_, order) => ({ order })),
			started: cancelAt(context, 3, /\/v1\/webhooks\//),
		});
		expect(cancelled.items).toEqual([]);
		expect(cancelled.error?.message).toBe('The execution was cancelled');
		while (context.inFlight.now > 0) await sleep(1);
		expect(await requestsWithin(context, 50)).toBe(0);
		expect(calls(context)).toHaveLength(3);
	});

	test.each([5, 1])('run as many at once as Batching says: %i', async (batchSize) => {
		waitReally();
		const { id } = add({ body: INPUT });
		context.fault({ path: /sync$/, kind: { untilInFlight: batchSize } });
		const batch = { batchSize, batchInterval: 1 };
		const items = Array.from({ length: 4 * batchSize }, (_, order) => ({ order }));
		const parameters = runFlow(id, { ...WAIT, requestOptions: { batching: { batch } } });
		context.inFlight.peak = 0;
		expect(await records(parameters, items)).toEqual(items);
		expect(context.inFlight.peak).toBe(batchSize);
	});

	test.each([false, true])('return a file, in n8n’s router: %s', async (isRouted) => {
		const { id } = add({ headers: { 'content-type': 'image/png' }, body: PNG });
		const { items, error } = await context.run(runFlow(id, WAIT), { isRouted });
		expect(error).toBeUndefined();
		const [{ json, binary, pairedItem }] = items;
		expect([json, pairedItem]).toEqual([{}, { item: 0 }]);
		expect(binary?.data.mimeType).toBe('image/png');
		expect(Buffer.from(String(binary?.data.data), 'base64')).toEqual(PNG);
	});
});

describe('an agent', () => {
	const input = { order: 7, lines: [{ sku: 'a' }], note: 'ä "quoted"' };

	test.each([
		['as JSON', "={{ $fromAI('input', '', 'json') }}", { input }],
		[
			'field by field',
			"={{ { order: $fromAI('order', '', 'number'), lines: $fromAI('lines', '', 'json'), note: $fromAI('note') } }}",
			input,
		],
		['as text', "={{ $fromAI('input') }}", { input: JSON.stringify(input) }],
	])('of n8n 1 fills in Input %s, and reads the response', async (_name, expression, toolArgs) => {
		const { id } = add({ body: INPUT });
		context.service.webhooks.runs.length = 0;
		const parameters = { ...runFlow(id, WAIT), flowId: byId(id), input: expression };
		const call = agentTool(context.engine, context.credential, parameters);
		expect(JSON.parse(await call(toolArgs))).toEqual([input]);
		expect(context.service.webhooks.runs.map(({ body }) => body)).toEqual([input]);
	});

	test('of n8n 1 reads why nothing was sent', async () => {
		const { id } = add({ body: INPUT });
		const parameters = { ...runFlow(id, WAIT), input: "={{ $fromAI('input') }}" };
		const call = agentTool(context.engine, context.credential, parameters);
		await expect(call({ input: 'order 7' })).rejects.toMatchObject({
			message: expect.stringContaining('Input must be JSON, not "order 7"'),
		});
		expect(calls(context)).toEqual([]);
	});
});
