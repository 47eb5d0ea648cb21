import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type HostileServer, startHostileServer } from './harness/hostileServer';
import { byId, RELEASES, requestUrls, useService } from './harness/service';
import { SIGN_IN, signInCredential } from './harness/signIn';

const LIST: INodeParameters = { resource: 'connection', operation: 'getAll' };
const ALL: INodeParameters = { ...LIST, returnAll: true };

const ids = (records: Array<{ id?: unknown }>) => records.map(({ id }) => id);
/** Projects come in the order of their names. */
const sorted = (records: Array<{ id?: unknown }>) => ids(records).sort();

describe.each([...RELEASES, '0.86'] as const)('connections on release %s', (release) => {
	const context = useService({
		release,
		data: { projects: 3, flows: 9, connections: 6, connectionsPerProject: 12 },
	});

	const records = async (parameters: INodeParameters, items?: IDataObject[]) =>
		await context.engine.records({ credential: context.credential, parameters, items });

	describe('Get Many', () => {
		test('gives those of all projects, and none that the platform shares', async () => {
			const { projectConnections } = context.service.data;
			expect(projectConnections).toHaveLength(36);
			const all = await records(ALL);
			expect(sorted(all)).toEqual(sorted(projectConnections));
			expect(ids(await records({ ...LIST, limit: 17 }))).toEqual(ids(all.slice(0, 17)));
			expect(requestUrls(context).filter((url) => url.includes('connections')).length).toBe(
				requestUrls(context).filter((url) => url.includes('scope=PROJECT')).length,
			);
		});

		test('gives those of a project, over as many pages as it takes', async () => {
			const { projects, projectConnections } = context.service.data;
			const [, { id }] = projects;
			const wanted = projectConnections.filter(({ projectIds }) => projectIds.includes(id));
			const paged = { projectId: byId(id), options: { pageSize: 5 } };
			expect(ids(await records({ ...ALL, ...paged }))).toEqual(ids(wanted));
			expect(ids(await records({ ...LIST, ...paged, limit: 7 }))).toEqual(ids(wanted.slice(0, 7)));
		});

		test('Simplify gives ten fields, with the name of the project and the flows that use it', async () => {
			const { live, data } = context.service;
			const [, project] = data.projects;
			const connection = live.addConnection({ projectId: project.id, externalId: 'crm' });
			const connectionIds = ['crm'];
			const flow = live.addFlow({ projectId: project.id, connectionIds, enabled: true });
			// That of another project has one with the same external ID.
			live.addFlow({ projectId: data.projects[0].id, connectionIds });
			const simplified = {
				id: connection.id,
				externalId: 'crm',
				name: connection.displayName,
				pieceName: connection.pieceName,
				status: 'ACTIVE',
				projectId: project.id,
				projectName: project.displayName,
				flowIds: [flow.id],
				ownerEmail: 'admin@example.test',
				updated: connection.updated,
			};
			const ofAll = await records(ALL);
			expect(ofAll.filter(({ id }) => id === connection.id)).toEqual([simplified]);
			const ofOne = await records({ ...ALL, projectId: byId(project.id) });
			expect(ofOne.filter(({ id }) => id === connection.id)).toEqual([simplified]);
			data.projectConnections = data.projectConnections.filter(({ id }) => id !== connection.id);
		});

		test('without Simplify a connection is what the service sent', async () => {
			const { projects, projectConnections } = context.service.data;
			const { owner, ...connection } = projectConnections[0];
			const ofProject = { ...LIST, projectId: byId(projects[0].id), limit: 1 };
			const [given] = await records({ ...ofProject, simplify: false });
			expect(given).toEqual({
				...connection,
				flowIds: expect.any(Array),
				owner: expect.objectContaining({ id: owner.id, email: owner.email }),
			});
		});

		test.each([
			[{ displayName: 'ACCOUNT 00' }, ({ displayName }) => displayName.startsWith('Account 00')],
			[
				{ pieceName: '@activepieces/piece-gmail' },
				({ pieceName }) => pieceName === '@activepieces/piece-gmail',
			],
			[{ connectionStatus: ['ERROR', 'MISSING'] }, ({ status }) => status !== 'ACTIVE'],
			[{ connectionStatus: 'ERROR' }, ({ status }) => status === 'ERROR'],
		] as Array<[INodeParameters, (row: Record<string, string>) => boolean]>)(
			'the filter %j keeps what it says',
			async (filters, keep) => {
				const { projectConnections } = context.service.data;
				const wanted = projectConnections.filter((row) =>
					keep(row as unknown as Record<string, string>),
				);
				expect(wanted.length).toBeGreaterThan(0);
				expect(sorted(await records({ ...ALL, filters }))).toEqual(sorted(wanted));
			},
		);
	});
});

describe.each([...RELEASES, '0.86'] as const)(
	'connections of the Community edition of release %s',
	(release) => {
		const context = useService({ release, edition: 'community', data: { flows: 4 } });

		test('Get Many gives those of the user', async () => {
			const { projectConnections } = context.service.data;
			const credential = signInCredential(context);
			const given = await context.engine.records({
				credential,
				parameters: { ...ALL, ...SIGN_IN },
			});
			expect(given.length).toBeGreaterThan(0);
			expect(ids(projectConnections)).toEqual(expect.arrayContaining(ids(given)));
			expect(given[0]).toHaveProperty('projectName', expect.any(String));
		});
	},
);

describe('what a server should never send', () => {
	const context = useService();
	let server: HostileServer;
	const SECRETS = ['hunter2-secret', 'client-secret-9', 'nested-secret-7'];
	const connection = {
		id: 'Xk7wPq2mN9rT4vB8sL1cZ',
		displayName: 'Leaky',
		externalId: 'leaky',
		projectIds: ['proj'],
		scope: 'PROJECT',
		status: 'ACTIVE',
		value: { type: 'SECRET_TEXT', secret_text: SECRETS[0] },
		props: { client_secret: SECRETS[1] },
		owner: { id: 'u', email: 'ada@example.test', value: { token: SECRETS[2] } },
	};

	beforeAll(async () => {
		server = await startHostileServer((response) => {
			response
				.writeHead(200, { 'content-type': 'application/json' })
				.end(JSON.stringify({ data: [connection, { ...connection, id: 'g', scope: 'PLATFORM' }] }));
		});
	});
	afterAll(async () => await server.close());

	test.each([
		['simplified', {}, false],
		['raw', { simplify: false }, false],
		['raw for an agent', { output: 'raw' }, true],
		[
			'selected fields for an agent',
			{ output: 'selectedFields', fields: 'name, value.secret_text, owner.value.token' },
			true,
		],
	])('no value comes out, and no connection of the platform: %s', async (_name, more, asTool) => {
		const result = await context.engine.run({
			credential: { ...context.credential, baseUrl: server.baseUrl },
			parameters: { ...LIST, projectId: byId('proj'), ...more },
			asTool,
		});
		expect(result.items).toHaveLength(1);
		const text = JSON.stringify(result.run);
		expect(text).toContain('Leaky');
		for (const secret of SECRETS) expect(text).not.toContain(secret);
	});
});
