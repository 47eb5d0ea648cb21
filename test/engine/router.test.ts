import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { OPERATIONS } from './harness/operations';
import { CONNECTIONS, FOLDER, INVITATION, RENAME } from './harness/parameters';
import { byId, cancelAt, requestsWithin, type TestContext, useService } from './harness/service';

const ID = byId('={{ $json.id }}');
const GET: INodeParameters = { ...FOLDER, folderId: ID };
const DELETE: INodeParameters = { ...INVITATION, invitationId: ID };

describe('by n8n’s router, as agents up to 1.x come to the node, operations', () => {
	const data = { flowRuns: 40 };
	const direct = useService({ data });
	const routed = useService({ data });

	test.each(Object.keys(OPERATIONS))('give what they give otherwise: %s', async (operation) => {
		const output = async ({ engine, credential, service }: TestContext, isRouted: boolean) => {
			const parameters = OPERATIONS[operation](service.data);
			const { items, error } = await engine.run({ credential, parameters, isRouted });
			expect(error).toBeUndefined();
			// Links lead to either server.
			return JSON.parse(JSON.stringify(items).replaceAll(service.origin, 'origin')) as unknown;
		};
		expect(await output(routed, true)).toEqual(await output(direct, false));
	});

	test.each([
		['resource', { ...FOLDER, resource: '={{ "folder" }}' }],
		['operation', { ...FOLDER, operation: '={{ "get" }}' }],
	])(
		'are not found by an expression: n8n takes %s for text, and nothing is sent',
		async (_n, parameters) => {
			const { service } = direct;
			await direct.failure(parameters);
			expect(service.requests).toEqual([]);
		},
	);
});

describe('items that n8n’s router runs', () => {
	const context = useService({ data: { projects: 1, invitations: 420 } });

	const items = (): IDataObject[] => {
		const [first, second] = context.service.data.folders;
		return [
			{ id: first.id, row: 1 },
			{ id: ' ', row: 2 },
			{ id: 'gone', row: 3 },
			{ id: second.id, row: 4 },
		];
	};

	test('keep their order and lead back to their input, however long each takes', async () => {
		const { service } = context;
		const [first, second] = service.data.folders;
		service.fault({ path: `/v1/folders/${first.id}`, kind: { delay: 100 } });
		const { items: out, values } = await context.run(GET, {
			items: [
				{ id: first.id, row: 1 },
				{ id: second.id, row: 2 },
			],
			isRouted: true,
			then: '={{ $("Start").item.json.row }}',
		});
		expect(out.map(({ json }) => json.id)).toEqual([first.id, second.id]);
		expect(values).toEqual([1, 2]);
	});

	test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'fail alike where the workflow goes on: %s',
		async (onError) => {
			const { engine, credential } = context;
			const options = { credential, items: items(), onError };
			const routed = await engine.run({ ...options, parameters: GET, isRouted: true });
			const direct = await engine.run({ ...options, parameters: GET });
			expect(routed.items).toEqual(direct.items);
			expect(routed.errorItems).toEqual(direct.errorItems);
			expect([...routed.items, ...routed.errorItems]).toHaveLength(4);
		},
	);

	test('stop when one fails: what has not begun is not sent', async () => {
		const { service } = context;
		const known = service.data.invitations.slice(0, 200).map(({ id }) => ({ id }));
		const error = await context.failure(DELETE, {
			isRouted: true,
			items: [{ id: 'nobody' }, ...known],
		});
		expect(error.message).toBe('User invitation "nobody" was not found');
		expect(error.context.itemIndex).toBe(0);
		expect(service.requests.length).toBeLessThanOrEqual(10);
		expect(await requestsWithin(context, 100)).toBe(0);
	});

	test('are sent ten at once, renames one after the other', async () => {
		const { engine, credential, service } = context;
		service.fault({ kind: { delay: 10 } });
		const [folder] = service.data.folders;
		const options = {
			credential,
			items: Array.from({ length: 30 }, () => ({ id: folder.id })),
			onError: 'continueRegularOutput' as const,
		};
		await engine.run({ ...options, parameters: GET, isRouted: true });
		expect(service.inFlight.peak).toBe(10);
		service.clearRequests();
		const update = { ...RENAME, folderId: ID, displayName: 'Same' };
		await engine.run({ ...options, parameters: update, isRouted: true });
		expect(service.requests).toHaveLength(30);
		expect(service.inFlight.peak).toBe(1);
	});

	test('send nothing more when the workflow is cancelled', async () => {
		const { service } = context;
		service.fault({ kind: { delay: 100 } });
		await context.run(DELETE, {
			items: Array.from({ length: 200 }, (_, index) => ({ id: `nobody-${index}` })),
			isRouted: true,
			onError: 'continueRegularOutput',
			started: cancelAt(context, 10),
		});
		expect(await requestsWithin(context, 300)).toBe(0);
		expect(service.requests).toHaveLength(10);
	});

	test('are left at what one input item may give, with a message', async () => {
		const { service } = context;
		const data = Array.from({ length: 130_000 }, (_, id) => ({ id: String(id) }));
		service.fault({ kind: { body: { data, next: null } } });
		const error = await context.failure(
			{ ...CONNECTIONS, returnAll: true, simplify: false },
			{ isRouted: true },
		);
		expect(error.message).toMatch(/^The server returned 130000 global connections at once/);
	});
});

describe('Retry On Fail by n8n’s router', () => {
	const context = useService();

	test('starts afresh: the try before, which has ended, ends nothing of this one', async () => {
		const { service } = context;
		service.fault({ times: 1, kind: { status: 500 } });
		const [{ id }] = service.data.folders;
		const records = await context.records(GET, {
			items: [{ id }],
			isRouted: true,
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(records.map((record) => record.id)).toEqual([id]);
		expect(service.requests.map(({ status }) => status)).toEqual([500, 200]);
	});
});
