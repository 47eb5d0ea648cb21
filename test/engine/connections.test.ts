import type { INodeParameters } from 'n8n-workflow';

import { FIRST_AND_LAST } from '../service';
import { byId, ids, sortedIds } from './harness/byId';
import { expectEntries } from './harness/locators';
import { ofRecord, parametersOf } from './harness/parameters';
import { changesSent, requestUrls, useService } from './harness/service';
import { useSignIn } from './harness/signIn';

const LIST = parametersOf('connection.getAll');
const ALL = { ...LIST, returnAll: true };

const remove = (id: unknown, more: INodeParameters = {}) => ofRecord('connection.delete', id, more);
const update = (id: unknown, updateFields: INodeParameters) =>
	ofRecord('connection.update', id, { updateFields });
const EVEN_IF_USED = { options: { evenIfUsed: true } };

describe.each(FIRST_AND_LAST)('connections on release %s', (release) => {
	const data = { projects: 3, flows: 9, connections: 6, connectionsPerProject: 12 };
	const context = useService({ release, data });

	const { record, records, failsWith } = context;
	const deletes = () => context.requests.filter(({ method }) => method === 'DELETE');
	const all = () => context.data.projectConnections;

	describe('Get Many', () => {
		test('gives those of all projects or of one, and none that the platform shares', async () => {
			const given = await records(ALL);
			expect(sortedIds(given)).toEqual(sortedIds(all()));
			expect(ids(await records({ ...LIST, limit: 17 }))).toEqual(ids(given.slice(0, 17)));
			const [, { id }] = context.data.projects;
			const wanted = ids(all().filter(({ projectIds }) => projectIds.includes(id)));
			const paged = { projectId: byId(id) };
			expect(ids(await records({ ...ALL, ...paged }))).toEqual(wanted);
			const urls = requestUrls(context).filter((url) => url.includes('connections'));
			expect(urls).not.toEqual([]);
			expect(urls.filter((url) => !url.includes('scope=PROJECT'))).toEqual([]);
		});

		test('Simplify gives ten fields, with the name of the project and the flows that use it; raw ones are the service’s', async () => {
			const { live, data } = context;
			const [{ id: other }, { id: projectId, displayName: projectName }] = data.projects;
			const made = live.addConnection({ projectId, externalId: 'crm' });
			const flow = live.addFlow({ projectId, connectionIds: ['crm'], enabled: true });
			// The other project has a connection with the same external ID.
			live.addFlow({ projectId: other, connectionIds: ['crm'] });
			const { id, pieceName, status, updated, displayName: name } = made;
			const simplified = {
				...{ id, externalId: 'crm', name, pieceName, status, projectId, projectName },
				...{ flowIds: [flow.id], ownerEmail: 'admin@example.test', updated },
			};
			for (const parameters of [ALL, { ...ALL, projectId: byId(projectId) }]) {
				const given = await records(parameters);
				expect(given.filter((each) => each.id === id)).toEqual([simplified]);
			}
			data.projectConnections = all().filter((each) => each !== made);
			const [{ owner, ...sent }] = all();
			const raw = await record({ ...ALL, projectId: byId(other), simplify: false });
			const ownerOf = expect.objectContaining({ id: owner.id, email: owner.email });
			expect(raw).toEqual({ ...sent, flowIds: expect.any(Array), owner: ownerOf });
		});
	});

	test('From List shows them with piece, project and what needs attention, and finds each of these', async () => {
		const named = new Map(context.data.projects.map(({ id, displayName }) => [id, displayName]));
		const search = async (filter?: string) =>
			(await context.search('searchConnections', { parameters: remove(''), filter })).results;
		expectEntries(await search(), all(), ({ displayName, pieceName, projectIds, status }) => {
			const piece = pieceName.replace('@activepieces/piece-', '');
			const state = status === 'ACTIVE' ? '' : `, ${status.toLowerCase()}`;
			return `${displayName} (${piece}${state}, ${named.get(projectIds[0])})`;
		});
		const [, , { id }] = all();
		for (const filter of ['ACCOUNT 002', id]) {
			expect((await search(filter)).map(({ value }) => value)).toEqual([id]);
		}
		expect(await search('error')).not.toEqual([]);
		const [{ id: projectId }] = context.data.projects;
		const ofProject = { ...remove(''), projectId: byId(projectId) };
		const { results } = await context.search('searchConnections', { parameters: ofProject });
		const own = all().filter(({ projectIds }) => projectIds[0] === projectId);
		expect(ids(own)).toEqual(results.map(({ value }) => value));
	});

	describe('Delete', () => {
		/** A connection, and a flow of its project. */
		const used = (
			externalId: string,
			flow: { connectionIds?: string[]; enabled?: boolean; steps?: Record<string, unknown> } = {},
		) => {
			const [, { id: projectId }] = context.data.projects;
			const { live } = context;
			return {
				...live.addConnection({ projectId, externalId, name: `The ${externalId}` }),
				flow: live.addFlow({ projectId, connectionIds: [externalId], enabled: true, ...flow }),
			};
		};

		test('refuses one that enabled flows use, also only in their published version, and names five at most', async () => {
			const { id, flow } = used('in-use');
			const says = (flows: string) => `${flows} the connection "The in-use" (${id})`;
			const parts = [`"${flow.version.displayName}" (${flow.id})`, 'Delete Even If Used'];
			await failsWith(remove(id), says('1 enabled flow uses'), [...parts, 'Nothing was changed']);
			for (let more = 0; more < 5; more++) used('in-use');
			await failsWith(remove(id), says('6 enabled flows use'), 'and 1 more');
			// The published version is the one that runs.
			const published = used('published-only');
			context.live.editFlow(published.flow.id, 'Without it').version.connectionIds = [];
			const unlike = `1 enabled flow uses the connection "The published-only" (${published.id})`;
			await failsWith(remove(published.id), unlike, published.flow.id);
			expect(deletes()).toEqual([]);
		});

		// Activepieces does not count it there.
		const TEXTS = Object.entries({ elsewhere: "']", 'it]s': "']", "it's": "' ]", 'q"]q': "']" });
		test.each(TEXTS)('refuses %s, used in a text of a step', async (externalId, end) => {
			const text = `Bearer {{connections['${externalId}${end}.token}}`;
			const nextAction = { settings: { input: { text } } };
			const settings = { input: {} };
			const steps = { name: 'trigger', type: 'PIECE_TRIGGER', settings, nextAction };
			const { id, flow } = used(externalId, { connectionIds: ['another'], steps });
			const says = `1 enabled flow uses the connection "The ${externalId}" (${id})`;
			await failsWith(remove(id), says, flow.id);
			expect(deletes()).toEqual([]);
		});

		test('and Update tell one that the platform shares or that is not there, and send nothing', async () => {
			const [{ id, displayName }] = context.data.connections;
			const unknown = 'A'.repeat(21);
			const shared = `The connection "${displayName}" (${id}) is a global connection`;
			const advice = ['resource Global Connection', 'Nothing was changed'];
			for (const change of [
				(given: string) => remove(given, EVEN_IF_USED),
				(given: string) => update(given, { displayName: 'New' }),
				(given: string) => update(given, { metadata: '{"a":1}' }),
			]) {
				await failsWith(change(id), shared, advice);
				await failsWith(change(unknown), `Connection "${unknown}" was not found`);
			}
			expect(changesSent(context)).toEqual([]);
		});

		test('deletes one that nothing uses, that a disabled flow or a flow of another project uses', async () => {
			const { id, flow } = used('free', { enabled: false });
			context.live.addFlow({ connectionIds: ['free'], enabled: true });
			expect(await records(remove(id))).toEqual([{ deleted: true }]);
			expect(ids(all())).not.toContain(id);
			expect(context.data.flows).toContain(flow);
		});

		test('deletes one that is used with Delete Even If Used, and does not look at flows', async () => {
			const { id } = used('even-if-used');
			expect(await records(remove(id, EVEN_IF_USED))).toEqual([{ deleted: true }]);
			expect(ids(all())).not.toContain(id);
			expect(requestUrls(context).filter((url) => url.includes('/flows'))).toEqual([]);
		});

		test('looks for flows in the project of each one', async () => {
			const [{ id: projectId }] = context.data.projects;
			const free = context.live.addConnection({ projectId });
			const { id } = used('of-second-item');
			const items = [{ id: free.id }, { id }];
			const given = { items, onError: 'continueRegularOutput' as const };
			const { items: output } = await context.run(remove('={{ $json.id }}'), given);
			const error = expect.stringMatching(/^1 enabled flow uses/);
			expect(output).toMatchObject([{ json: { deleted: true } }, { json: { error } }]);
			expect(ids(all())).toContain(id);
		});

		test.each([500, 502])('finds one although another project answers %i', async (status) => {
			const [{ id: projectId }, other] = context.data.projects;
			const { id } = context.live.addConnection({ projectId: other.id });
			context.fault({ path: '/v1/app-connections', projectId, kind: { status } });
			expect(await records(remove(id))).toEqual([{ deleted: true }]);
		});

		test('one in a project that cannot be read is not told as unknown', async () => {
			const [{ id: projectId, displayName }] = context.data.projects;
			const { id } = context.live.addConnection({ projectId });
			context.fault({ path: '/v1/app-connections', projectId, kind: { status: 403 } });
			const { message, description } = await context.failure(remove(id));
			expect(message).not.toContain('was not found');
			expect(`${message} ${description}`).toContain(displayName);
		});
	});
});

describe('connections of Community', () => {
	const context = useSignIn({ release: '0.79', edition: 'community', data: { flows: 4 } });

	test('are those of the user, who may delete them', async () => {
		const given = await context.records(ALL);
		expect(given[0]).toHaveProperty('projectName', expect.any(String));
		expect(ids(context.data.projectConnections)).toEqual(expect.arrayContaining(ids(given)));
		expect(await context.records(remove(given[0].id))).toEqual([{ deleted: true }]);
		expect(ids(context.data.projectConnections)).not.toContain(given[0].id);
	});
});

describe('a release that lists global connections with those of a project', () => {
	const context = useService();

	test('does not add them to the output', async () => {
		const [own] = context.data.projectConnections;
		const shared = { ...own, id: 'Xk7wPq2mN9rT4vB8sL1cZ', scope: 'PLATFORM' };
		context.fault({ kind: { body: { data: [own, shared], next: null } } });
		const projectId = byId(own.projectIds[0]);
		expect(await context.records({ ...LIST, projectId, simplify: false })).toEqual([own]);
	});
});
