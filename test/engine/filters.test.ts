import type { INodeParameters } from 'n8n-workflow';

import { ALL_FLOWS, CONNECTIONS, TEMPLATES } from './harness/parameters';
import { requestUrls, byId, useService } from './harness/service';

describe('filters', () => {
	const context = useService({ data: { projects: 1, flows: 60, connections: 60, templates: 12 } });

	test('every filter of flows is sent under its name, lists as repeated keys, on every page', async () => {
		await context.records({
			...ALL_FLOWS,
			projectId: byId(context.data.projects[0].id),
			options: { pageSize: 1 },
			filters: {
				agentExternalIds: 'agent-1',
				connectionExternalIds: 'conn-001, conn-002',
				externalIds: 'ext-flow-001, ext-flow-002 ,, ext-flow-003',
				folderId: 'NULL',
				name: 'flow & co',
				status: ['ENABLED', 'DISABLED'],
				versionState: 'DRAFT',
			},
		});
		const [, request] = context.requests;
		expect(request.url).toContain(
			'externalIds=ext-flow-001&externalIds=ext-flow-002&externalIds=ext-flow-003',
		);
		expect(request.query).toEqual({
			agentExternalIds: 'agent-1',
			connectionExternalIds: ['conn-001', 'conn-002'],
			externalIds: ['ext-flow-001', 'ext-flow-002', 'ext-flow-003'],
			folderId: 'NULL',
			name: 'flow & co',
			status: ['ENABLED', 'DISABLED'],
			versionState: 'DRAFT',
			projectId: context.data.projects[0].id,
			limit: '1',
		});
	});

	test('filters stay the same on all pages; only the cursor is added', async () => {
		const records = await context.records({
			...CONNECTIONS,
			returnAll: true,
			options: { pageSize: 5 },
			filters: {
				displayName: 'connection',
				pieceName: '@activepieces/piece-slack',
				scope: 'PLATFORM',
				connectionStatus: ['ACTIVE'],
			},
		});
		expect(records.length).toBeGreaterThan(5);
		expect(
			new Set(records.map(({ pieceName, status }) => `${String(pieceName)} ${String(status)}`)),
		).toEqual(new Set(['@activepieces/piece-slack ACTIVE']));
		const queries = context.requests.map(({ query: { cursor, ...rest } }) => ({
			cursor: typeof cursor,
			rest,
		}));
		expect(queries[0].cursor).toBe('undefined');
		expect(queries.slice(1).every(({ cursor }) => cursor === 'string')).toBe(true);
		expect(
			queries.every(({ rest }) => JSON.stringify(rest) === JSON.stringify(queries[0].rest)),
		).toBe(true);
	});

	test('a list with commas only is not sent', async () => {
		await context.records({ ...TEMPLATES, filters: { pieces: ' , ' } });
		expect(requestUrls(context).join()).not.toContain('pieces');
	});

	test('a list from an expression is not split, so that values may contain commas', async () => {
		await context.records({ ...TEMPLATES, filters: { tags: '={{ $json.tags }}', search: 'x' } }, [
			{ tags: ['sales, EU', 'weekly'] },
		]);
		expect(context.requests.at(-1)?.query).toMatchObject({
			tags: ['sales, EU', 'weekly'],
			search: 'x',
		});
	});

	test('a status that is text with commas is split like other lists', async () => {
		await context.records({
			...CONNECTIONS,
			filters: { connectionStatus: '={{ "ERROR, MISSING" }}' },
		});
		expect(context.requests[0].query.status).toEqual(['ERROR', 'MISSING']);
	});

	test('the status of runs is not sent for flows, connections and invitations after Resource is changed', async () => {
		const filters = { runStatus: ['FAILED'] };
		const invitations = { resource: 'userInvitation', operation: 'getAll' };
		for (const parameters of [ALL_FLOWS, CONNECTIONS, invitations]) {
			await context.records({ ...parameters, filters });
		}
		expect(context.requests.length).toBeGreaterThan(2);
		for (const { query } of context.requests) expect(query).not.toHaveProperty('status');
	});

	test('pasted whitespace around a project or a filter is removed', async () => {
		const { service } = context;
		const [{ id }] = service.data.projects;
		await context.records({
			...ALL_FLOWS,
			projectId: byId(` ${id}\n`),
			filters: { folderId: ' NULL ' },
		});
		expect(service.requests.at(-1)?.query).toMatchObject({ projectId: id, folderId: 'NULL' });
	});

	test.each<[string, INodeParameters]>([
		['Flow → Get Many', ALL_FLOWS],
		['Folder → Get Many', { resource: 'folder', operation: 'getAll' }],
		['Folder → Create', { resource: 'folder', operation: 'create', displayName: 'Sales' }],
		[
			'User Invitation → Get Many',
			{ resource: 'userInvitation', operation: 'getAll', type: 'PROJECT' },
		],
	])('%s refuses a project that an expression gives as an object', async (_name, parameters) => {
		const error = await context.failure(
			{ ...parameters, projectId: byId('={{ $json.project }}') },
			[{ project: { id: 'x' } }],
		);
		expect(error.message).toBe('Project must be an ID');
		expect(context.requests).toEqual([]);
	});
});

describe('an invalid Limit or Page Size', () => {
	const context = useService();

	test.each([
		['Limit', { limit: 0 }],
		['Limit', { limit: -5 }],
		['Limit', { limit: 2.5 }],
		['Limit', { limit: '={{ "many" }}' }],
		['Page Size', { options: { pageSize: 0 } }],
	])('%s %j is refused before anything is sent', async (label, parameters) => {
		const error = await context.failure({ ...CONNECTIONS, ...parameters } as INodeParameters);
		expect(error.message).toContain(`${label} must be a whole number of 1 or more`);
		expect(context.requests).toEqual([]);
	});

	test.each([
		['Return All', { returnAll: '={{ 1 }}' }],
		['Simplify', { simplify: '={{ "yes" }}' }],
	])(
		'%s that is neither true nor false is refused before anything is sent',
		async (label, parameters) => {
			const error = await context.failure({ ...CONNECTIONS, ...parameters });
			expect(error.message).toContain(`${label} must be true or false`);
			expect(context.requests).toEqual([]);
		},
	);

	test('a boolean may be text', async () => {
		const records = await context.records({
			...CONNECTIONS,
			returnAll: '={{ "true" }}',
			simplify: '={{ "false" }}',
		});
		expect(records).toHaveLength(context.data.connections.length);
		expect(records[0]).toHaveProperty('displayName');
	});

	test('a number may be text', async () => {
		expect(await context.records({ ...CONNECTIONS, limit: '={{ "3" }}' })).toHaveLength(3);
	});
});
