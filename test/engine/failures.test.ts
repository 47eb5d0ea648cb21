import { ExpressionError, type IDataObject, type INode, type INodeParameters } from 'n8n-workflow';

import { ALL_FLOWS, FOLDER } from './harness/parameters';
import { byId, useService } from './harness/service';

/** Folder IDs of the items; an item without one has an expression that cannot be evaluated. */
const FOLDERS: INodeParameters = {
	...FOLDER,
	folderId: byId('={{ $json.id ?? $("Nope").first().json.id }}'),
};

const context = useService();

describe('an item that fails while the workflow continues', () => {
	/** An item for each kind of failure, between two that succeed. */
	const items = (): IDataObject[] => {
		const [first, second] = context.data.folders;
		return [
			{ id: first.id, row: 1 },
			{ row: 2 },
			{ id: ' ', row: 3 },
			{ id: 'gone', row: 4 },
			{ id: second.id, row: 5 },
			{ id: second.id, row: 6 },
		];
	};

	const run = async (onError: INode['onError'], requestOptions = {}) =>
		await context.run(
			{ ...FOLDERS, requestOptions },
			{
				credential: (item) => {
					if (item === 5) throw new Error('The credential cannot be read');
					return context.credential;
				},
				items: items(),
				onError,
				then: '={{ $("Start").item.json.row }}',
				thenOnError: '={{ $("Start").item.json.row }}',
			},
		);

	const failed = () =>
		[
			{ row: 2, error: "Referenced node doesn't exist", message: /\w/ },
			{ id: ' ', row: 3, error: 'Folder is empty', message: /Nothing was sent/ },
			{ id: 'gone', row: 4, error: 'Folder "gone" was not found', message: /Check Folder/ },
			{ id: items()[5].id, row: 6, error: 'The credential could not be read', message: /\w/ },
		].map((item) => ({ ...item, message: expect.stringMatching(item.message) as string }));

	test('is the same item on the error output, whatever failed', async () => {
		const { items: out, errorItems, error, values, errorValues } = await run('continueErrorOutput');
		expect(error).toBeUndefined();
		expect(out.map(({ json }) => json.id)).toEqual([items()[0].id, items()[4].id]);
		expect(errorItems.map(({ json }) => json)).toEqual(failed());
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
			[1, 2, 3, 5].map((item) => ({ item })),
		);
		expect([values, errorValues]).toEqual([
			[1, 5],
			[2, 3, 4, 6],
		]);
	});

	test('is the same item in its place with Continue', async () => {
		const { items: out, error, values } = await run('continueRegularOutput');
		expect(error).toBeUndefined();
		expect(out.filter(({ json }) => 'error' in json).map(({ json }) => json)).toEqual(failed());
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual(items().map((_, item) => ({ item })));
		expect(values).toEqual([1, 2, 3, 4, 5, 6]);
	});

	test('has no other keys, with either setting', async () => {
		const { errorItems } = await run('continueErrorOutput');
		const { items: out } = await run('continueRegularOutput');
		const shapes = [...errorItems, ...out.filter(({ json }) => 'error' in json)].map((item) =>
			Object.keys(item).sort().join(),
		);
		expect(new Set(shapes.map((shape) => shape.replace(',error', '')))).toEqual(
			new Set(['json,pairedItem']),
		);
	});

	test('fails in the same way when Request Options cannot be used, for all items', async () => {
		for (const onError of ['continueErrorOutput', 'continueRegularOutput'] as const) {
			const { items: out, errorItems } = await run(onError, { proxy: 'nonsense' });
			const all = onError === 'continueErrorOutput' ? errorItems : out;
			expect(all.slice(0, 5).map(({ json }) => [json.row, json.error])).toEqual(
				[1, 2, 3, 4, 5].map((row) => [
					row,
					'Proxy must be a URL that begins with http:// or https://',
				]),
			);
		}
		expect(context.requests).toEqual([]);
	});

	test.each<[string, INodeParameters, IDataObject]>([
		['an expression', { ...FOLDER, folderId: byId('={{ $("Nope").first().json.id }}') }, {}],
		['one in an option', { ...ALL_FLOWS, filters: { name: '={{ $("Nope").first() }}' } }, {}],
		['a field', FOLDERS, { id: ' ' }],
		['a request', FOLDERS, { id: 'gone' }],
	])('stops the run with the item: %s', async (_n, parameters, item) => {
		const error = await context.failure(parameters, [item]);
		expect(error.context.itemIndex).toBe(0);
		expect(error.message).toMatch(/\w/);
	});
});

describe('an error of n8n without an item', () => {
	test.each([false, true])('receives the item (by n8n’s router: %s)', async (isRouted) => {
		const [{ id }] = context.data.folders;
		const error = await context.failure(FOLDERS, {
			credential: (item) => {
				if (item === 1) throw new ExpressionError('The vault is closed');
				return context.credential;
			},
			items: [{ id }, { id }],
			isRouted,
		});
		expect(error.message).toBe('The vault is closed');
		expect(error.context.itemIndex).toBe(1);
	});
});
