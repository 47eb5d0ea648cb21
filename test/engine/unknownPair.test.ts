import type { INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/Activepieces/resources';
import { useService } from './harness/service';

describe.each([false, true])('a pair that does not exist, by n8n’s router: %s', (isRouted) => {
	const context = useService();

	const choices = (resource?: string) => {
		const { operations = resources } = resources.find(({ value }) => value === resource) ?? {};
		return operations.map(({ value }) => value).sort();
	};

	test.each<[unknown, unknown, string]>([
		['flows', 'getAll', 'The resource "flows" does not exist'],
		['Flow', 'getAll', 'The resource "Flow" does not exist'],
		['', 'getAll', 'The resource "" does not exist'],
		['toString', 'name', 'The resource "toString" does not exist'],
		['constructor', 'name', 'The resource "constructor" does not exist'],
		['__proto__', 'toString', 'The resource "__proto__" does not exist'],
		[5, 'getAll', 'The resource 5 does not exist'],
		['x'.repeat(5_000), 'getAll', 'The resource a string of 5000 characters does not exist'],
		['={{ "folder" }}', 'get', 'The resource "{{ "folder" }}" does not exist'],
		['flow', 'getall', 'The resource "flow" has no operation "getall"'],
		['flow', '', 'The resource "flow" has no operation ""'],
		['flow', 'toString', 'The resource "flow" has no operation "toString"'],
		['flow', '__proto__', 'The resource "flow" has no operation "__proto__"'],
		['queue', 'getAll', 'The resource "queue" has no operation "getAll"'],
		['flow', '={{ "get" }}', 'The resource "flow" has no operation "{{ "get" }}"'],
	])('one is named, with the existing ones (%#)', async (resource, operation, message) => {
		const error = await context.failure({ resource, operation } as INodeParameters, { isRouted });
		expect(error.message).toBe(message);
		const [, told = ''] = /Choose one of ([\w, ]+)\./.exec(error.description ?? '') ?? [];
		expect(told.split(', ').sort()).toEqual(
			choices(message.includes('does not exist') ? undefined : String(resource)),
		);
		expect(error.description).toContain('Nothing was sent');
		expect(error.context.itemIndex).toBe(0);
		expect(context.requests).toEqual([]);
	});

	const CONTINUE = ['continueRegularOutput', 'continueErrorOutput'] as const;
	test.each(CONTINUE)('each item fails by itself: %s', async (onError) => {
		const given = { items: [{ row: 1 }, { row: 2 }], onError, isRouted };
		const parameters = { resource: 'flows', operation: 'getAll' };
		const { items, errorItems, error } = await context.run(parameters, given);
		expect(error).toBeUndefined();
		expect([...items, ...errorItems].map(({ json }) => [json.row, json.error])).toEqual(
			[1, 2].map((row) => [row, 'The resource "flows" does not exist']),
		);
		expect(context.requests).toEqual([]);
	});
});
