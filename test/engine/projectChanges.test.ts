import type { INodeParameters } from 'n8n-workflow';

import { parametersOf } from './harness/parameters';
import { FIRST_AND_LAST, byId, changesSent, useService } from './harness/service';
import { signedIn } from './harness/signIn';

const create = (displayName: unknown, more: INodeParameters = {}) =>
	parametersOf('project.create', { displayName: displayName as string, ...more });
const update = (id: unknown, updateFields: INodeParameters) =>
	parametersOf('project.update', { projectId: byId(id), updateFields });
const remove = (id: unknown) => parametersOf('project.delete', { projectId: byId(id) });
const UNKNOWN = 'A'.repeat(21);

describe.each(FIRST_AND_LAST)('projects are created, changed and deleted on %s', (release) => {
	const context = useService({ release, data: { projects: 2, foldersPerProject: 1, flows: 6 } });

	const { records, failure, refuses } = context;
	const sent = () => changesSent(context);
	const stored = (id: unknown) => context.data.projects.find((each) => each.id === id);
	const personal = () =>
		context.data.projects.find(({ type }) => type === 'PERSONAL') ?? { id: '' };

	describe('Create', () => {
		test('gives the new project with the fields of Get Many, and sends nothing but what was set', async () => {
			const [project] = await records(create('  Customer 42 '));
			expect(project).toEqual({
				id: expect.any(String),
				name: 'Customer 42',
				type: 'TEAM',
				externalId: null,
				ownerId: expect.any(String),
				created: expect.any(String),
				updated: expect.any(String),
				url: `${context.origin}/projects/${String(project.id)}`,
			});
			expect(sent()).toEqual([['POST /v1/projects', { displayName: 'Customer 42' }]]);
			const list = { resource: 'project', operation: 'getAll', returnAll: true };
			expect(await records(list)).toContainEqual(project);
		});

		test('takes an external ID and metadata, also as text', async () => {
			const more = { externalId: ' c-43 ', metadata: '{"plan": "pro"}', simplify: false };
			expect(await records(create('Customer 43', more))).toMatchObject([
				{ externalId: 'c-43', metadata: { plan: 'pro' } },
			]);
		});

		test('refuses an external ID that exists, and names its project', async () => {
			const [{ id, displayName }] = context.data.projects;
			const error = await failure(create('Twice', { externalId: 'customer-1' }));
			expect(error.message).toBe(
				`The project "${displayName}" (${id}) already has this external ID`,
			);
			expect(error.description).toContain('Nothing was changed');
			expect(sent()).toEqual([]);
		});

		test('gives the project that has the external ID where it is to be used', async () => {
			const [{ id, displayName }] = context.data.projects;
			const more = { externalId: 'customer-1', ifExists: 'use' };
			expect(await records(create('Twice', more))).toMatchObject([{ id, name: displayName }]);
			expect(sent()).toEqual([]);
		});

		test('run twice with an external ID makes one project', async () => {
			const parameters = create('=Customer {{ $json.id }}', {
				externalId: '=c-{{ $json.id }}',
				ifExists: 'use',
			});
			const items = [{ id: 1 }, { id: 2 }, { id: 1 }];
			const [first, second, again] = await records(parameters, items);
			expect(again).toEqual(first);
			expect(second.id).not.toBe(first.id);
			expect(await records(parameters, items)).toEqual([first, second, first]);
			expect(sent()).toHaveLength(2);
		});

		test.each(['a.b', 'a/b'])('refuses the name %j, and sends nothing', async (name) => {
			await refuses(create(name), /^Name has a dot or a slash/);
		});

		test.each(['text', '[1]', '={{ 7 }}', '={{ $json.no }}'])(
			'refuses the metadata %j, and sends nothing',
			async (metadata) => {
				await refuses(create('Customer', { metadata }), /^Metadata must be a JSON object, not /);
			},
		);

		test.each(['', '  ', '={{ undefined }}', '={{ null }}', '= {{ $json.no }} '])(
			'refuses to look for a project without an external ID: %j',
			async (externalId) => {
				const more = { externalId, ifExists: 'use' };
				await refuses(create('Customer', more), 'External ID is empty');
			},
		);

		test.each(['={{ NaN }}', '={{ 1 / 0 }}', '\u3164', '\u200b\u2800', '={{ $json.no }}'])(
			'refuses the name %j, and sends nothing',
			async (name) => {
				await refuses(create(name), /^Name /);
			},
		);

		test('reports when the plan allows no further project', async () => {
			context.fault({
				method: 'POST',
				path: '/v1/projects',
				kind: { status: 402, body: { code: 'FEATURE_DISABLED', params: { message: 'limit' } } },
			});
			const error = await failure(create('One more'));
			expect(error.message).toBe('The Activepieces plan does not allow another team project');
		});
	});

	describe('Update', () => {
		test('changes only what was set', async () => {
			const project = context.live.addProject('Before');
			const more = { metadata: '={{ {"plan":"free"} }}' };
			const [updated] = await records(update(project.id, { displayName: 'After', ...more }));
			expect(updated).toMatchObject({ id: project.id, name: 'After' });
			expect(sent()).toEqual([
				[`POST /v1/projects/${project.id}`, { displayName: 'After', metadata: { plan: 'free' } }],
			]);
			expect(stored(project.id)?.metadata).toEqual({ plan: 'free' });
		});

		test('refuses the external ID of another project', async () => {
			const project = context.live.addProject('Another');
			const error = await failure(update(project.id, { externalId: 'customer-1' }));
			expect(error.message).toBe('Another project already has this external ID');
			expect(stored(project.id)?.externalId).not.toBe('customer-1');
		});

		test('reports that a personal project keeps its name', async () => {
			const error = await failure(update(personal().id, { displayName: 'Mine' }));
			expect(error.message).toMatch(/^Activepieces did not change the name of the project "/);
		});

		test.each<[INodeParameters, string | RegExp]>([
			[{}, 'Update Fields is empty'],
			[{ displayName: '' }, 'Name is empty'],
			[{ displayName: 'v1.2' }, /^Name has a dot or a slash/],
			[{ externalId: ' ' }, 'External ID is empty'],
			[{ metadata: 'no' }, /^Metadata must be a JSON object/],
			// It would erase all metadata.
			[{ metadata: '' }, /^Metadata must be a JSON object/],
			[{ metadata: '={{ new Date() }}' }, /^Metadata must be a JSON object/],
			[{ metadata: '={{ new Map() }}' }, 'Metadata contains a Map, which is not valid in JSON'],
			[{ metadata: '={{ {a: [NaN]} }}' }, 'Metadata contains NaN, which is not valid in JSON'],
			[{ metadata: '={{ {a: 1 / 0} }}' }, 'Metadata contains Infinity, which is not valid in JSON'],
		])('refuses %j, and sends nothing', async (fields, message) => {
			await refuses(update(UNKNOWN, fields), message);
		});
	});

	describe('Delete', () => {
		test('deletes a team project, and reports it', async () => {
			const project = context.live.addProject('To go');
			expect(await records(remove(project.id))).toEqual([{ deleted: true }]);
			expect(stored(project.id)).toBeUndefined();
			expect(sent()).toEqual([[`DELETE /v1/projects/${project.id}`]]);
		});

		test('never deletes a personal project', async () => {
			const { id } = personal();
			const error = await failure(remove(id));
			expect(error.message).toMatch(/^The project ".+" \(\w+\) is a personal project$/);
			expect(error.description).toContain('Nothing was deleted');
			expect(sent()).toEqual([]);
			expect(stored(id)).toBeDefined();
		});

		test('never deletes a project that it does not know to be a team project', async () => {
			const [{ id }] = context.data.projects;
			const untyped = { ...context.data.projects[0], type: undefined };
			const body = release === '0.73' ? { data: [untyped], next: null } : untyped;
			context.fault({ method: 'GET', path: /^\/v1\/projects/, kind: { body } });
			await failure(remove(id));
			expect(sent()).toEqual([]);
		});

		test('distinguishes a project that does not exist from one that was deleted', async () => {
			const project = context.live.addProject('Once');
			await records(remove(project.id));
			for (const id of [UNKNOWN, project.id]) {
				expect((await failure(remove(id))).message).toContain(id);
			}
			expect(sent()).toHaveLength(1);
		});

		test('names what prevents 0.73 from deleting a project with enabled flows', async () => {
			const project = context.live.addProject('At work');
			context.live.addFlow({ projectId: project.id, enabled: true });
			if (release !== '0.73') {
				expect(await records(remove(project.id))).toEqual([{ deleted: true }]);
				return;
			}
			const error = await failure(remove(project.id));
			expect(error.message).toBe(`The project "At work" (${project.id}) has enabled flows`);
			expect(stored(project.id)).toBeDefined();
		});
	});
});

describe('on the Community edition', () => {
	describe.each(['0.73', '0.79'] as const)('of %s', (release) => {
		const context = useService({ release, edition: 'community' });

		test.each([
			['create', create('Another')],
			['delete', remove(UNKNOWN)],
		])(
			'the node reports that team projects are not part of it: %s',
			async (_operation, parameters) => {
				const projectId = byId(context.data.projects[0].id);
				const error = await signedIn(context).failure(
					'projectId' in parameters ? { ...parameters, projectId } : parameters,
				);
				expect(`${error.message} ${error.description ?? ''}`).toMatch(
					/The Community edition has no team projects|is a personal project/,
				);
			},
		);
	});

	describe('of 0.85', () => {
		const context = useService({ release: '0.85', edition: 'community' });

		test('one team project is allowed', async () => {
			const { records, failure } = signedIn(context);
			const error = await failure(create('Another'));
			expect(error.message).toBe('The Activepieces plan does not allow another team project');
			await records(remove(context.data.projects.find(({ type }) => type === 'TEAM')?.id));
			expect(await records(create('Another'))).toMatchObject([{ name: 'Another' }]);
		});
	});
});
