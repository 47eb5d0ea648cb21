import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../service';
import { parametersOf } from './harness/parameters';
import { ROUTE_MISSING } from './harness/routeMissing';
import { FIRST_AND_LAST, byId, requestUrls, useService } from './harness/service';

const ALL: INodeParameters = { resource: 'folder', operation: 'getAll', returnAll: true };

const create = (projectId: unknown, displayName: string, more: INodeParameters = {}) =>
	parametersOf('folder.create', { projectId: byId(projectId), displayName, ...more });
const remove = (id: unknown) => parametersOf('folder.delete', { folderId: byId(id) });

describe.each(FIRST_AND_LAST)('folders on release %s', (release) => {
	const context = useService({ release, data: { projects: 3, foldersPerProject: 4, flows: 20 } });

	const { records, failure, failsWith } = context;
	const posts = () => context.requests.filter(({ method }) => method === 'POST');

	test('the folders of all projects come with their project’s name and the number of flows', async () => {
		const { folders, flows, projects } = context.data;
		expect(new Map((await records(ALL)).map((folder) => [folder.id, folder]))).toEqual(
			new Map(
				folders.map(({ id, displayName, projectId, created, updated }) => [
					id,
					{
						id,
						name: displayName,
						projectId,
						projectName: projects.find((project) => project.id === projectId)?.displayName,
						flowCount: flows.filter(({ folderId }) => folderId === id).length,
						created,
						updated,
					},
				]),
			),
		);
	});

	test('Get, Create and Update give the fields of Get Many, and read the projects once for all items', async () => {
		const { folders, projects } = context.data;
		const [{ id }] = projects;
		const own = folders.filter(({ projectId }) => projectId === id).slice(0, 3);
		const listed = await records({ ...ALL, projectId: byId(id) });
		const listedFolder = (folderId: unknown) => listed.find((each) => each.id === folderId);
		context.clearRequests();
		const items = own.map((folder) => ({ id: folder.id, name: folder.displayName }));
		const get = { resource: 'folder', operation: 'get', folderId: byId('={{ $json.id }}') };
		expect(await records(get, items)).toEqual(own.map((folder) => listedFolder(folder.id)));
		expect(requestUrls(context).filter((url) => url.includes('/projects'))).toEqual([
			'GET /v1/projects?limit=1000',
		]);
		const update = { ...get, operation: 'update', displayName: '={{ $json.name }}' };
		const [renamed] = await records(update, items);
		expect(renamed).toEqual({ ...listedFolder(renamed.id), updated: expect.any(String) });
		const { id: other, displayName: otherName } = projects[2];
		const [created] = await records(create(other, 'Same fields'));
		expect(Object.keys(created)).toEqual(Object.keys(listed[0]));
		expect(created).toMatchObject({ name: 'Same fields', projectName: otherName, flowCount: 0 });
	});

	test('without Simplify, and without the name of its project, a folder costs one request', async () => {
		const [folder] = context.data.folders;
		const get = { resource: 'folder', operation: 'get', folderId: byId(folder.id) };
		const [sent] = await records({ ...get, simplify: false });
		expect(sent).toMatchObject({
			displayName: folder.displayName,
			numberOfFlows: expect.any(Number),
		});
		const { items } = await context.run(
			{ ...get, output: 'selectedFields', fields: 'name, flowCount' },
			{ asTool: true },
		);
		expect(Object.keys(items[0].json)).toEqual(['id', 'name', 'flowCount']);
		expect(requestUrls(context)).toEqual([
			`GET /v1/folders/${folder.id}`,
			`GET /v1/folders/${folder.id}`,
		]);
	});

	test('a folder that was created is given although the projects cannot be read', async () => {
		context.fault({ path: '/v1/projects', kind: { status: 500 } });
		const [folder] = await records(create(context.data.projects[2].id, 'No name of a project'));
		expect(folder).toMatchObject({ name: 'No name of a project', projectName: null });
	});

	test('those of one project as well, and exactly as many as asked for', async () => {
		const { folders, projects } = context.data;
		const { id, displayName } = projects[1];
		const wanted = folders.filter(({ projectId }) => projectId === id);
		const given = await records({ ...ALL, projectId: byId(id) });
		expect(given.map((folder) => folder.id)).toEqual(wanted.map((folder) => folder.id));
		expect(given.every(({ projectName }) => projectName === displayName)).toBe(true);
		const limited = { ...ALL, returnAll: false, limit: 5 };
		expect(await records(limited)).toHaveLength(5);
		expect(await records({ ...limited, limit: 2, projectId: byId(id) })).toHaveLength(2);
	});

	test('without Simplify they are what the service sent, for one request', async () => {
		const [{ id }] = context.data.projects;
		const [folder] = await records({ ...ALL, projectId: byId(id), simplify: false });
		expect(Object.keys(folder)).not.toContain('projectName');
		expect(typeof folder.numberOfFlows).toBe(release === '0.73' ? 'string' : 'number');
		expect(requestUrls(context)).toEqual([`GET /v1/folders?projectId=${id}&limit=1000`]);
	});

	test('a name that cannot be listed is null: the folders are there all the same', async () => {
		context.fault({ path: '/v1/projects', kind: { status: 403, code: 'AUTHORIZATION' } });
		const given = await records({ ...ALL, projectId: byId(context.data.projects[0].id) });
		expect(given).toHaveLength(4);
		expect(given[0].projectName).toBeNull();
	});

	test('a folder is created, with nothing but its name and project', async () => {
		const [{ id }] = context.data.projects;
		const [folder] = await records(create(id, '  Quarterly '));
		expect(folder).toMatchObject({ name: 'Quarterly', projectId: id, flowCount: 0 });
		expect(context.data.folders.map((each) => each.id)).toContain(folder.id);
		expect(posts().map(({ body }) => body)).toEqual([{ displayName: 'Quarterly', projectId: id }]);
	});

	test('a folder that exists, in any letter case, is neither created nor renamed', async () => {
		const existing = context.data.folders[2];
		const name = existing.displayName;
		const error = await failure(create(existing.projectId, name.toUpperCase()));
		expect(error.message).toBe(`The project already has a folder "${name}"`);
		expect(error.description).toContain('If Folder Exists');
		expect(posts()).toEqual([]);
		expect(existing.displayName).toBe(name);
	});

	test('a folder whose name has space around it, as Activepieces keeps it, is found', async () => {
		const [existing] = context.data.folders;
		const name = existing.displayName;
		existing.displayName = ` ${name} `;
		const error = await failure(create(existing.projectId, name)).finally(() => {
			existing.displayName = name;
		});
		expect(error.message).toContain('already');
		expect(posts()).toEqual([]);
	});

	test('If Folder Exists = Use Existing Folder gives it as it is, with the number of its flows', async () => {
		const { folders, flows } = context.data;
		const existing = folders.find(({ id }) => flows.some(({ folderId }) => folderId === id))!;
		const name = existing.displayName;
		const parameters = create(existing.projectId, name.toLowerCase(), { ifExists: 'use' });
		expect(await records(parameters)).toEqual([
			expect.objectContaining({
				id: existing.id,
				name,
				flowCount: flows.filter(({ folderId }) => folderId === existing.id).length,
			}),
		]);
		expect(posts()).toEqual([]);
	});

	test('a name that comes twice in the input is created once', async () => {
		const [, { id }] = context.data.projects;
		const { items } = await context.run(create(id, '={{ $json.name }}', { ifExists: 'use' }), [
			{ name: 'Twice' },
			{ name: 'TWICE' },
		]);
		expect(items[0].json.id).toBe(items[1].json.id);
		expect(items.map(({ json }) => json.name)).toEqual(['Twice', 'Twice']);
		expect(posts()).toHaveLength(1);
	});

	test('a folder of that name in another project is no obstacle', async () => {
		const { folders, projects } = context.data;
		const { displayName } = folders.find(({ projectId }) => projectId === projects[0].id)!;
		const personal = projects.find(({ type }) => type === 'PERSONAL')!;
		const [folder] = await records(create(personal.id, displayName));
		expect(folder).toMatchObject({ name: displayName, projectId: personal.id });
	});

	test('among several projects one has to be chosen, and has to be there', async () => {
		const { projects } = context.data;
		const none = await failure(create('', 'New'));
		expect(none.message).toBe(`Project is empty, and there are ${projects.length} projects`);
		expect(none.description).toContain(`"${projects[0].displayName}"`);
		expect(none.description).toContain('Nothing was changed.');
		context.clearRequests();
		const nothing = await failure(create('={{ $json.id }}', 'New'), [{}]);
		expect(nothing.message).toBe('The expression in Project returns no value');
		expect(nothing.description).toContain('To mean "the only project"');
		expect(context.requests).toEqual([]);
		const unknown = await failure(create('unknown00000000000000', 'New'));
		expect(unknown.message).toMatch(/project "unknown00000000000000"/i);
		expect(unknown.description).toContain('Project');
		expect(posts()).toEqual([]);
	});

	test('a folder is deleted, and its flows stay without one', async () => {
		const { folders, flows } = context.data;
		const folder = folders.find(({ id }) => flows.some(({ folderId }) => folderId === id))!;
		expect(await records(remove(folder.id))).toEqual([{ deleted: true }]);
		expect(context.data.folders).not.toContain(folder);
		expect(context.data.flows).toHaveLength(flows.length);
		expect(context.data.flows.some(({ folderId }) => folderId === folder.id)).toBe(false);
		await failsWith(remove(folder.id), `Folder "${folder.id}" was not found`);
	});
});

