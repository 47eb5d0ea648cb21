import type { INodeParameters } from 'n8n-workflow';

import { FIRST_AND_LAST } from '../service';
import { sortedIds } from './harness/byId';
import { ofRecord, parametersOf } from './harness/parameters';
import { changesSent, useService } from './harness/service';
import { useSignIn } from './harness/signIn';

const LIST = parametersOf('project.getAll');
const ALL = { ...LIST, returnAll: true };
const UNKNOWN = 'A'.repeat(21);
const REFUSED = 'Activepieces refused the request (HTTP 409)';
const create = (displayName: string, more: INodeParameters = {}) =>
	parametersOf('project.create', { displayName, ...more });
const update = (id: unknown, updateFields: INodeParameters) =>
	ofRecord('project.update', id, { updateFields });
const remove = (id: unknown) => ofRecord('project.delete', id);

describe.each(FIRST_AND_LAST)('projects on release %s', (release) => {
	const context = useService({ release, data: { projects: 7, flows: 6 } });

	const { record, records, failsWith } = context;
	const sent = () => changesSent(context);
	const stored = (id: unknown) => context.data.projects.find((each) => each.id === id);
	const personal = () => context.data.projects.find(({ type }) => type === 'PERSONAL')!;

	describe('Get Many', () => {
		test('gives team projects and personal ones, or those of a type', async () => {
			const { projects } = context.data;
			expect(sortedIds(await records(ALL))).toEqual(sortedIds(projects));
			expect(await records({ ...LIST, limit: 3 })).toHaveLength(3);
			for (const type of ['TEAM', 'PERSONAL']) {
				const wanted = projects.filter((project) => project.type === type);
				expect(sortedIds(await records({ ...ALL, filters: { type } }))).toEqual(sortedIds(wanted));
			}
			const { results } = await context.search('searchTeamProjects');
			expect(results).toHaveLength(projects.filter(({ type }) => type === 'TEAM').length);
		});

		test.each([
			['MARKet', ['Marketing']],
			['%KET%', ['Marketing']],
			['Project%00_', ['Project 006', 'Project 007']],
			['Project\\ 00_', []],
		])('the name filter %j finds %j', async (displayName, wanted) => {
			const given = await records({ ...ALL, filters: { displayName, type: 'TEAM' } });
			expect(given.map(({ name }) => name)).toEqual(wanted);
		});

		test('Simplify picks the fields, and raw records are the service’s', async () => {
			const { id, displayName, type, ownerId, created, updated } = context.data.projects[0];
			expect(await record({ ...LIST, filters: { displayName: 'Operations' } })).toEqual({
				...{ id, name: displayName, type, externalId: 'customer-1', ownerId, created, updated },
				url: `${context.origin}/projects/${id}`,
			});
			const other = await record({ ...LIST, filters: { displayName: 'Marketing' } });
			expect(other.externalId).toBeNull();
			const raw = await record({ ...LIST, limit: 1, simplify: false });
			expect(raw).toHaveProperty('plan.piecesFilterType');
		});
	});

	describe('Create', () => {
		test('gives the new project with the fields of Get Many, and sends nothing but what was set', async () => {
			const project = await record(create('  Customer 42 '));
			expect(project).toMatchObject({ name: 'Customer 42', type: 'TEAM', externalId: null });
			expect(sent()).toEqual([['POST /v1/projects', { displayName: 'Customer 42' }]]);
			expect(await records(ALL)).toContainEqual(project);
			const more = { externalId: ' c-43 ', metadata: '{"plan": "pro"}', simplify: false };
			const set = { externalId: 'c-43', metadata: { plan: 'pro' } };
			expect(await record(create('Customer 43', more))).toMatchObject(set);
		});

		test('refuses an external ID that exists, or gives the project that has it', async () => {
			const [{ id, displayName }] = context.data.projects;
			const twice = create('Twice', { externalId: 'customer-1' });
			const message = `The project "${displayName}" (${id}) already has this external ID`;
			await failsWith(twice, message, 'Nothing was changed');
			expect(await record({ ...twice, ifExists: 'use' })).toMatchObject({ id, name: displayName });
			expect(sent()).toEqual([]);
		});

		test('run twice with an external ID makes one project', async () => {
			const more = { externalId: '=c-{{ $json.id }}', ifExists: 'use' };
			const parameters = create('=Customer {{ $json.id }}', more);
			const items = [{ id: 1 }, { id: 2 }, { id: 1 }];
			const [first, second, again] = await records(parameters, items);
			expect(again).toEqual(first);
			expect(second.id).not.toBe(first.id);
			expect(await records(parameters, items)).toEqual([first, second, first]);
			expect(sent()).toHaveLength(2);
		});
	});

	test('Update changes only what was set', async () => {
		const { id } = context.live.addProject('Before');
		const fields = { displayName: 'After', metadata: '={{ {"plan":"free"} }}' };
		expect(await record(update(id, fields))).toMatchObject({ id, name: 'After' });
		const body = { displayName: 'After', metadata: { plan: 'free' } };
		expect(sent()).toEqual([[`POST /v1/projects/${id}`, body]]);
		expect(stored(id)?.metadata).toEqual({ plan: 'free' });
	});

	test('one that somebody else creates at the same moment is found by the same rule', async () => {
		const [first] = context.data.projects;
		const raced = (externalId: string) => {
			const other = { ...first, id: externalId, externalId, displayName: 'Theirs' };
			const message =
				'duplicate key value violates unique constraint "idx_project_platform_id_external_id"';
			const body = { statusCode: 500, code: '23505', error: 'Internal Server Error', message };
			const before = () => void context.data.projects.push(other);
			context.fault({ method: 'POST', times: 1, kind: { before, status: 500, body } });
		};
		raced('raced00000000000000');
		const taken = 'The project "Theirs" (raced00000000000000) already has this external ID';
		const ours = create('Ours', { externalId: 'raced00000000000000' });
		await failsWith(ours, taken, 'Nothing was changed.');
		raced('raced00000000000001');
		const use = create('Ours', { externalId: 'raced00000000000001', ifExists: 'use' });
		expect(await record(use)).toMatchObject({ id: 'raced00000000000001', name: 'Theirs' });
	});

	test('Update refuses the external ID of another project, and the name of a personal one', async () => {
		const { id } = context.live.addProject('Another');
		const taken = 'Another project already has this external ID';
		const { httpCode } = await failsWith(update(id, { externalId: 'customer-1' }), taken);
		expect(httpCode).toBe('409');
		expect(stored(id)?.externalId).not.toBe('customer-1');
		const kept = /^Activepieces did not change the name of the project "/;
		await failsWith(update(personal().id, { displayName: 'Mine' }), kept, /^(?!.*other fields)/);
		const more = update(personal().id, { displayName: 'Mine', metadata: '{}' });
		await failsWith(more, kept, 'The other fields were changed.');
		context.fault({ method: 'POST', kind: { status: 409, code: 'BUSY', message: 'busy' } });
		await failsWith(update(id, { externalId: 'new' }), REFUSED, 'busy');
	});

	describe('Delete', () => {
		test('deletes a team project once, and reports it', async () => {
			const { id } = context.live.addProject('To go');
			expect(await records(remove(id))).toEqual([{ deleted: true }]);
			expect(stored(id)).toBeUndefined();
			for (const gone of [id, UNKNOWN]) await failsWith(remove(gone), new RegExp(gone));
			expect(sent()).toEqual([[`DELETE /v1/projects/${id}`]]);
		});

		test('never deletes a personal project, nor one that it does not know to be a team project', async () => {
			const { id } = personal();
			const message = /^The project ".+" \(\w+\) is a personal project$/;
			await failsWith(remove(id), message, 'Nothing was changed');
			const untyped = { ...context.data.projects[0], type: undefined };
			context.fault({ method: 'GET', path: /^\/v1\/projects/, kind: { body: untyped } });
			await context.failure(remove(untyped.id));
			expect(sent()).toEqual([]);
			expect(stored(id)).toBeDefined();
		});

		test('deletes one with enabled flows, and passes on why the service refuses', async () => {
			const { id } = context.live.addProject('At work');
			context.fault({ method: 'DELETE', times: 1, kind: { status: 409, message: 'busy' } });
			await failsWith(remove(id), REFUSED, 'busy');
			context.live.addFlow({ projectId: id, enabled: true });
			expect(await records(remove(id))).toEqual([{ deleted: true }]);
		});
	});
});

