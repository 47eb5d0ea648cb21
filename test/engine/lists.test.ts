import { type INodeParameters, sleep } from 'n8n-workflow';

import { asked, byId, paths, RELEASES, useService } from './harness/service';

const ALL_FLOWS: INodeParameters = { resource: 'flow', operation: 'getAll', returnAll: true };
const CONNECTIONS: INodeParameters = { resource: 'globalConnection', operation: 'getAll' };
const TEMPLATES: INodeParameters = {
	resource: 'flowTemplate',
	operation: 'getAll',
	returnAll: true,
};

const ids = (records: Array<{ id?: unknown }>) => records.map(({ id }) => String(id));
const sorted = (records: Array<{ id?: unknown }>) => ids(records).sort();

describe.each(RELEASES)('lists on release %s', (release) => {
	const bench = useService({ release, data: { projects: 3, flows: 260, connections: 130 } });

	test('Return All gives every flow of all projects once', async () => {
		const { engine, credential, service } = bench;
		const flows = await engine.records({ credential, parameters: ALL_FLOWS });
		expect(sorted(flows)).toEqual(sorted(service.data.flows));
		expect(paths(bench)).toEqual(['GET /v1/projects', ...Array(3).fill('GET /v1/flows')]);
	});

	test('Return All gives every flow of the chosen project', async () => {
		const { engine, credential, service } = bench;
		const [project] = service.data.projects;
		const flows = await engine.records({
			credential,
			parameters: { ...ALL_FLOWS, projectId: byId(project.id), options: { pageSize: 20 } },
		});
		expect(sorted(flows)).toEqual(
			sorted(service.data.flows.filter(({ projectId }) => projectId === project.id)),
		);
		expect(paths(bench).every((path) => path === 'GET /v1/flows')).toBe(true);
	});

	test.each([
		[1, 1],
		[10, 1],
		[50, 2],
		[129, 5],
		[130, 5],
		[131, 5],
	])(
		'Limit %i gives exactly as many connections, in %i requests of at most 30',
		async (limit, requests) => {
			const { engine, credential, service } = bench;
			const connections = await engine.records({
				credential,
				parameters: { ...CONNECTIONS, limit, options: { pageSize: 30 } },
			});
			expect(ids(connections)).toEqual(ids(service.data.connections.slice(0, limit)));
			expect(service.requests).toHaveLength(requests);
			const rows = service.requests.map(({ query }) => Number(query.limit));
			expect(rows.reduce((sum, row) => sum + row, 0)).toBe(limit);
		},
	);

	test('Limit is exact across projects, and projects beyond it are not asked', async () => {
		const { engine, credential, service } = bench;
		const [first] = service.data.projects;
		const inFirst = service.data.flows.filter(({ projectId }) => projectId === first.id).length;
		const limit = inFirst + 3;
		const flows = await engine.records({
			credential,
			parameters: { ...ALL_FLOWS, returnAll: false, limit },
		});
		expect(flows).toHaveLength(limit);
		expect(paths(bench)).toEqual(['GET /v1/projects', 'GET /v1/flows', 'GET /v1/flows']);
		expect(service.requests[2].query.limit).toBe('3');
	});

	test('templates come from one request and are cut to Limit', async () => {
		const { engine, credential, service } = bench;
		const all = await engine.records({ credential, parameters: TEMPLATES });
		expect(sorted(all)).toEqual(
			sorted(service.data.templates.filter(({ type }) => type !== 'SHARED')),
		);
		service.forget();
		const some = await engine.records({
			credential,
			parameters: { ...TEMPLATES, returnAll: false, limit: 5 },
		});
		expect(ids(some)).toEqual(ids(all).slice(0, 5));
		expect(service.requests.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(asked(bench).join()).not.toMatch(/limit|cursor/);
	});

	test('Simplify off gives the record as the service sent it, on gives the same fields for every release', async () => {
		const { engine, credential } = bench;
		const run = async (parameters: INodeParameters) =>
			(await engine.records({ credential, parameters }))[0];
		const answer = await fetch(`${credential.baseUrl}/v1/global-connections?limit=1`, {
			headers: { Authorization: `Bearer ${credential.apiKey}` },
		});
		const { data } = (await answer.json()) as { data: unknown[] };
		expect(await run({ ...CONNECTIONS, limit: 1, simplify: false })).toEqual(data[0]);

		expect(Object.keys(await run({ ...CONNECTIONS, limit: 1 }))).toEqual([
			'id',
			'externalId',
			'name',
			'pieceName',
			'type',
			'status',
			'scope',
			'projectIds',
			'flowCount',
			'ownerEmail',
			'created',
			'updated',
		]);
		expect(Object.keys(await run(TEMPLATES))).toEqual([
			'id',
			'name',
			'summary',
			'description',
			'type',
			'tags',
			'pieces',
			'flowCount',
			'blogUrl',
			'created',
			'updated',
		]);
		expect(Object.keys(await run(ALL_FLOWS))).toEqual([
			'id',
			'externalId',
			'name',
			'status',
			'published',
			'versionState',
			'valid',
			'triggerPiece',
			'triggerName',
			'schedule',
			'timezone',
			'stepCount',
			'pieces',
			'connections',
			'projectId',
			'folderId',
			'created',
			'updated',
		]);
	});

	test('a list that fits no filter is empty and no surprise', async () => {
		const { engine, credential } = bench;
		const { items, error } = await engine.run({
			credential,
			parameters: { ...CONNECTIONS, filters: { displayName: 'no such connection' } },
		});
		expect(error).toBeUndefined();
		expect(items).toEqual([]);
	});
});

describe('filters', () => {
	const bench = useService({ data: { projects: 1, flows: 60, connections: 60, templates: 12 } });

	test('every filter of flows is sent under its name, lists as repeated keys, on every page', async () => {
		const { engine, credential, service } = bench;
		await engine.records({
			credential,
			parameters: {
				...ALL_FLOWS,
				projectId: byId(service.data.projects[0].id),
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
			},
		});
		expect(service.requests[0].url).toContain(
			'externalIds=ext-flow-001&externalIds=ext-flow-002&externalIds=ext-flow-003',
		);
		expect(service.requests[0].query).toEqual({
			agentExternalIds: 'agent-1',
			connectionExternalIds: ['conn-001', 'conn-002'],
			externalIds: ['ext-flow-001', 'ext-flow-002', 'ext-flow-003'],
			folderId: 'NULL',
			name: 'flow & co',
			status: ['ENABLED', 'DISABLED'],
			versionState: 'DRAFT',
			projectId: service.data.projects[0].id,
			limit: '1',
		});
	});

	test('filters stay the same on following pages; only the cursor is added', async () => {
		const { engine, credential, service } = bench;
		const records = await engine.records({
			credential,
			parameters: {
				...CONNECTIONS,
				returnAll: true,
				options: { pageSize: 5 },
				filters: {
					displayName: 'connection',
					pieceName: '@activepieces/piece-slack',
					scope: 'PLATFORM',
					status: ['ACTIVE'],
				},
			},
		});
		expect(records.length).toBeGreaterThan(5);
		expect(
			new Set(records.map(({ pieceName, status }) => `${String(pieceName)} ${String(status)}`)),
		).toEqual(new Set(['@activepieces/piece-slack ACTIVE']));
		const queries = service.requests.map(({ query: { cursor, ...rest } }) => ({
			cursor: typeof cursor,
			rest,
		}));
		expect(queries[0].cursor).toBe('undefined');
		expect(queries.slice(1).every(({ cursor }) => cursor === 'string')).toBe(true);
		expect(
			queries.every(({ rest }) => JSON.stringify(rest) === JSON.stringify(queries[0].rest)),
		).toBe(true);
	});

	test('nothing is sent for what is not set or was emptied again', async () => {
		const { engine, credential } = bench;
		await engine.records({
			credential,
			parameters: {
				...CONNECTIONS,
				limit: 5,
				filters: { displayName: '', pieceName: '', status: [] },
			},
		});
		await engine.records({
			credential,
			parameters: { ...TEMPLATES, filters: { pieces: ' , ', search: '', tags: '' } },
		});
		expect(asked(bench)[0]).toBe('GET /v1/global-connections?limit=5');
		expect(asked(bench).slice(1)).toEqual(
			expect.arrayContaining([
				expect.stringMatching(/^GET \/v1\/(flow-)?templates(\?type=CUSTOM)?$/),
			]),
		);
		expect(asked(bench).join()).not.toMatch(/pieces|search|tags/);
	});

	test('a list given by an expression is taken as it is, so that values may hold commas', async () => {
		const { engine, credential, service } = bench;
		await engine.records({
			credential,
			items: [{ tags: ['sales, EU', 'weekly'] }],
			parameters: { ...TEMPLATES, filters: { tags: '={{ $json.tags }}', search: 'x' } },
		});
		expect(service.requests.at(-1)?.query).toMatchObject({
			tags: ['sales, EU', 'weekly'],
			search: 'x',
		});
	});

	test('what an expression leaves out of a list is left out, not sent as text', async () => {
		const { engine, credential, service } = bench;
		await engine.records({
			credential,
			items: [{ ids: [null, 'ext-flow-001', '', ' ext-flow-002 '] }],
			parameters: { ...ALL_FLOWS, filters: { externalIds: '={{ $json.ids }}' } },
		});
		expect(service.requests.at(-1)?.query.externalIds).toEqual(['ext-flow-001', 'ext-flow-002']);
	});

	test('a status that comes as text with commas is understood like the other lists', async () => {
		const { engine, credential, service } = bench;
		await engine.records({
			credential,
			parameters: { ...CONNECTIONS, filters: { status: '={{ "ERROR, MISSING" }}' } },
		});
		expect(service.requests[0].query.status).toEqual(['ERROR', 'MISSING']);
	});

	test('pasted space around a project or a filter does no harm', async () => {
		const { engine, credential, service } = bench;
		const [{ id }] = service.data.projects;
		await engine.records({
			credential,
			parameters: { ...ALL_FLOWS, projectId: byId(` ${id}\n`), filters: { folderId: ' NULL ' } },
		});
		expect(service.requests[0].query).toMatchObject({ projectId: id, folderId: 'NULL' });
	});

	test('a project of nothing but space is no project: all are read', async () => {
		const { engine, credential } = bench;
		await engine.records({ credential, parameters: { ...ALL_FLOWS, projectId: byId('  ') } });
		expect(paths(bench)[0]).toBe('GET /v1/projects');
	});

	test('a project that an expression gives as an object is refused', async () => {
		const { engine, credential, service } = bench;
		const error = await engine.failure({
			credential,
			items: [{ project: { id: 'x' } }],
			parameters: { ...ALL_FLOWS, projectId: byId('={{ $json.project }}') },
		});
		expect(error.message).toBe('Project is not an ID');
		expect(service.requests).toEqual([]);
	});
});

describe('paging against a service that misbehaves', () => {
	const bench = useService({ data: { projects: 1, connections: 60, flows: 40 } });
	const returnAll = { ...CONNECTIONS, returnAll: true, options: { pageSize: 10 } };

	test('smaller pages than asked for still give every record, and exactly Limit of them', async () => {
		const { engine, credential, service } = bench;
		service.fault({ path: '/v1/global-connections', kind: { pageCap: 7 } });
		const all = await engine.records({
			credential,
			parameters: { ...CONNECTIONS, returnAll: true },
		});
		expect(ids(all)).toEqual(ids(service.data.connections));
		const some = await engine.records({ credential, parameters: { ...CONNECTIONS, limit: 23 } });
		expect(ids(some)).toEqual(ids(service.data.connections.slice(0, 23)));
	});

	test.each([
		['repeats the same cursor', () => 'again'],
		['alternates between two cursors', (n: number) => (n % 2 ? 'this' : 'that')],
		['never ends with ever new cursors', (n: number) => `cursor-${n}`],
	])(
		'a service that %s is left after a few requests, and its part of a list is not given as whole',
		async (_name, next) => {
			const { engine, credential, service } = bench;
			service.fault({ path: '/v1/global-connections', kind: { next } });
			const { items, error } = await engine.run({ credential, parameters: returnAll });
			expect(items).toEqual([]);
			expect(error?.message).toBe(
				'The server repeats pages of the list of global connections instead of going on',
			);
			expect(error?.description).toContain('after 10 records. Raise Page Size');
			expect(service.requests.length).toBeLessThan(8);
		},
	);

	test('Limit is served all the same when it is reached before the service goes round', async () => {
		const { engine, credential, service } = bench;
		service.fault({ path: '/v1/global-connections', kind: { next: 'again' } });
		const records = await engine.records({
			credential,
			parameters: { ...CONNECTIONS, limit: 10 },
		});
		expect(records).toHaveLength(10);
	});

	test.each([
		['empty', ''],
		['null', null],
	])('a `next` that is %s ends the list', async (_name, next) => {
		const { engine, credential, service } = bench;
		service.fault({ path: '/v1/global-connections', kind: { next } });
		expect(await engine.records({ credential, parameters: returnAll })).toHaveLength(10);
		expect(service.requests).toHaveLength(1);
	});

	test('an absolute `next` on another server is refused, and the key is not sent there', async () => {
		const { engine, credential, service } = bench;
		service.fault({ kind: { next: 'http://198.51.100.7/api/v1/global-connections?cursor=abc' } });
		const error = await engine.failure({ credential, parameters: returnAll });
		expect(error.message).toBe(
			'The list of global connections continues on another server, 198.51.100.7',
		);
		expect(service.requests).toHaveLength(1);
	});

	test('an absolute `next` on the own server is followed', async () => {
		const { engine, credential, service } = bench;
		const first = await fetch(`${credential.baseUrl}/v1/global-connections?limit=10`, {
			headers: { Authorization: `Bearer ${credential.apiKey}` },
		});
		const { next } = (await first.json()) as { next: string };
		service.fault({
			times: 1,
			kind: {
				next: `${service.origin}/api/v1/global-connections?limit=10&cursor=${encodeURIComponent(next)}`,
			},
		});
		const records = await engine.records({ credential, parameters: returnAll });
		expect(ids(records)).toEqual(ids(service.data.connections));
	});

	test('template lists are never paged, whatever `next` says', async () => {
		const { engine, credential, service } = bench;
		service.fault({ path: '/v1/templates', kind: { next: 'bmV4dF91bmRlZmluZWQ=' } });
		const records = await engine.records({ credential, parameters: TEMPLATES });
		expect(new Set(ids(records)).size).toBe(records.length);
		expect(paths(bench).filter((path) => path === 'GET /v1/templates')).toHaveLength(1);
	});

	test('a bare array of templates is read like an envelope', async () => {
		const { engine, credential, service } = bench;
		service.fault({
			path: '/v1/templates',
			kind: {
				body: [
					{ id: 'a', name: 'A' },
					{ id: 'b', name: 'B' },
				],
			},
		});
		const records = await engine.records({ credential, parameters: TEMPLATES });
		expect(records.map(({ name }) => name)).toEqual(['A', 'B']);
	});

	test('a record that the service gives twice is given once', async () => {
		const { engine, credential, service } = bench;
		const twice = [{ id: 'a' }, { id: 'b' }, { id: 'a' }, { id: 'c' }];
		service.fault({
			path: '/v1/global-connections',
			kind: { body: { data: twice, next: null, previous: null } },
		});
		expect(
			ids(await engine.records({ credential, parameters: { ...returnAll, simplify: false } })),
		).toEqual(['a', 'b', 'c']);
	});

	test.each([
		['no `data`', { next: null }],
		['`data: null`', { data: null, next: null }],
		['a number as `data`', { data: 5 }],
		['records that are not objects', { data: [1, 2] }],
		['a text', 'text'],
	])('an answer with %s is no empty list but a clear message', async (_name, body) => {
		const { engine, credential, service } = bench;
		service.fault({ path: '/v1/global-connections', kind: { body } });
		const error = await engine.failure({ credential, parameters: returnAll });
		expect(error.message).toMatch(
			/^The answer for the global connections (does not have the expected form|is incomplete or not JSON)$/,
		);
	});

	test('a page that goes wrong in the middle gives no part of the list', async () => {
		const { engine, credential, service } = bench;
		service.fault({ path: '/v1/global-connections', after: 2, kind: { status: 500 } });
		const { items, error } = await engine.run({ credential, parameters: returnAll });
		expect(items).toEqual([]);
		expect(error?.httpCode).toBe('500');
	});
});

describe('many projects', () => {
	const bench = useService({ data: { projects: 120, flows: 240 } });

	test('one that goes wrong ends the reading of the others, and nothing is asked for afterwards', async () => {
		const { engine, credential, service } = bench;
		service.fault({ path: '/v1/flows', times: 1, kind: { status: 500 } });
		const { items, error } = await engine.run({ credential, parameters: ALL_FLOWS });
		expect(items).toEqual([]);
		expect(error?.message).toContain('HTTP 500');
		await sleep(300);
		expect(service.requests.length).toBeLessThan(25);
	});

	test('a flow that moved to another project while they were read is given once', async () => {
		const { engine, credential, service } = bench;
		service.fault({ path: '/v1/flows', kind: { body: { data: [{ id: 'moved' }], next: null } } });
		const flows = await engine.records({ credential, parameters: ALL_FLOWS });
		expect(ids(flows)).toEqual(['moved']);
	});
});

describe('more records from one input item than n8n can take', () => {
	const bench = useService();

	test('are refused with what to do, instead of a stack overflow', async () => {
		const { engine, credential, service } = bench;
		const data = Array.from({ length: 130_000 }, (_, id) => ({ id: String(id) }));
		service.fault({ kind: { body: { data, next: null } } });
		const error = await engine.failure({
			credential,
			parameters: { ...CONNECTIONS, returnAll: true, simplify: false },
		});
		expect(error.message).toBe(
			'One input item gave 130000 records, more than n8n can take from one item (100000)',
		);
		expect(error.description).toContain('Use Limit or filters');
	});
});

describe('a service without the list of projects', () => {
	const bench = useService({ without: ['GET /v1/projects'] });

	test('is asked once for flows without a project', async () => {
		const { engine, credential, service } = bench;
		service.fault({ path: '/v1/flows', kind: { body: { data: [{ id: 'a' }], next: null } } });
		const flows = await engine.records({ credential, parameters: ALL_FLOWS });
		expect(ids(flows)).toEqual(['a']);
		expect(asked(bench)).toEqual(['GET /v1/projects?limit=1000', 'GET /v1/flows?limit=1000']);
	});
});

describe('Limit and Page Size that cannot be used', () => {
	const bench = useService();

	test.each([
		['Limit', { limit: 0 }],
		['Limit', { limit: -5 }],
		['Limit', { limit: 2.5 }],
		['Limit', { limit: '={{ "many" }}' }],
		['Page Size', { options: { pageSize: 0 } }],
	])('%s %j is refused before anything is sent', async (label, parameters) => {
		const { engine, credential, service } = bench;
		const error = await engine.failure({
			credential,
			parameters: { ...CONNECTIONS, ...parameters } as INodeParameters,
		});
		expect(error.message).toContain(`${label} must be a whole number of 1 or more`);
		expect(service.requests).toEqual([]);
	});

	test.each([
		['Return All', { returnAll: '={{ 1 }}' }],
		['Simplify', { simplify: '={{ "yes" }}' }],
	])(
		'%s that is neither true nor false is refused before anything is sent',
		async (label, parameters) => {
			const { engine, credential, service } = bench;
			const error = await engine.failure({
				credential,
				parameters: { ...CONNECTIONS, ...parameters },
			});
			expect(error.message).toContain(`${label} must be true or false`);
			expect(service.requests).toEqual([]);
		},
	);

	test('a switch that comes as text is understood', async () => {
		const { engine, credential, service } = bench;
		const records = await engine.records({
			credential,
			parameters: { ...CONNECTIONS, returnAll: '={{ "true" }}', simplify: '={{ "false" }}' },
		});
		expect(records).toHaveLength(service.data.connections.length);
		expect(records[0]).toHaveProperty('displayName');
	});

	test('a number that comes as text is understood', async () => {
		const { engine, credential } = bench;
		const records = await engine.records({
			credential,
			parameters: { ...CONNECTIONS, limit: '={{ "3" }}' },
		});
		expect(records).toHaveLength(3);
	});
});