describe.each(FIRST_AND_LAST)('folders on release %s with one project', (release) => {
	const context = useService({ release, data: { projects: 1 } });

	test('a folder is created in it without asking which, and the projects are read once', async () => {
		// The personal project of the user counts as well.
		const [{ id, displayName }] = context.data.projects;
		context.data.projects = context.data.projects.slice(0, 1);
		const given = await context.records(create('', '={{ $json.name }}'), [
			{ name: 'First' },
			{ name: 'Second' },
		]);
		expect(given).toMatchObject([
			{ name: 'First', projectId: id, projectName: displayName },
			{ name: 'Second', projectId: id, projectName: displayName },
		]);
		expect(requestUrls(context).filter((url) => url.includes('/v1/projects'))).toHaveLength(1);
	});

	test.each<[string, FaultKind, string]>([
		['no list', ROUTE_MISSING, 'This Activepieces server cannot list its projects'],
		[
			'an empty list',
			{ body: { data: [], next: null } },
			'The credential does not have access to any project',
		],
		['a list that is refused', { status: 403, code: 'AUTHORIZATION' }, 'is not allowed to'],
	])(
		'without a project, the message lists %s of projects, and nothing is changed',
		async (_what, kind, message) => {
			context.fault({ path: /\/projects$/, kind });
			expect((await context.failure(create('', 'New'))).message).toContain(message);
			expect(context.requests.filter(({ method }) => method === 'POST')).toEqual([]);
		},
	);
});
