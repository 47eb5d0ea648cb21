import type { INodeParameters } from 'n8n-workflow';

import { FIRST_AND_LAST } from '../service';
import { limits } from './harness/built';
import { byId, ids, sortedIds } from './harness/byId';
import { atTime } from './harness/clock';
import { parametersOf } from './harness/parameters';
import { changesSent, requestUrls, useService, type TestContext } from './harness/service';
import { signInCredential, useSignIn } from './harness/signIn';

const LIST = parametersOf('userInvitation.getAll');
const ALL = { ...LIST, returnAll: true };
const MEMBERS = parametersOf('projectMember.getAll');
const DAY = 86_400_000;
const isPersonal = (id: string) =>
	`Project "${id}" is a personal project, so you cannot invite users to it`;

describe.each(FIRST_AND_LAST)('user invitations on release %s', (release) => {
	const context = useService({ release, data: { invitations: 40 } });

	const { record, records } = context;
	const all = () => context.data.invitations;
	const isAccepted = ({ status }: { status: string }) => status === 'ACCEPTED';

	test('those to the platform and to all projects come in two requests', async () => {
		expect(sortedIds(await records(ALL))).toEqual(sortedIds(all()));
		expect(requestUrls(context)).toEqual([
			'GET /v1/user-invitations?type=PLATFORM&limit=10000',
			'GET /v1/user-invitations?type=PROJECT&limit=10000',
		]);
	});

	test('those of a type, of a project and with a status are given on request', async () => {
		const { id } = context.data.projects[1];
		for (const [parameters, wanted] of [
			[{ type: 'PLATFORM' }, all().filter(({ type }) => type === 'PLATFORM')],
			[{ type: 'PROJECT' }, all().filter(({ type }) => type === 'PROJECT')],
			[{ type: 'PROJECT', projectId: byId(id) }, all().filter(({ projectId }) => projectId === id)],
			[{ filters: { invitationStatus: 'ACCEPTED' } }, all().filter(isAccepted)],
		] as const) {
			expect(wanted).not.toEqual([]);
			expect(sortedIds(await records({ ...ALL, ...parameters }))).toEqual(sortedIds(wanted));
		}
	});

	test('Limit is exact across both lists', async () => {
		for (const limit of [7, 25]) expect(await records({ ...LIST, limit })).toHaveLength(limit);
		expect(await records({ ...LIST, limit: 100 })).toHaveLength(40);
		// The list of the platform may be as long as Limit, and the other one has more.
		const limit = all().filter(({ type }) => type === 'PLATFORM').length;
		const { items, hints } = await context.run({ ...LIST, limit });
		expect(items).toHaveLength(limit);
		expect(hints).toEqual([expect.stringMatching(/^The list of user invitations is longer/)]);
	});

	test('both lists together have no more than one item may return', async () => {
		const isToProject = ({ type }: { type: string }) => type === 'PROJECT';
		const toProjects = all().filter(isToProject).length;
		limits.maxRecordsPerItem = Math.max(toProjects, 40 - toProjects);
		await context.failsWith(ALL, /^There are more user invitations than /);
		expect(await records({ ...ALL, type: 'PROJECT' })).toHaveLength(toProjects);
	});

	test('Older Than counts days by the server’s clock', async () => {
		const now = context.time.now;
		const made = (age: number) =>
			context.live.addInvitation({ created: new Date(now - age).toISOString() }).id;
		// The server tells its time in whole seconds.
		const [young, old] = [made(14 * DAY - 60_000), made(14 * DAY + (now % 1000))];
		// At any hour of n8n's clock.
		for (const n8nTime of [now, now - DAY / 2, now + DAY / 2]) {
			await atTime(n8nTime, async () => {
				const given = ids(await records({ ...ALL, filters: { olderThanDays: 14 } }));
				expect(given).toContain(old);
				expect(given).not.toContain(young);
				const limited = { ...LIST, type: 'PLATFORM', limit: 3, filters: { olderThanDays: 1 } };
				expect(await records(limited)).toHaveLength(3);
			});
		}
	});

	test('Simplify shows who was invited to what, and raw records are the service’s', async () => {
		const ofProject = { ...LIST, type: 'PROJECT', limit: 1 };
		const { email, role, ...simple } = await record(ofProject);
		const invitation = all().find(({ id }) => id === simple.id)!;
		const { id, status, type, projectId, created, updated } = invitation;
		expect(simple).toEqual({ id, status, type, projectId, created, updated });
		expect([email, role]).toEqual([invitation.email, invitation.projectRole?.name]);
		expect(await record({ ...ofProject, simplify: false })).toHaveProperty('platformId');
	});

	test('a personal project is reported to have none', async () => {
		const { id } = context.data.projects.find(({ type }) => type === 'PERSONAL')!;
		await context.failsWith({ ...ALL, type: 'PROJECT', projectId: byId(id) }, isPersonal(id));
	});
});

