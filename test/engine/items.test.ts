import { type IDataObject, type INodeParameters, sleep } from 'n8n-workflow';

import { byId, requestPaths, useService } from './harness/service';

const INVITATION: INodeParameters = {
	resource: 'userInvitation',
	operation: 'delete',
	invitationId: byId('={{ $json.id }}'),
};
const FOLDER: INodeParameters = {
	resource: 'folder',
	operation: 'get',
	folderId: byId('={{ $json.id }}'),
};
const CONNECTIONS: INodeParameters = {
	resource: 'globalConnection',
	operation: 'getAll',
	limit: '={{ $json.limit }}',
};

const CONNECTIONS_OF_ALL: INodeParameters = {
	resource: 'globalConnection',
	operation: 'getAll',
	returnAll: true,
};

describe('several input items', () => {
	const context = useService({ data: { invitations: 60, connections: 40 } });

	test('each item of a list leads back to its own input item', async () => {
		const { engine, credential } = context;
		const { items, values } = await engine.run({
			credential,
			items: [
				{ limit: 3, name: 'first' },
				{ limit: 1, name: 'second' },
				{ limit: 2, name: 'third' },
			],
			parameters: CONNECTIONS,
			then: '={{ $("Start").item.json.name }}',
		});
		expect(values).toEqual(['first', 'first', 'first', 'second', 'third', 'third']);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 0, 1, 2, 2].map((item) => ({ item })),
		);
	});

	test('a following node can ask for the node’s own item', async () => {
		const { engine, credential, service } = context;
		const ids = service.data.folders.slice(0, 3).map(({ id }) => id);
		const { values } = await engine.run({
			credential,
			items: ids.map((id) => ({ id })),
			parameters: FOLDER,
			then: '={{ $("Activepieces").item.json.id }}',
		});
		expect(values).toEqual(ids);
	});

	test.each([
		['queue metrics', { resource: 'queue', operation: 'getMetrics' }],
		['flows', { resource: 'flow', operation: 'getAll', limit: 1 }],
		['templates', { resource: 'flowTemplate', operation: 'getAll', limit: 1 }],
	])('%s are paired with their input item', async (_name, parameters) => {
		const { engine, credential } = context;
		const { items } = await engine.run({ credential, items: [{}, {}], parameters });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	test('the output keeps the order of the input, however long each answer takes', async () => {
		const { engine, credential, service } = context;
		const ids = service.data.folders.map(({ id }) => id);
		service.fault({ path: `/v1/folders/${ids[0]}`, kind: { delay: 150 } });
		const records = await engine.records({
			credential,
			items: ids.map((id) => ({ id })),
			parameters: FOLDER,
		});
		expect(records.map(({ id }) => id)).toEqual(ids);
	});

	test('at most 10 requests are in flight, whatever the number of items', async () => {
		const { engine, credential, service } = context;
		service.fault({ kind: { delay: 5 } });
		const items = Array.from({ length: 300 }, (_, index) => ({ id: `nobody-${index}` }));
		const { error, items: out } = await engine.run({
			credential,
			items,
			parameters: INVITATION,
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(out).toHaveLength(300);
		expect(service.requests).toHaveLength(300);
		expect(service.inFlight.peak).toBe(10);
	});

	test('the bound holds for the pages of many projects, too', async () => {
		const { engine, credential, service } = context;
		service.fault({ kind: { delay: 5 } });
		await engine.records({
			credential,
			items: Array.from({ length: 20 }, () => ({})),
			parameters: {
				resource: 'flow',
				operation: 'getAll',
				returnAll: true,
				options: { pageSize: 5 },
			},
		});
		expect(service.inFlight.peak).toBe(10);
	});

	test('a cancelled run sends nothing more', async () => {
		const { engine, credential, service } = context;
		service.fault({ kind: { delay: 40 } });
		await engine.run({
			credential,
			items: Array.from({ length: 200 }, (_, index) => ({ id: `nobody-${index}` })),
			parameters: INVITATION,
			onError: 'continueRegularOutput',
			started: (cancel) => {
				const watch = async () => {
					while (service.requests.length < 10) await sleep(1);
					cancel();
				};
				void watch();
			},
		});
		expect(service.requests.length).toBeLessThanOrEqual(20);
	});
});

describe('credentials from an expression', () => {
	const first = useService({ release: '0.85' });
	const second = useService({ release: '0.85', apiKey: `sk-${'b'.repeat(61)}` });

	test('each item is sent with its own key to its own server', async () => {
		const { engine } = first;
		const { error } = await engine.run({
			credential: (item) => [first, second][item].credential,
			items: [{}, {}],
			parameters: CONNECTIONS_OF_ALL,
		});
		expect(error).toBeUndefined();
		for (const { service, credential } of [first, second]) {
			expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
				`Bearer ${credential.apiKey}`,
			]);
		}
	});
});