describe('values that are refused before anything is sent', () => {
	const { refuses } = useService();
	const NO_OBJECT = /^Metadata must be a JSON object, not /;

	const withMetadata = (metadata: string) => create('a', { metadata });
	const using = (externalId: string) => create('a', { externalId, ifExists: 'use' });
	const updated = (fields: INodeParameters) => update(UNKNOWN, fields);

	test.each<[INodeParameters, string | RegExp]>([
		[create('a.b'), /^Name has a dot or a slash/],
		[create('={{ NaN }}'), /^Name /],
		[withMetadata('text'), NO_OBJECT],
		[withMetadata('[1]'), NO_OBJECT],
		[withMetadata('={{ $json.no }}'), NO_OBJECT],
		[using(''), 'External ID is empty'],
		[using('= {{ $json.no }} '), 'External ID is empty'],
		[updated({}), 'Update Fields is empty'],
		[updated({ displayName: '' }), 'Name is empty'],
		[updated({ displayName: 'a/b' }), /^Name has a dot or a slash/],
		[updated({ externalId: ' ' }), 'External ID is empty'],
		[updated({ metadata: 'no' }), NO_OBJECT],
		// It would erase all metadata.
		[updated({ metadata: '' }), NO_OBJECT],
		[updated({ metadata: '={{ new Map() }}' }), /^Metadata contains a Map, which is not valid/],
		[updated({ metadata: '={{ new Set() }}' }), /^Metadata contains a Set, which is not valid/],
		[updated({ metadata: '={{ {a: [NaN]} }}' }), /^Metadata contains NaN, which is not valid/],
	])('%j', async (parameters, message) => {
		await refuses(parameters, message);
	});
});

