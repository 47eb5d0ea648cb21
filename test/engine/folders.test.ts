import { FIRST_AND_LAST, ROUTE_MISSING, type FaultKind } from '../service';
import { byId, ids } from './harness/byId';
import { ofRecord, parametersOf } from './harness/parameters';
import { requestUrls, useService } from './harness/service';

const ALL = parametersOf('folder.getAll', { returnAll: true });
const create = (projectId: unknown, displayName: string, more = {}) =>
	parametersOf('folder.create', { projectId: byId(projectId), displayName, ...more });

describe.each(FIRST_AND_LAST)('folders on release %s', (release) => {
	const context = useService({ release, data: { projects: 3, foldersPerProject: 4, flows: 20 } });

	const { record, records, failsWith } = context;
	const flowsOf = (id: string) => context.data.flows.filter(({ folderId }) => folderId === id);
	const folderWithFlows = () => context.data.folders.find(({ id }) => flowsOf(id).length > 0)!;

	test('the folders of all projects come with their project’s name and the number of flows', async () => {
		const { folders, projects } = context.data;
		const wanted = folders.map(({ id, displayName, projectId, created, updated }) => {
			const projectName = projects.find((project) => project.id === projectId)?.displayName;
			const flowCount = flowsOf(id).length;
			return { id, name: displayName, projectId, projectName, flowCount, created, updated };
		});
		const given = await records(ALL);
		expect(given).toHaveLength(wanted.length);
		expect(given).toEqual(expect.arrayContaining(wanted));
		expect(await records({ ...ALL, returnAll: false, limit: 5 })).toHaveLength(5);
	});

	test('Get, Create and Update give the fields of Get Many without the name of the project, with one request each', async () => {
		const { folders, projects } = context.data;
		const [{ id }, , other] = projects;
		const listed = await records({ ...ALL, projectId: byId(id) });
		expect(ids(listed)).toEqual(ids(folders.filter(({ projectId }) => projectId === id)));
		const single = listed.map(({ projectName, ...others }) => {
			expect(projectName).toBe(projects[0].displayName);
			return others;
		});
		context.clearRequests();
		expect(await records(ofRecord('folder.get', '={{ $json.id }}'), listed)).toEqual(single);
		const gets = listed.map((folder) => `GET /v1/folders/${String(folder.id)}`);
		expect(requestUrls(context).sort()).toEqual(gets.sort());
		const update = ofRecord('folder.update', listed[0].id, { displayName: 'Renamed' });
		const renamed = { ...single[0], name: 'Renamed', updated: expect.any(String) };
		expect(await records(update)).toEqual([renamed]);
		context.clearRequests();
		const created = await record(create(other.id, '  Same fields '));
		expect(Object.keys(created)).toEqual(Object.keys(single[0]));
		expect(created).toMatchObject({ name: 'Same fields', projectId: other.id, flowCount: 0 });
		expect(ids(context.data.folders)).toContain(created.id);
		const body = { displayName: 'Same fields', projectId: other.id };
		expect(context.posts().map((request) => request.body)).toEqual([body]);
	});

	test('with any Output, a folder costs one request', async () => {
		const [{ id, displayName, projectId }] = context.data.folders;
		const get = ofRecord('folder.get', id);
		const [listed] = await records({ ...ALL, projectId: byId(projectId), simplify: false });
		for (const raw of [listed, await record({ ...get, simplify: false })]) {
			expect(raw).toMatchObject({ displayName, numberOfFlows: expect.anything() });
			expect(raw).not.toHaveProperty('projectName');
		}
		const fields = { output: 'selectedFields', fields: 'name, flowCount' };
		const { items } = await context.run({ ...get, ...fields }, { asTool: true });
		expect(Object.keys(items[0].json)).toEqual(['id', 'name', 'flowCount']);
		const one = `GET /v1/folders/${id}`;
		const list = `GET /v1/folders?projectId=${projectId}&limit=10000`;
		expect(requestUrls(context)).toEqual([list, one, one]);
		const named = { output: 'selectedFields', fields: 'projectName' };
		const none = /^No record has the field "projectName"/;
		await failsWith({ ...get, ...named }, none, [], { asTool: true });
	});

	test('a name of a project that cannot be read is null: the folders are given all the same', async () => {
		const [, , { id }] = context.data.projects;
		context.fault({ path: '/v1/projects', kind: { status: 403, code: 'AUTHORIZATION' } });
		const listed = await records({ ...ALL, projectId: byId(id) });
		expect(listed.length).toBeGreaterThan(0);
		for (const folder of listed) expect(folder.projectName).toBeNull();
	});

	test('a folder that exists, in any letter case and with space around it, is not created', async () => {
		const existing = context.data.folders[2];
		const name = existing.displayName;
		const taken = `The project already has a folder "${name}"`;
		await failsWith(create(existing.projectId, name.toUpperCase()), taken, 'If Folder Exists');
		existing.displayName = ` ${name} `;
		await failsWith(create(existing.projectId, name), /already/);
		existing.displayName = name;
		expect(context.posts()).toEqual([]);
		// One of another project is no obstacle.
		const { id } = context.data.projects.find(({ type }) => type === 'PERSONAL')!;
		expect(await record(create(id, name))).toMatchObject({ projectId: id });
	});

	test('with Use Existing Folder it is given as it is, with the number of its flows', async () => {
		const { id, projectId, displayName } = folderWithFlows();
		const folder = await record(create(projectId, displayName.toLowerCase(), { ifExists: 'use' }));
		expect(folder).toMatchObject({ id, name: displayName, flowCount: flowsOf(id).length });
		expect(context.posts()).toEqual([]);
		const twice = create(projectId, '={{ $json.name }}', { ifExists: 'use' });
		const [first, second] = await records(twice, [{ name: 'Twice' }, { name: 'TWICE' }]);
		expect(second).toEqual(first);
		expect(context.posts()).toHaveLength(1);
	});

	test('one that somebody else creates at the same moment is found by the same rule', async () => {
		const [{ id: projectId }] = context.data.projects;
		const isTaken = (name: string) => {
			const before = () =>
				void context.data.folders.push({ ...context.data.folders[0], id: name, displayName: name });
			context.fault({ method: 'POST', times: 1, kind: { before, status: 409, code: 'ANY' } });
		};
		isTaken('raced00000000000000');
		const taken = 'The project already has a folder "raced00000000000000"';
		await failsWith(create(projectId, 'raced00000000000000'), taken, 'Nothing was changed.');
		isTaken('raced00000000000001');
		const use = create(projectId, 'raced00000000000001', { ifExists: 'use' });
		expect(await record(use)).toMatchObject({ id: 'raced00000000000001' });
	});

	test('among several projects one has to be chosen, and has to be there', async () => {
		const [{ displayName }, ...others] = context.data.projects;
		const none = `Project is empty, and there are ${others.length + 1} projects`;
		await failsWith(create('', 'New'), none, [`"${displayName}"`, 'Nothing was changed.']);
		context.clearRequests();
		const nothing = 'The expression in Project returns no value';
		await context.refuses(create('={{ $json.id }}', 'New'), nothing, 'To mean "the only project"');
		context.fault({ method: 'POST', kind: { status: 404, code: 'ENTITY_NOT_FOUND' } });
		for (const [count, id] of ['unknown00000000000000', others[0].id].entries()) {
			await failsWith(create(id, 'New'), new RegExp(`project "${id}"`, 'i'), 'Project');
			expect(context.posts()).toHaveLength(count);
		}
	});
});

describe('folders of a server with one project', () => {
	const context = useService({ data: { projects: 1 } });

	test('are created in it without asking which, and the projects are read once', async () => {
		// The personal project of the user counts as well.
		const [{ id }] = context.data.projects;
		context.data.projects = context.data.projects.slice(0, 1);
		const names = [{ name: 'First' }, { name: 'Second' }];
		const given = await context.records(create('', '={{ $json.name }}'), names);
		expect(given).toMatchObject(names.map((name) => ({ ...name, projectId: id })));
		expect(requestUrls(context).filter((url) => url.includes('/v1/projects'))).toHaveLength(1);
	});

	const NO_LIST = { data: [], next: null };
	test.each<[string, FaultKind, RegExp]>([
		['no list', ROUTE_MISSING, /^This Activepieces server cannot list its projects/],
		['an empty list', { body: NO_LIST }, /^The credential does not have access to any project/],
		['a list that is refused', { status: 403, code: 'AUTHORIZATION' }, / is not allowed to /],
	])('without a project, the message tells of %s of projects', async (_what, kind, message) => {
		context.fault({ path: /\/projects$/, kind });
		await context.failsWith(create('', 'New'), message);
		expect(context.posts()).toEqual([]);
	});
});
