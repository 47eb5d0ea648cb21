import type { INodeParameters } from 'n8n-workflow';

import type { ConnectionRecord } from '../service/records';
import { useHostileServers } from './harness/hostile';
import { jsonOf } from './harness/hostileServer';
import { CONNECTIONS, parametersOf } from './harness/parameters';
import { FIRST_AND_LAST, byId, ids, requestUrls, useService, sortedIds } from './harness/service';
import { signedIn } from './harness/signIn';

const LIST: INodeParameters = { resource: 'connection', operation: 'getAll' };
const ALL: INodeParameters = { ...LIST, returnAll: true };

const remove = (id: unknown, more: INodeParameters = {}) =>
	parametersOf('connection.delete', { connectionId: byId(id), ...more });
const EVEN_IF_USED = { options: { evenIfUsed: true } };

describe.each(FIRST_AND_LAST)('connections on release %s', (release) => {
	const context = useService({
		release,
		data: { projects: 3, flows: 9, connections: 6, connectionsPerProject: 12 },
	});

	const { records, failure, failsWith } = context;
	const deletes = () => context.requests.filter(({ method }) => method === 'DELETE');
	const isThere = (id: string) =>
		context.data.projectConnections.some((connection) => connection.id === id);

	describe('Get Many', () => {
		test('gives those of all projects, and none that the platform shares', async () => {
			const { projectConnections } = context.data;
			expect(projectConnections).toHaveLength(36);
			const all = await records(ALL);
			expect(sortedIds(all)).toEqual(sortedIds(projectConnections));
			expect(ids(await records({ ...LIST, limit: 17 }))).toEqual(ids(all.slice(0, 17)));
			expect(requestUrls(context).filter((url) => url.includes('connections')).length).toBe(
				requestUrls(context).filter((url) => url.includes('scope=PROJECT')).length,
			);
		});

		test('gives those of a project, over as many pages as it takes', async () => {
			const { projects, projectConnections } = context.data;
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
			// The other project has a connection with the same external ID.
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
			expect((await records(ALL)).filter(({ id }) => id === connection.id)).toEqual([simplified]);
			const ofOne = await records({ ...ALL, projectId: byId(project.id) });
			expect(ofOne.filter(({ id }) => id === connection.id)).toEqual([simplified]);
			data.projectConnections = data.projectConnections.filter(({ id }) => id !== connection.id);
		});

		test('without Simplify a connection is what the service sent', async () => {
			const { projects, projectConnections } = context.data;
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
				const { projectConnections } = context.data;
				const wanted = projectConnections.filter((row) =>
					keep(row as unknown as Record<string, string>),
				);
				expect(wanted.length).toBeGreaterThan(0);
				expect(sortedIds(await records({ ...ALL, filters }))).toEqual(sortedIds(wanted));
			},
		);
	});

	describe('From List', () => {
		const search = async (filter?: string) => {
			const options = { credential: context.credential, parameters: remove(''), filter };
			return (await context.engine.search('searchConnections', options)).results;
		};

		test('shows the connections of all projects, with piece, project and what needs attention', async () => {
			const { projects, projectConnections } = context.data;
			const named = new Map(projects.map(({ id, displayName }) => [id, displayName]));
			const label = ({ displayName, pieceName, projectIds, status }: ConnectionRecord) => {
				const piece = pieceName.replace('@activepieces/piece-', '');
				const state = status === 'ACTIVE' ? '' : `, ${status.toLowerCase()}`;
				return `${displayName} (${piece}${state}, ${named.get(projectIds[0])})`;
			};
			expect((await search()).map(({ name, value }) => `${String(value)} ${name}`).sort()).toEqual(
				projectConnections.map((each) => `${each.id} ${label(each)}`).sort(),
			);
		});

		test('finds them by a part of their name and by what stands beside it', async () => {
			const [, , third] = context.data.projectConnections;
			expect((await search('ACCOUNT 002')).map(({ value }) => value)).toEqual([third.id]);
			expect((await search(third.id)).map(({ value }) => value)).toEqual([third.id]);
			expect((await search('error')).length).toBeGreaterThan(0);
		});
	});

	describe('Delete', () => {
		/** A connection, and a flow of its project. */
		const used = (
			externalId: string,
			flow: { connectionIds?: string[]; enabled?: boolean; steps?: Record<string, unknown> },
		) => {
			const { live, data } = context.service;
			const [, { id: projectId }] = data.projects;
			return {
				connection: live.addConnection({ projectId, externalId, name: `The ${externalId}` }),
				flow: live.addFlow({ projectId, connectionIds: [externalId], enabled: true, ...flow }),
			};
		};

		test('refuses one that enabled flows use, and names them', async () => {
			const { connection, flow } = used('in-use', {});
			const error = await failure(remove(connection.id));
			expect(error.message).toBe(
				`1 enabled flow uses the connection "The in-use" (${connection.id})`,
			);
			expect(error.description).toContain(`"${flow.version.displayName}" (${flow.id})`);
			expect(error.description).toContain('Delete Even If Used');
			expect(error.description).toContain('Nothing was changed');
			expect(deletes()).toEqual([]);
		});

		test('refuses one that only the published version uses, which is the one that runs', async () => {
			const { connection, flow } = used('published-only', {});
			context.live.editFlow(flow.id, 'Without it').version.connectionIds = [];
			await failsWith(remove(connection.id), /./, flow.id);
			expect(deletes()).toEqual([]);
		});

		test.each(['elsewhere', 'it]s', "it's", 'q"q'])(
			'refuses %s, which a flow uses elsewhere than in its own field, which Activepieces does not count',
			async (externalId) => {
				const text = `Bearer {{connections['${externalId}'].token}}`;
				const steps = {
					name: 'trigger',
					type: 'PIECE_TRIGGER',
					settings: { input: {} },
					nextAction: { settings: { input: { text } } },
				};
				const { connection, flow } = used(externalId, { connectionIds: [], steps });
				await failsWith(remove(connection.id), /./, flow.id);
				expect(deletes()).toEqual([]);
			},
		);

		test('names five flows at most, and says how many others there are', async () => {
			const { connection } = used('many', {});
			const { projectIds } = connection;
			for (let more = 0; more < 6; more++) {
				context.live.addFlow({ projectId: projectIds[0], connectionIds: ['many'], enabled: true });
			}
			const { message, description } = await failure(remove(connection.id));
			expect(message).toBe(`7 enabled flows use the connection "The many" (${connection.id})`);
			expect(description).toContain('and 2 more');
		});

		test('tells one that the platform shares or that is not there, and sends nothing', async () => {
			const [{ id, displayName }] = context.data.connections;
			const shared = await failure(remove(id, EVEN_IF_USED));
			expect(shared.message).toBe(`The connection "${displayName}" (${id}) is a global connection`);
			const unknown = await failure(remove('A'.repeat(21), EVEN_IF_USED));
			expect(unknown.message).toBe(`Connection "${'A'.repeat(21)}" was not found`);
			expect(deletes()).toEqual([]);
		});

		if (release === '0.73') {
			test('says that this release refuses keys', async () => {
				const connection = context.live.addConnection();
				expect((await failure(remove(connection.id))).message).toBe(
					'In this Activepieces release, connections cannot be deleted with an API key',
				);
				expect(isThere(connection.id)).toBe(true);
			});

			test('takes no refusal for a success after a try whose response was lost', async () => {
				const connection = context.live.addConnection();
				context.fault({ method: 'DELETE', times: 1, kind: { status: 502, shape: 'html' } });
				await failsWith(remove(connection.id), /connections cannot be deleted with an API key/);
				expect(deletes()).toHaveLength(2);
			});
			return;
		}

		test('deletes one that nothing uses, that a disabled flow or a flow of another project uses', async () => {
			const { live, data } = context.service;
			const { connection, flow } = used('free', { enabled: false });
			live.addFlow({ projectId: data.projects[0].id, connectionIds: ['free'], enabled: true });
			expect(await records(remove(connection.id))).toEqual([{ deleted: true }]);
			expect(isThere(connection.id)).toBe(false);
			expect(data.flows).toContain(flow);
		});

		test('deletes one that is used with Delete Even If Used, and does not look at flows', async () => {
			const { connection } = used('even-if-used', {});
			expect(await records(remove(connection.id, EVEN_IF_USED))).toEqual([{ deleted: true }]);
			expect(isThere(connection.id)).toBe(false);
			expect(requestUrls(context).filter((url) => url.includes('/flows'))).toEqual([]);
		});

		test('reads connections and flows once for all input items', async () => {
			const made = Array.from({ length: 12 }, () => context.live.addConnection());
			const given = await records(
				remove('={{ $json.id }}'),
				made.map(({ id }) => ({ id })),
			);
			expect(given).toEqual(made.map(() => ({ deleted: true })));
			const reads = requestUrls(context).filter((url) => url.startsWith('GET'));
			expect(reads.filter((url) => url.includes('/flows'))).toHaveLength(1);
			expect(new Set(reads).size).toBe(reads.length);
		});

		test('finds one although the connections of another project cannot be read', async () => {
			const { live, data } = context.service;
			const connection = live.addConnection({ projectId: data.projects[1].id });
			const path = '/v1/app-connections';
			context.fault({ path, projectId: data.projects[0].id, kind: { status: 500 } });
			expect(await records(remove(connection.id))).toEqual([{ deleted: true }]);
		});
	});
});