describe('Continue On Fail and the error output', () => {
	const context = useService();

	const mixed = (): IDataObject[] => {
		const [first, second] = context.service.data.folders;
		return [
			{ id: first.id, row: 1 },
			{ id: 'gone', row: 2 },
			{ id: ' ', row: 3 },
			{ id: second.id, row: 4 },
		];
	};

	test('Continue (using regular output) gives an item with the message in place of each that went wrong', async () => {
		const { engine, credential } = context;
		const { items, error, values } = await engine.run({
			credential,
			items: mixed(),
			parameters: FOLDER,
			onError: 'continueRegularOutput',
			then: '={{ $("Start").item.json.row }}',
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.error)).toEqual([
			undefined,
			'Folder "gone" was not found',
			'Folder is empty',
			undefined,
		]);
		expect(values).toEqual([1, 2, 3, 4]);
	});

	test('Continue (using error output) parts them, with the input item’s own fields beside the message', async () => {
		const { engine, credential, service } = context;
		const { items, errorItems, values, errorValues } = await engine.run({
			credential,
			items: mixed(),
			parameters: FOLDER,
			onError: 'continueErrorOutput',
			then: '={{ $("Start").item.json.row }}',
			thenOnError: '={{ $("Start").item.json.row }}',
		});
		const [first, second] = service.data.folders;
		expect(items.map(({ json }) => json.id)).toEqual([first.id, second.id]);
		expect(values).toEqual([1, 4]);
		expect(errorItems.map(({ json }) => json)).toEqual([
			{
				id: 'gone',
				row: 2,
				error: 'Folder "gone" was not found',
				message: expect.stringContaining('Check Folder'),
			},
			{
				id: ' ',
				row: 3,
				error: 'Folder is empty',
				message: expect.stringContaining('Nothing was sent'),
			},
		]);
		expect(errorValues).toEqual([2, 3]);
	});

	test('without it the run stops at the first item that went wrong, and names it', async () => {
		const { engine, credential } = context;
		const error = await engine.failure({ credential, items: mixed(), parameters: FOLDER });
		expect(error.context.itemIndex).toBe(1);
		expect(error.message).toBe('Folder "gone" was not found');
	});

	test('a Base URL that cannot be used goes wrong per item as well', async () => {
		const { engine, credential } = context;
		const { items } = await engine.run({
			credential: { ...credential, baseUrl: 'nowhere' },
			items: [{}, {}],
			parameters: FOLDER,
			onError: 'continueRegularOutput',
		});
		expect(items).toHaveLength(2);
		expect(items[0].json.error).toContain('Base URL must begin with');
	});

	test('one list that goes wrong leaves the lists of other items whole', async () => {
		const { engine, credential, service } = context;
		service.fault({ path: '/v1/global-connections', after: 1, times: 1, kind: { status: 500 } });
		const { items, errorItems } = await engine.run({
			credential,
			items: [{ limit: 2 }, { limit: 3 }, { limit: 4 }],
			parameters: CONNECTIONS,
			onError: 'continueErrorOutput',
		});
		expect(errorItems).toHaveLength(1);
		expect(items.length + Number(errorItems[0].json.limit)).toBe(9);
		expect(requestPaths(context)).toHaveLength(3);
	});
});