describe.each(FIRST_AND_LAST)('projects of Community %s', (release) => {
	const context = useSignIn({ release, edition: 'community' });
	const { records, failure } = context;
	const stored = (id: unknown) => context.data.projects.find((each) => each.id === id);

	test('are listed; a filter works although the service ignores it', async () => {
		const all = await records(ALL);
		expect(all).not.toEqual([]);
		for (const displayName of ['no such project', 'ends in \\']) {
			expect(await records({ ...ALL, filters: { displayName } })).toEqual([]);
		}
		for (const type of ['TEAM', 'PERSONAL']) {
			const ofType = all.filter((project) => project.type === type);
			expect(await records({ ...ALL, filters: { type } })).toEqual(ofType);
		}
		const project = stored(all[0].id)!;
		project.displayName = 'A\\B';
		const found = await records({ ...ALL, filters: { displayName: 'a\\b' } });
		expect(found).toEqual([{ ...all[0], name: project.displayName }]);
	});

	test('are created and deleted as far as the edition has team projects', async () => {
		const [first] = context.data.projects;
		// Up to 0.79 the service lists its project whatever the external ID.
		const another = create('Another', { externalId: 'another' });
		const { message, description } = await failure(another);
		if (release !== '0.92') {
			expect(`${message} ${description}`).toContain('The Community edition has no team projects');
			expect((await failure(remove(first.id))).message).toMatch(/is a personal project/);
			return;
		}
		expect(message).toBe('The Activepieces plan does not allow another team project');
		await records(remove(context.data.projects.find(({ type }) => type === 'TEAM')?.id));
		expect(await records(create('Another'))).toMatchObject([{ name: 'Another' }]);
	});
});
