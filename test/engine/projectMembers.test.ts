import { byId, ids } from './harness/byId';
import { ofRecord, parametersOf, RETRY_ON_FAIL } from './harness/parameters';
import { changesSent, requestPaths, useService } from './harness/service';

describe('project members', () => {
	const context = useService({ data: { projects: 2, members: 6 } });
	const { record, records, failsWith } = context;
	const LIST = parametersOf('projectMember.getAll', { returnAll: true });
	const roleOf = (id: unknown) => {
		const { members, roles } = context.data;
		const { projectRoleId } = members.find((member) => member.id === id)!;
		return roles.find((role) => role.id === projectRoleId)?.name;
	};

	test('Get Many gives those of all projects or of one, and those with a role', async () => {
		const { members, projects } = context.data;
		const listed = await records(LIST);
		expect(ids(listed)).toEqual(ids(members));
		const projectName = projects[0].displayName;
		expect(listed[0]).toMatchObject({ email: 'person0@example.test', role: 'Admin', projectName });
		for (const projectId of ['', projects[0].id]) {
			const given = { ...LIST, projectId: byId(projectId), filters: { projectRole: 'editor' } };
			const found = await records({ ...given, returnAll: false, limit: 2 });
			expect(found.map(({ role }) => role)).toEqual(['Editor', 'Editor']);
		}
		expect(await records({ ...LIST, projectId: byId(projects[1].id) })).toEqual([]);
		context.clearRequests();
		const one = { ...LIST, returnAll: false, limit: 1, filters: { email: 'PERSON4@' } };
		for (const projectId of ['', projects[0].id]) {
			const found = await records({ ...one, projectId: byId(projectId) });
			expect(found.map(({ email }) => email)).toEqual(['person4@example.test']);
		}
		// One request of each project, although the first records are those of others.
		const reads = requestPaths(context).filter((path) => path === 'GET /v1/project-members');
		expect(reads).toHaveLength(projects.length + 1);
		const nothing = { ...LIST, filters: { projectRole: 'Boss' } };
		const choices = 'Choose one of the platform\'s roles in Project Role: "Admin", "Editor"';
		await failsWith(nothing, 'There is no project role "Boss"', choices);
	});

	test('Update sets the role by name or ID, of a member by ID or email', async () => {
		const { members, users, roles } = context.data;
		const [{ id, userId }] = members;
		const { email = '' } = users.find((user) => user.id === userId)!;
		for (const [member, projectRole, wanted] of [
			[id, 'viewer', 'Viewer'],
			[email.toUpperCase(), 'Editor', 'Editor'],
			[id, roles.find(({ name }) => name === 'Admin')?.id, 'Admin'],
		] as const) {
			const changed = await record(ofRecord('projectMember.update', member, { projectRole }));
			expect(changed).toMatchObject({ id, email, role: wanted, userId });
			expect(roleOf(id)).toBe(wanted);
		}
		const more = { projectRole: 'Editor', simplify: false };
		const raw = await record(ofRecord('projectMember.update', id, more));
		expect(raw).not.toHaveProperty('projectRole');
		context.clearRequests();
		const boss = ofRecord('projectMember.update', id, { projectRole: 'Boss' });
		await failsWith(boss, 'There is no project role "Boss"', 'Nothing was changed.');
		expect(changesSent(context)).toEqual([]);
	});

	test('of two roles with a name in other letters, Get Many reads the exact one, and none is given', async () => {
		const { roles, members, projects } = context.data;
		const editor = roles.find(({ name }) => name === 'Editor')!;
		const twin = { ...editor, id: 'twin', name: 'EDITOR' };
		context.data.roles = [twin, ...roles];
		const given = (projectRole: string) => ({ ...LIST, filters: { projectRole } });
		const editors = members.filter(({ projectRoleId }) => projectRoleId === editor.id);
		expect(ids(await records(given('Editor')))).toEqual(ids(editors));
		expect(await records(given('twin'))).toEqual([]);
		const advice = 'Set Project Role to the ID of one of them.';
		await failsWith(given('editor'), 'There are 2 project roles "editor"', advice);
		for (const projectRole of ['Editor', 'EDITOR', editor.id, twin.id]) {
			const to = { type: 'PROJECT', projectId: byId(projects[0].id), email: 'a@example.test' };
			for (const change of [
				ofRecord('projectMember.update', members[0].id, { projectRole }),
				parametersOf('userInvitation.create', { ...to, projectRole }),
			]) {
				const message = /^There are 2 project roles "editor"$/i;
				await failsWith(change, message, ['Rename', 'Nothing was changed.']);
			}
		}
		context.data.roles = roles;
		expect(changesSent(context)).toEqual([]);
	});

	test('a person in several projects is named by email only with the project', async () => {
		const { members, users, projects } = context.data;
		const { userId } = members[1];
		const { email } = users.find((user) => user.id === userId)!;
		const second = context.live.addMember(userId, projects[1].id, 'Viewer');
		const remove = ofRecord('projectMember.delete', email);
		const names = projects.slice(0, 2).map(({ displayName }) => `"${displayName}"`);
		await failsWith(remove, `"${email}" is a member of 2 projects`, names);
		expect(changesSent(context)).toEqual([]);
		const ofSecond = { ...remove, projectId: byId(projects[1].id) };
		expect(await record(ofSecond)).toEqual({ deleted: true });
		expect(changesSent(context)).toEqual([[`DELETE /v1/project-members/${second.id}`]]);
		await failsWith(ofSecond, `Project member "${email}" was not found`, /^Check Member\. The/);
		expect(ids(context.data.users)).toContain(userId);
	});

	test('a member of another project than the chosen one is neither changed nor removed', async () => {
		const { members, projects } = context.data;
		const { id } = members.at(-1)!;
		const [own, other] = projects.map((project) => ({ projectId: byId(project.id) }));
		const update = ofRecord('projectMember.update', id, { projectRole: 'Viewer' });
		const remove = ofRecord('projectMember.delete', id);
		for (const parameters of [update, remove]) {
			const elsewhere = `Project member "${id}" is not in the chosen project`;
			const advice = ['Check Member and Project', 'Nothing was changed.'];
			await failsWith({ ...parameters, ...other }, elsewhere, advice);
		}
		expect(changesSent(context)).toEqual([]);
		expect(await record({ ...update, ...own })).toMatchObject({ id, role: 'Viewer' });
		expect(await record({ ...remove, ...own })).toEqual({ deleted: true });
		expect(ids(context.data.members)).not.toContain(id);
	});

	test('a person named by email is found in the project of each item', async () => {
		const [, , , { id, userId }] = context.data.members;
		const { email } = context.data.users.find((user) => user.id === userId)!;
		const items = context.data.projects.slice(0, 2).map((project) => ({ projectId: project.id }));
		const second = context.live.addMember(userId, items[1].projectId, 'Viewer');
		const projectId = byId('={{ $json.projectId }}');
		const change = ofRecord('projectMember.update', email, { projectId, projectRole: 'Editor' });
		expect(ids(await records(change, items))).toEqual([id, second.id]);
		expect([id, second.id].map(roleOf)).toEqual(['Editor', 'Editor']);
		await record(ofRecord('projectMember.delete', second.id));
	});

	test('somebody who has only been invited is no member', async () => {
		const { email } = context.live.addInvitation({ projectId: context.data.projects[0].id });
		const remove = ofRecord('projectMember.delete', email);
		const says = 'change or delete the invitation with User Invitation.';
		await failsWith(remove, `Project member "${email}" was not found`, says);
		expect(changesSent(context)).toEqual([]);
	});

	test('a role that was changed is returned, although the members cannot be read', async () => {
		const [{ id }] = context.data.members;
		context.fault({ method: 'GET', path: '/v1/project-members', kind: { status: 500 } });
		const changed = await record(ofRecord('projectMember.update', id, { projectRole: 'Viewer' }));
		expect(changed).toMatchObject({ id, role: 'Viewer', email: null });
	});

	test.each([
		[500, [true, false, false], 2],
		[403, [true, true, true], 1],
	])('roles whose list responds once with %i: read again, or refused once', async (...row) => {
		const [status, failed, reads] = row;
		const path = '/v1/project-roles';
		context.fault({ path, times: 1, kind: { status } });
		const [{ id }] = context.data.members;
		const change = ofRecord('projectMember.update', id, { projectRole: 'Editor' });
		const onError = 'continueRegularOutput' as const;
		const { items } = await context.run(change, { items: [{}, {}, {}], onError });
		expect(items.map(({ json }) => 'error' in json)).toEqual(failed);
		expect(requestPaths(context).filter((line) => line === `GET ${path}`)).toHaveLength(reads);
	});

	test('a member named by email whose delete was carried out without a response is deleted once', async () => {
		const { userId } = context.data.members[2];
		const { email } = context.data.users.find((user) => user.id === userId)!;
		context.fault({ method: 'DELETE', times: 5, done: true, kind: { status: 502 } });
		const remove = ofRecord('projectMember.delete', email);
		expect(await record(remove, { settings: RETRY_ON_FAIL })).toEqual({ deleted: true });
	});

	test('the list of roles has their names, and that of members the email, role and project', async () => {
		const roles = await context.loadOptions('getProjectRoles');
		expect(roles).toEqual(['Admin', 'Editor', 'Viewer'].map((name) => ({ name, value: name })));
		const { results } = await context.search('searchMembers', { filter: 'person0' });
		expect(results[0].name).toMatch(/^person0@example\.test \(\w+, Operations\)$/);
	});
});
