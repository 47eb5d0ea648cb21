import type { INodeParameters } from 'n8n-workflow';

import { byId, cancelAt, requestPaths, requestsWithin, useService } from './harness/service';

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
		const { items, values } = await context.run(CONNECTIONS, {
			items: [
				{ limit: 3, name: 'first' },
				{ limit: 1, name: 'second' },
				{ limit: 2, name: 'third' },
			],
			then: '={{ $("Start").item.json.name }}',
		});
		expect(values).toEqual(['first', 'first', 'first', 'second', 'third', 'third']);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 0, 1, 2, 2].map((item) => ({ item })),
		);
	});

	test('a following node can ask for the node’s own item', async () => {
		const { service } = context;
		const ids = service.data.folders.slice(0, 3).map(({ id }) => id);
		const { values } = await context.run(FOLDER, {
			items: ids.map((id) => ({ id })),
			then: '={{ $("Activepieces").item.json.id }}',
		});
		expect(values).toEqual(ids);
	});

	test.each([
		['queue metrics', { resource: 'queue', operation: 'getMetrics' }],
		['flows', { resource: 'flow', operation: 'getAll', limit: 1 }],
		['templates', { resource: 'flowTemplate', operation: 'getAll', limit: 1 }],
	])('%s are paired with their input item', async (_name, parameters) => {
		const { items } = await context.run(parameters, [{}, {}]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	test('the output keeps the order of the input, however long each answer takes', async () => {
		const { service } = context;
		const ids = service.data.folders.map(({ id }) => id);
		service.fault({ path: `/v1/folders/${ids[0]}`, kind: { delay: 150 } });
		const records = await context.records(
			FOLDER,
			ids.map((id) => ({ id })),
		);
		expect(records.map(({ id }) => id)).toEqual(ids);
	});

	test('at most 10 requests are in flight, whatever the number of items', async () => {
		const { service } = context;
		service.fault({ kind: { delay: 5 } });
		const items = Array.from({ length: 300 }, (_, index) => ({ id: `nobody-${index}` }));
		const { error, items: out } = await context.run(INVITATION, {
			items,
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(out).toHaveLength(300);
		expect(service.requests).toHaveLength(300);
		expect(service.inFlight.peak).toBe(10);
	});

	test('the bound holds for the pages of many projects, too', async () => {
		const { service } = context;
		service.fault({ kind: { delay: 5 } });
		await context.records(
			{ resource: 'flow', operation: 'getAll', returnAll: true, options: { pageSize: 5 } },
			Array.from({ length: 20 }, () => ({})),
		);
		expect(service.inFlight.peak).toBe(10);
	});

	test('as many items are begun, and no others: a credential is read when its item begins', async () => {
		const { credential, service } = context;
		service.fault({ kind: { delay: 200 } });
		let readings = 0;
		await context.run(INVITATION, {
			credential: () => {
				readings++;
				return credential;
			},
			items: Array.from({ length: 100 }, (_, index) => ({ id: `nobody-${index}` })),
			onError: 'continueRegularOutput',
			started: cancelAt(context, 10),
		});
		expect(readings).toBe(10);
		// Until the service has answered those, though nobody waits for it.
		expect(await requestsWithin(context, 300)).toBe(0);
	});

	test('renames come one after the other: the second may take the name that the first gives up', async () => {
		const { service } = context;
		const [first, second] = service.data.folders;
		expect(first.projectId).toBe(second.projectId);
		const { displayName } = first;
		service.fault({ path: `/v1/folders/${first.id}`, kind: { delay: 100 } });
		const records = await context.records(
			{
				resource: 'folder',
				operation: 'update',
				folderId: byId('={{ $json.id }}'),
				displayName: '={{ $json.name }}',
			},
			[
				{ id: first.id, name: 'Another name' },
				{ id: second.id, name: displayName },
			],
		);
		expect(records.map((record) => record.name)).toEqual(['Another name', displayName]);
		expect(service.inFlight.peak).toBe(1);
	});

	test('reads come side by side', async () => {
		const { service } = context;
		service.fault({ kind: { delay: 20 } });
		const [{ id }] = service.data.folders;
		const items = Array.from({ length: 40 }, () => ({ id }));
		expect(await context.records(FOLDER, items)).toHaveLength(40);
		expect(service.inFlight.peak).toBe(10);
	});
});

describe('credentials from an expression', () => {
	const first = useService({ release: '0.85' });
	const second = useService({ release: '0.85', apiKey: `sk-${'b'.repeat(61)}` });

	test('each item is sent with its own key to its own server', async () => {
		const { error } = await first.run(CONNECTIONS_OF_ALL, {
			credential: (item) => [first, second][item].credential,
			items: [{}, {}],
		});
		expect(error).toBeUndefined();
		for (const { service, credential } of [first, second]) {
			expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
				`Bearer ${credential.apiKey}`,
			]);
		}
	});
});

describe('the credential of an item', () => {
	const first = useService();
	const second = useService({ apiKey: `sk-${'c'.repeat(61)}` });

	test.each<[string, INodeParameters]>([
		['one request', { resource: 'queue', operation: 'getMetrics' }],
		['many pages', { ...CONNECTIONS_OF_ALL, options: { pageSize: 3 } }],
		['many projects', { resource: 'flow', operation: 'getAll', returnAll: true }],
		['requests that are repeated', { resource: 'queue', operation: 'getMetrics' }],
	])('is read once, for %s', async (name, parameters) => {
		const { credential, service } = first;
		if (name.includes('repeated')) service.fault({ times: 3, kind: { status: 503 } });
		let readings = 0;
		const { error } = await first.run(parameters, {
			credential: () => {
				readings++;
				return credential;
			},
			items: [{}, {}, {}],
		});
		expect(error).toBeUndefined();
		expect(readings).toBe(3);
	});

	test('is never mixed with another one when it is changed meanwhile', async () => {
		let readings = 0;
		const { error } = await first.run(
			{ ...CONNECTIONS_OF_ALL, options: { pageSize: 3 } },
			{
				credential: () => [first, second][readings++ % 2].credential,
				items: Array.from({ length: 12 }, () => ({})),
			},
		);
		expect(error).toBeUndefined();
		for (const { service, credential } of [first, second]) {
			const keys = service.requests.map(({ headers }) => headers.authorization);
			expect(keys.length).toBeGreaterThan(12);
			expect(new Set(keys)).toEqual(new Set([`Bearer ${credential.apiKey}`]));
		}
	});
});

describe('Continue On Fail', () => {
	const context = useService();

	test('a Base URL that cannot be used goes wrong per item as well', async () => {
		const { credential } = context;
		const { items } = await context.run(FOLDER, {
			credential: { ...credential, baseUrl: 'nowhere' },
			items: [{}, {}],
			onError: 'continueRegularOutput',
		});
		expect(items).toHaveLength(2);
		expect(items[0].json.error).toContain('Base URL must start with');
	});

	test('one list that goes wrong leaves the lists of other items whole', async () => {
		const { service } = context;
		service.fault({ path: '/v1/global-connections', after: 1, times: 1, kind: { status: 500 } });
		const { items, errorItems } = await context.run(CONNECTIONS, {
			items: [{ limit: 2 }, { limit: 3 }, { limit: 4 }],
			onError: 'continueErrorOutput',
		});
		expect(errorItems).toHaveLength(1);
		expect(items.length + Number(errorItems[0].json.limit)).toBe(9);
		expect(requestPaths(context)).toHaveLength(3);
	});
});
