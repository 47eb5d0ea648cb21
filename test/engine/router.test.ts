import { cases } from '../operations';
import { DELETE, FOLDER, GET, strangers } from './harness/parameters';
import { requestsWithin, type TestContext, useService } from './harness/service';

const direct = useService({ data: { flowRuns: 40 } });

describe('in n8n’s router, as agents up to 1.x call the node, operations', () => {
	const routed = useService({ data: { flowRuns: 40 } });

	test.each(cases)('give what they give otherwise: $pair', async (each) => {
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

	test.each([
		['resource', { ...FOLDER, resource: '={{ "folder" }}' }],
		['operation', { ...FOLDER, operation: '={{ "get" }}' }],
	])('are not found by an expression: n8n takes %s for text', async (_n, parameters) => {
		await direct.failure(parameters);
		expect(direct.service.requests).toEqual([]);
	});
});

describe('items that n8n’s router runs', () => {
	const context = useService({ data: { projects: 1 } });

	const CONTINUE = ['continueErrorOutput', 'continueRegularOutput'] as const;
	test.each(CONTINUE)('fail in the same way when the workflow continues: %s', async (onError) => {
		const [first, second] = context.data.folders;
		const given = [first.id, ' ', 'gone', second.id].map((id, row) => ({ id, row }));
		const routed = await context.run(GET, { items: given, onError, isRouted: true });
		const direct = await context.run(GET, { items: given, onError });
		expect(routed.items).toEqual(direct.items);
		expect(routed.errorItems).toEqual(direct.errorItems);
		expect([...routed.items, ...routed.errorItems]).toHaveLength(4);
	});

	test('stop when one fails: what has not begun is not sent', async () => {
		const error = await context.failure(DELETE, { isRouted: true, items: strangers(60) });
		expect(error.message).toBe('User invitation "nobody-0" was not found');
		expect(error.context.itemIndex).toBe(0);
		expect(context.requests.length).toBeLessThanOrEqual(10);
		expect(await requestsWithin(context, 50)).toBe(0);
	});
});