const NEW = 'new.person@example.test';
const invite = (more: INodeParameters = {}) =>
	parametersOf('userInvitation.create', { email: NEW, ...more });
const toProject = ({ data }: TestContext, projectRole: string, more: INodeParameters = {}) =>
	invite({ type: 'PROJECT', projectId: byId(data.projects[0].id), projectRole, ...more });
const CHANGE = { options: { changeExistingRole: true } };
const otherThan = (role: string) => (role === 'Viewer' ? 'Editor' : 'Viewer');
const TURN_ON = 'turn on the option Change Existing Role. Nothing was changed.';

describe('Create', () => {
	const context = useService({ data: { projects: 2, invitations: 0, members: 3 } });
	const { record, failsWith } = context;
	const invitations = () => context.data.invitations.filter(({ email }) => email === NEW);
	const person = (at: number) =>
		context.data.users.find(({ email }) => email === `person${at}@example.test`)!;
	const roleOf = (userId: string) => {
		const { members, roles } = context.data;
		const member = members.find((each) => each.userId === userId)!;
		return roles.find(({ id }) => id === member.projectRoleId)?.name;
	};
	/** A member of the first project, with the role there and another one. */
	const member = () => {
		const { email, id } = person(2);
		const role = roleOf(id)!;
		return { email, id, role, other: otherThan(role) };
	};
	beforeEach(() => void (context.data.invitations = []));

	test('invites to the platform and to a project, and a second time changes nothing', async () => {
		const [{ id: projectId }] = context.data.projects;
		for (const [parameters, body, wanted] of [
			[
				invite({ email: ` ${NEW} `, platformRole: 'operator' }),
				{ type: 'PLATFORM', email: NEW, platformRole: 'OPERATOR' },
				{ type: 'PLATFORM', role: 'OPERATOR', projectId: null },
			],
			[
				toProject(context, 'editor'),
				{ type: 'PROJECT', email: NEW, projectId, projectRole: 'Editor' },
				{ type: 'PROJECT', role: 'Editor', projectId },
			],
		] as const) {
			context.clearRequests();
			const made = await record(parameters);
			expect(made).toMatchObject({ ...wanted, email: NEW, status: 'ACCEPTED' });
			expect(await record(parameters)).toEqual(made);
			expect(changesSent(context)).toEqual([['POST /v1/user-invitations', body]]);
		}
		expect(invitations()).toHaveLength(2);
	});

	test('several items for one person make one invitation', async () => {
		const emails = [NEW, NEW.toUpperCase(), 'third@example.test', NEW];
		const items = emails.map((email) => ({ email }));
		const given = await context.records(invite({ email: '={{ $json.email }}' }), items);
		expect(new Set(ids(given)).size).toBe(2);
		expect(changesSent(context)).toHaveLength(2);
		expect(context.data.invitations).toHaveLength(2);
	});

	test('a user keeps the role on the platform, unless the option is on', async () => {
		const { email, id } = person(0);
		const parameters = invite({ email: email.toUpperCase(), platformRole: 'OPERATOR' });
		const message = `The user "${email}" (${id}) is already on the platform with the role "MEMBER"`;
		await failsWith(parameters, message, ['To change the role to "OPERATOR", ', TURN_ON]);
		expect(changesSent(context)).toEqual([]);
		await record(invite({ email, platformRole: 'MEMBER' }));
		expect(person(0).platformRole).toBe('MEMBER');
		const changed = await record({ ...parameters, ...CHANGE });
		expect(changed).toMatchObject({ email, role: 'OPERATOR', status: 'ACCEPTED' });
		expect(person(0).platformRole).toBe('OPERATOR');
	});

	test('a user whose address is stored in other letters is the same person', async () => {
		const user = person(2);
		const { email, id } = user;
		Object.assign(user, { email: 'Person2@Example.test' });
		const message = `The user "Person2@Example.test" (${id}) is already on the platform with the role "MEMBER"`;
		const parameters = invite({ email, platformRole: 'OPERATOR' });
		await failsWith(parameters, message, TURN_ON).finally(() => Object.assign(user, { email }));
		expect(changesSent(context)).toEqual([]);
	});

	test('a role that an item gave is the existing one for the next items', async () => {
		const { email } = person(1);
		const items = ['ADMIN', 'MEMBER'].map((platformRole, at) => ({ platformRole, may: at === 0 }));
		const options = { changeExistingRole: '={{ $json.may }}' };
		const parameters = invite({ email, platformRole: '={{ $json.platformRole }}', options });
		const isAdmin = /is already on the platform with the role "ADMIN"$/;
		const ofItem = 'turn on the option Change Existing Role. Nothing was changed for this item.';
		await failsWith(parameters, isAdmin, ofItem, items);
		expect(person(1).platformRole).toBe('ADMIN');
		const both = toProject(context, '={{ $json.role }}', { email: 'twice@example.test' });
		const roles = ['Viewer', 'Editor'].map((role) => ({ role }));
		const message = '"twice@example.test" was already invited with the role "Viewer"';
		for (let time = 0; time < 2; time++) await failsWith(both, message, ofItem, roles);
	});

	test('a member keeps the role in the project, unless the option is on', async () => {
		const { email, id, role: before, other } = member();
		const message = `The user "${email}" (${id}) is already in the project with the role "${before}"`;
		await failsWith(toProject(context, other, { email }), message, TURN_ON);
		expect(changesSent(context)).toEqual([]);
		await record(toProject(context, before, { email }));
		expect(roleOf(id)).toBe(before);
		await record(toProject(context, other, { email, ...CHANGE }));
		expect(roleOf(id)).toBe(other);
		const [, { id: projectId }] = context.data.projects;
		const joined = toProject(context, before, { email, projectId: byId(projectId) });
		expect(await record(joined)).toMatchObject({ email, projectId, role: before });
	});

	test('who has the role already is invited to nothing: the service would send another email', async () => {
		const { email, id, role: projectRole } = member();
		const { platformRole } = person(2);
		const { projectId, created, updated } = context.data.members.find(
			({ userId }) => userId === id,
		)!;
		const fields = Object.keys(await record(invite()));
		context.clearRequests();
		for (const more of [{ email: email.toUpperCase() }, { email, ...CHANGE }]) {
			const onPlatform = await record(invite({ ...more, platformRole }));
			expect(Object.keys(onPlatform)).toEqual(fields);
			const common = { email, status: 'ACCEPTED', id: null };
			const ofUser = { ...common, type: 'PLATFORM', role: platformRole, projectId: null };
			expect(onPlatform).toMatchObject({ ...ofUser, created: person(2).created });
			const inProject = await record(toProject(context, projectRole.toLowerCase(), more));
			const ofMember = { ...common, type: 'PROJECT', role: projectRole, projectId };
			expect(inProject).toEqual({ ...ofMember, created, updated });
		}
		expect(changesSent(context)).toEqual([]);
	});

	test('a role that an item changed in a project is the existing one for the next items', async () => {
		const { email, id, role: before, other } = member();
		const items = [before, other, other, before].map((role) => ({ role }));
		const change = toProject(context, '={{ $json.role }}', { email, ...CHANGE });
		const given = await context.records(change, items);
		expect(given.map(({ role }) => role)).toEqual([before, other, other, before]);
		expect(context.posts()).toHaveLength(2);
		expect(roleOf(id)).toBe(before);
	});

	test('a hint says that a user is inactive, and that an invitation of the app still waits', async () => {
		const { email, id } = Object.assign(person(2), { status: 'INACTIVE' });
		const [, { id: second }] = context.data.projects;
		for (const more of [{ email }, { email, projectId: byId(second), ...CHANGE }]) {
			const { hints } = await context.run(toProject(context, roleOf(id)!, more));
			expect(hints).toEqual([
				`The user "${email}" (${id}) is inactive and cannot sign in. To let the person in, set Status to Active with User > Update`,
			]);
		}
		Object.assign(person(2), { status: 'ACTIVE' });
		const made = await record(invite());
		Object.assign(invitations()[0], { status: 'PENDING' });
		const { items, hints } = await context.run(invite());
		expect(items[0].json).toEqual({ ...made, status: 'PENDING' });
		const waits = `"${NEW}" was invited before, and has not opened the link of that invitation.`;
		expect(hints).toEqual([expect.stringContaining(waits)]);
	});

	const IN_DOUBT = [{ status: 502 }, { status: 404, code: 'ENTITY_NOT_FOUND' }];
	test.each(IN_DOUBT)('a user who has the role after all was given it: %j', async (kind) => {
		const { email, id, other } = member();
		const platformRole = person(2).platformRole === 'ADMIN' ? 'OPERATOR' : 'ADMIN';
		for (const parameters of [
			toProject(context, other, { email, ...CHANGE }),
			invite({ email, platformRole, ...CHANGE }),
		]) {
			context.fault({ method: 'POST', times: 1, done: true, kind });
			const role = parameters.type === 'PROJECT' ? other : platformRole;
			expect(await record(parameters)).toMatchObject({ email, role, status: 'ACCEPTED' });
			context.clearFaults();
		}
		expect([roleOf(id), person(2).platformRole]).toEqual([other, platformRole]);
		expect(context.data.invitations).toEqual([]);
	});

	test('after a lost response, an invitation with another role is not taken for the new one', async () => {
		await record(toProject(context, 'Viewer'));
		context.fault({ method: 'POST', kind: { status: 502 } });
		const message = /HTTP 502/;
		await failsWith(toProject(context, 'Editor', CHANGE), message, 'may have applied the change');
		expect(invitations().map(({ projectRole }) => projectRole?.name)).toEqual(['Viewer']);
	});

	test('who has the role already gives null for a field that only an invitation has', async () => {
		const { email, platformRole } = person(2);
		const fields = { output: 'selectedFields', fields: 'email, link' };
		const chosen = invite({ email, platformRole, ...fields });
		const given = await context.records(chosen, { asTool: true });
		expect(given).toEqual([{ id: null, email, link: null }]);
	});

	test('the owner of the platform is never invited, whatever the option', async () => {
		const { email, id } = context.data.admin;
		const message = `The user "${email}" (${id}) owns the platform`;
		for (const more of [{}, CHANGE]) {
			for (const parameters of [
				invite({ email, platformRole: 'MEMBER', ...more }),
				invite({ email, platformRole: 'ADMIN', ...more }),
				toProject(context, 'Viewer', { email, ...more }),
			]) {
				await failsWith(
					parameters,
					message,
					/Choose another user in Email\. Nothing was changed\.$/,
				);
			}
		}
		expect(changesSent(context)).toEqual([]);
	});

	test('an invitation with another role is replaced only in a project, with the option', async () => {
		await record(invite({ platformRole: 'ADMIN' }));
		await record(toProject(context, 'Viewer'));
		context.clearRequests();
		const invited = (role: string) => `"${NEW}" was already invited with the role "${role}"`;
		const first = 'Delete that invitation first.';
		await failsWith(invite(), invited('ADMIN'), first);
		await failsWith(invite(CHANGE), invited('ADMIN'), [first, 'Nothing was changed.']);
		await failsWith(toProject(context, 'Editor'), invited('Viewer'), TURN_ON);
		expect(changesSent(context)).toEqual([]);
		await context.records(toProject(context, 'Editor', CHANGE), [{}, {}]);
		expect(context.posts()).toHaveLength(1);
		const roles = invitations().map(({ projectRole }) => projectRole?.name);
		expect(roles).toEqual([undefined, 'Editor']);
	});

	const NO_ADDRESS = /^Email must be one email address, such as name@example\.com, not /;
	test.each<[INodeParameters, message: string | RegExp]>([
		[{ email: '={{ null }}' }, 'Email is empty'],
		[{ email: ' ' }, 'Email is empty'],
		[{ email: 'not an address' }, NO_ADDRESS],
		[{ email: 'Ada <ada@example.test>' }, NO_ADDRESS],
		[{ email: 'a@example.test, b@example.test' }, NO_ADDRESS],
		[{ email: 'ada@localhost' }, NO_ADDRESS],
		[{ email: 'ada@example..test' }, NO_ADDRESS],
		[{ email: '={{ "a@".repeat(40000) }}!' }, NO_ADDRESS],
		[{ email: '={{ "a@" + "a.".repeat(40000) }}' }, NO_ADDRESS],
		[{ type: 'PROJECT', projectRole: '={{ "" }}' }, 'Project Role is empty'],
	])('%j is refused before anything is sent', async (more, message) => {
		await context.refuses(invite(more), message, 'Nothing was sent');
	});

	test('a personal project and an unknown role are named', async () => {
		const { id } = context.data.projects.find(({ type }) => type === 'PERSONAL')!;
		const personal = toProject(context, 'Viewer', { projectId: byId(id) });
		await failsWith(personal, isPersonal(id));
		await failsWith(toProject(context, 'Boss'), 'There is no project role "Boss"');
		const several = invite({ type: 'PROJECT', projectRole: 'Viewer' });
		await failsWith(several, /^Project is empty, and there are \d projects$/);
		expect(changesSent(context)).toEqual([]);
	});
});

