import type { IDataObject, INode } from 'n8n-workflow';

import { GET } from './harness/parameters';
import { useService } from './harness/service';

describe('fields of an input item with the names of those of a failed item', () => {
	const context = useService();

	const run = async (item: IDataObject, onError: INode['onError'], isRouted = false) => {
		const { items, errorItems } = await context.run(GET, { items: [item], onError, isRouted });
		const [given, other] =
			onError === 'continueErrorOutput' ? [errorItems, items] : [items, errorItems];
		expect(other).toEqual([]);
		expect(given).toHaveLength(1);
		expect(given[0].pairedItem).toEqual({ item: 0 });
		expect(given[0].error).toBeUndefined();
		return given[0].json;
	};

	const ours = { error: 'Folder "gone" was not found', message: expect.any(String) as string };

	describe.each(['continueRegularOutput', 'continueErrorOutput'] as const)('%s', (onError) => {
		describe.each([false, true])('by n8n’s router: %s', (isRouted) => {
			test.each<[IDataObject]>([
				[{ error: 'E-17' }],
				[{ message: 'Hello' }],
				[{ error: { code: 17 }, message: 'Hello' }],
				[{ error: null }],
				[{ message: '' }],
				[{ message: 'Hello', input: 'mine' }],
				[{ error: 'E-17', input: { error: 'mine' } }],
			])('%j stand below `input`', async (own) => {
				const json = await run({ id: 'gone', row: 1, ...own }, onError, isRouted);
				expect(json).toEqual({ id: 'gone', row: 1, ...ours, input: own });
			});

			test.each([{ row: 1 }, { input: 7 }])(
				'without such fields no `input` is added: %j',
				async (own) => {
					const json = await run({ id: 'gone', ...own }, onError, isRouted);
					expect(json).toEqual({ id: 'gone', ...own, ...ours });
				},
			);
		});
	});
});
