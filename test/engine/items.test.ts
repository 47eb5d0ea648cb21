import type { IDataObject } from 'n8n-workflow';

import { byId } from './harness/byId';
import {
	ALL_FLOWS,
	CONNECTIONS,
	DELETE,
	GET,
	parametersOf,
	RENAME,
	strangers,
} from './harness/parameters';
import { holdUntilInFlight, requestPaths, useService } from './harness/service';

const SOME_CONNECTIONS = { ...CONNECTIONS, limit: '={{ $json.limit }}' };

const empty = (count: number) => Array.from({ length: count }, () => ({}));

describe('several input items', () => {
	const context = useService({ data: { invitations: 60, connections: 40 } });

	test('each item of a list is paired with its own input item', async () => {
		const { items, values } = await context.run(SOME_CONNECTIONS, {
			items: ['first', 'second', 'third'].map((name, at) => ({ name, limit: [3, 1, 2][at] })),
			then: '={{ $("Start").item.json.name + $("Activepieces").item.json.id }}',
		});
		const names = ['first', 'first', 'first', 'second', 'third', 'third'];
		expect(values).toEqual(items.map(({ json }, index) => `${names[index]}${String(json.id)}`));
		const paired = [0, 0, 0, 1, 2, 2].map((item) => ({ item }));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(paired);
	});

	test.each([
		['10 deletes', DELETE, 10],
		['10 reads', GET, 10],
		['one rename', { ...RENAME, folderId: GET.folderId }, 1],
	])('at most %s at once, and no item starts before', async (_n, parameters, count) => {
		holdUntilInFlight(context, count);
		// The credential is read when its item starts.
		const ahead: number[] = [];
		const credential = () => {
			ahead.push(ahead.length + 1 - context.requests.length);
			return context.credential;
		};
		const onError = 'continueRegularOutput' as const;
		const given = { items: strangers(40), credential, onError };
		const { error, items } = await context.run(parameters, given);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(40);
		expect(context.requests).toHaveLength(40);
		expect(context.inFlight.peak).toBe(count);
		expect(context.service.connections.peak).toBeLessThanOrEqual(10);
		expect(Math.max(...ahead)).toBeLessThanOrEqual(count);
	});

	test.each(['flow', 'folder', 'project'])(
		'%s > Create keeps the order of the items',
		async (resource) => {
			const names = Array.from({ length: 20 }, (_, index) => `${resource} ${index}`);
			const projectId = byId(context.data.projects[0].id);
			const displayName = '={{ $json.name }}';
			const create = parametersOf(`${resource}.create`, { projectId, displayName });
			const items = names.map((name) => ({ name }));
			const given = (await context.run(create, { items })).items;
			expect(given.map(({ json }) => json.name)).toEqual(names);
			expect(given.map(({ pairedItem }) => pairedItem)).toEqual(names.map((_, item) => ({ item })));
			const sent = context.posts().map(({ body }) => (body as IDataObject).displayName);
			expect(sent).toEqual(names);
		},
	);
});

describe('the credential of an item', () => {
	const first = useService();
	const second = useService({ apiKey: `sk-${'b'.repeat(61)}` });

	test.each([
		['many pages', { ...ALL_FLOWS, options: { pageSize: 3 } }],
		['many projects', ALL_FLOWS],
		['requests that are repeated', CONNECTIONS],
	])('is read once, for %s', async (name, parameters) => {
		if (name.includes('repeated')) first.fault({ times: 3, kind: { status: 503 } });
		const credential = jest.fn(() => first.credential);
		await first.records(parameters, { credential, items: empty(3) });
		expect(credential).toHaveBeenCalledTimes(3);
	});

	test('is never mixed with another one when it changes in between', async () => {
		let readings = 0;
		await first.records(
			{ ...ALL_FLOWS, options: { pageSize: 5 } },
			{ credential: () => [first, second][readings++ % 2].credential, items: empty(6) },
		);
		for (const { service, credential } of [first, second]) {
			const keys = service.requests.map(({ headers }) => headers.authorization);
			expect(keys.length).toBeGreaterThan(6);
			expect(new Set(keys)).toEqual(new Set([`Bearer ${credential.apiKey}`]));
		}
	});

	test('counts for what is read once and sent together, in a table with the same ID', async () => {
		const [{ id }] = first.data.tables;
		const columns = { mappingMode: 'autoMapInputData', value: null };
		const create = { resource: 'tableRecord', operation: 'create', tableId: byId(id), columns };
		const credential = (item: number) => [first, second][item].credential;
		await first.records(create, { credential, items: [{ Customer: 'Ada' }, { Customer: 'Bea' }] });
		expect(second.posts()).toHaveLength(1);
		expect(requestPaths(second)).toEqual(requestPaths(first));
	});
});
