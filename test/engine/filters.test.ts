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
		const queries = context.requests.map(({ query: { cursor, ...rest } }) => [typeof cursor, rest]);
		const [, filters] = queries[0];
		expect(queries).toEqual(
			queries.map((_, page) => [page === 0 ? 'undefined' : 'string', filters]),
		);
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
		const [{ id }] = context.data.projects;
		await context.records({
			...ALL_FLOWS,
			projectId: byId(` ${id}\n`),
			filters: { folderId: ' NULL ' },
		});
		expect(context.requests.at(-1)?.query).toMatchObject({ projectId: id, folderId: 'NULL' });
	});
});

describe('an invalid Limit or Page Size', () => {
	const context = useService();

	test.each([
		['Limit', { limit: 0 }, '1 or more'],
		['Limit', { limit: -5 }, '1 or more'],
		['Limit', { limit: 2.5 }, '1 or more'],
		['Limit', { limit: '={{ "many" }}' }, '1 or more'],
		['Limit', { limit: 100_001 }, '100000 or less, not'],
		['Limit', { limit: '={{ 1e9 }}' }, '100000 or less, not'],
		['Page Size', { options: { pageSize: 0 } }, '1 or more'],
		['Page Size', { options: { pageSize: 100_001 } }, '100000 or less, not'],
	])('%s %j is refused before anything is sent', async (label, parameters, words) => {
		const given = { ...CONNECTIONS, ...parameters } as INodeParameters;
		const message = new RegExp(`${label} must be a whole number of ${words}`);
		await context.refuses(given, message, 'Nothing was sent');
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