describe('Create with Sign-In', () => {
	const context = useSignIn({ edition: 'community', data: { invitations: 0 } });

	test('a user with the role gets no link', async () => {
		const { email, platformRole } = context.accounts[1].user;
		const { items, hints } = await context.run(invite({ email, platformRole }));
		expect(items[0].json).toMatchObject({ email, role: platformRole, status: 'ACCEPTED' });
		expect(hints).toEqual([]);
		expect(context.data.invitations).toEqual([]);
	});

	test('the invitation is pending, and the link is only in the raw record', async () => {
		const made = await context.record(invite());
		expect(made).toMatchObject({ email: NEW, status: 'PENDING', role: 'MEMBER' });
		expect(JSON.stringify(made)).not.toContain('token');
		const other = await context.run(invite({ email: 'b@example.test', simplify: false }));
		expect(other.items[0].json.link).toContain('/invitation?token=');
		expect(other.hints).toEqual([]);
		const again = await context.run(invite());
		expect(again.items.map(({ json }) => json)).toEqual([made]);
		const says = /^The output has no link for ".+", .+ For a new link, delete the invitation and/;
		expect(again.hints).toEqual([expect.stringMatching(says)]);
		expect(context.data.invitations).toHaveLength(2);
	});

	test('a user who is no admin, a project and its members are refused in words', async () => {
		const credential = signInCredential(context, 1);
		const refused = /^The signed-in user is not allowed to access the users$/;
		await context.failsWith(invite(), refused, [], { credential });
		for (const parameters of [toProject(context, 'Viewer'), MEMBERS]) {
			const none = 'This Activepieces server has no project roles';
			await context.failsWith(parameters, none, 'The Community edition');
		}
	});
});