describe.each(FIRST_AND_LAST)('connections of Community %s', (release) => {
	const context = useService({ release, edition: 'community', data: { flows: 4 } });

	test('Get Many gives those of the user, and Delete deletes one', async () => {
		const { records } = signedIn(context);
		const given = await records(ALL);
		expect(given.length).toBeGreaterThan(0);
		expect(ids(context.data.projectConnections)).toEqual(expect.arrayContaining(ids(given)));
		expect(given[0]).toHaveProperty('projectName', expect.any(String));
		expect(await records(remove(given[0].id))).toEqual([{ deleted: true }]);
		expect(ids(context.data.projectConnections)).not.toContain(given[0].id);
	});
});

describe('what a server should never send', () => {
	const hostile = useHostileServers();
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

	beforeEach(async () => {
		const data = [connection, { ...connection, id: 'g', scope: 'PLATFORM' }];
		await hostile.start(jsonOf({ data }));
	});

	const OF_PROJECT = { ...LIST, projectId: byId('proj') };
	const FIELDS = 'name, value.secret_text, owner.value.token';

	test.each<[string, INodeParameters, { asTool?: boolean; count?: number }]>([
		['simplified', OF_PROJECT, {}],
		['raw', { ...OF_PROJECT, simplify: false }, {}],
		['raw for an agent', { ...OF_PROJECT, output: 'raw' }, { asTool: true }],
		['fields', { ...OF_PROJECT, output: 'selectedFields', fields: FIELDS }, { asTool: true }],
		['raw global connections', { ...CONNECTIONS, simplify: false }, { count: 2 }],
	])(
		'secret values are not returned, nor are global connections in a project: %s',
		async (...args) => {
			const [, parameters, { asTool, count = 1 }] = args;
			const result = await hostile.run(parameters, { asTool });
			expect(result.items).toHaveLength(count);
			const text = JSON.stringify(result.run);
			expect(text).toContain('Leaky');
			for (const secret of SECRETS) expect(text).not.toContain(secret);
		},
	);
});