// On 0.79 a session of somebody who is no admin of the platform may not list its users (recorded).
describe.each(['0.79', '0.86'] as const)('Create as an admin of a project, on %s', (release) => {
	const context = useService({ release, data: { projects: 2, invitations: 0, members: 3 } });
	const { failsWith } = context;
	beforeEach(() => {
		const [{ id }] = context.data.projects;
		const { user } = context.accounts[1];
		if (!context.data.members.some(({ userId }) => userId === user.id)) {
			context.live.addMember(user.id, id, 'Admin');
		}
		context.data.invitations = [];
		Object.assign(context, { credential: signInCredential(context, 1) });
	});

	test('invites somebody new, and a user of the platform', async () => {
		for (let time = 0; time < 2; time++) {
			const given = await context.record(toProject(context, 'Viewer'));
			expect(given).toMatchObject({ email: NEW, status: 'PENDING', role: 'Viewer' });
		}
		const sent = changesSent(context).map(([line]) => String(line));
		expect(sent.filter((line) => line.includes('invitations'))).toHaveLength(1);
	});

	test('keeps the role of a member, whose name the members have', async () => {
		const { members, users, roles } = context.data;
		const [member] = members;
		const { email } = users.find(({ id }) => id === member.userId)!;
		const role = roles.find(({ id }) => id === member.projectRoleId)!.name;
		const message = `The user "${email}" (${member.userId}) is already in the project with the role "${role}"`;
		await failsWith(toProject(context, otherThan(role), { email }), message, TURN_ON);
		const same = await context.record(toProject(context, role, { email }));
		expect(same).toMatchObject({ email, role, status: 'ACCEPTED' });
	});

	test('still says who may not invite to the platform', async () => {
		await failsWith(invite(), 'The signed-in user is not allowed to access the users');
	});
});

describe('a plan without project roles', () => {
	const context = useService({ data: { invitations: 12 }, plan: { projectRolesEnabled: false } });

	test('lists all invitations, invites to the platform, and is named for what is of one project', async () => {
		expect(await context.records(ALL)).toHaveLength(12);
		expect(await context.record(invite())).toMatchObject({ email: NEW });
		const ofOne = { ...ALL, type: 'PROJECT', projectId: byId(context.data.projects[0].id) };
		for (const parameters of [ofOne, toProject(context, 'Viewer'), MEMBERS]) {
			await context.failsWith(parameters, 'The Activepieces plan does not include project roles');
		}
	});
});
