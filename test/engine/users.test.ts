import type { INodeParameters } from 'n8n-workflow';

import { ids } from './harness/byId';
import { ofRecord, parametersOf } from './harness/parameters';
import { changesSent, requestPaths, requestUrls, useService } from './harness/service';

const ALL = parametersOf('user.getAll', { returnAll: true });
const update = (id: unknown, updateFields: INodeParameters) =>
	ofRecord('user.update', id, { updateFields });

describe.each(['0.79', '0.85'] as const)('users on release %s', (release) => {
	const context = useService({ release, data: { projects: 1, members: 4 } });
	const { record, records, failsWith } = context;
	const person = () => context.data.users[2];

	test('Get Many lists the newest first, and filters', async () => {
		const { users } = context.data;
		const newest = [...users].sort((a, b) => (a.created < b.created ? 1 : -1));
		expect(ids(await records(ALL))).toEqual(ids(newest));
		const [owner, , , inactive] = users;
		Object.assign(inactive, { status: 'INACTIVE', externalId: 'crm-7' });
		for (const [filters, wanted] of [
			[{ email: 'PERSON1' }, 'person1@example.test'],
			[{ platformRole: 'admin' }, owner.email],
			[{ userStatus: 'INACTIVE' }, inactive.email],
			[{ externalId: 'crm-7', userStatus: 'INACTIVE' }, inactive.email],
		] as const) {
			const found = await records({ ...ALL, returnAll: false, limit: 1, filters });
			expect(found.map(({ email }) => email)).toEqual([wanted]);
		}
		expect(requestUrls(context).at(-1)).toBe('GET /v1/users?externalId=crm-7&limit=10000');
	});

	test('Get finds a user by ID and by email in any letter case, with the same fields', async () => {
		const { id, email } = person();
		const [listed] = await records({ ...ALL, filters: { email } });
		context.clearRequests();
		for (const given of [id, email.toUpperCase(), ` ${email} `]) {
			expect(await record(ofRecord('user.get', given))).toEqual(listed);
		}
		for (const unknown of ['N'.repeat(21), 'nobody@example.test']) {
			const message = `User "${unknown}" was not found`;
			await failsWith(ofRecord('user.get', unknown), message, /^Check User\. The/);
		}
	});

	test('Update changes what is given, by ID and by email', async () => {
		const { id, email } = person();
		const changed = await record(update(email, { status: 'inactive' }));
		expect(changed).toMatchObject({ id, email, status: 'INACTIVE' });
		const given = { status: 'ACTIVE', platformRole: 'OPERATOR', externalId: 'crm-1' };
		expect(await record(update(id, given))).toMatchObject({ id, ...given });
		expect(changesSent(context)).toEqual([
			[`POST /v1/users/${id}`, { status: 'INACTIVE' }],
			[`POST /v1/users/${id}`, given],
		]);
	});

	test('the owner of the platform, an admin and a taken external ID are refused in words', async () => {
		const [owner, other] = context.data.users;
		const { id, email } = person();
		other.externalId = 'crm-2';
		for (const given of [owner.id, owner.email]) {
			const owns = `The user "${owner.email}" (${owner.id}) owns the platform`;
			await failsWith(update(given, { platformRole: 'MEMBER' }), owns, 'Nothing was changed.');
		}
		const taken = `The user "${other.email}" (${other.id}) already has this external ID`;
		await failsWith(update(id, { externalId: 'crm-2' }), taken, 'Nothing was changed.');
		Object.assign(person(), { platformRole: 'ADMIN' });
		const isAdmin = `The user "${email}" (${id}) is an admin of the platform, which cannot be inactive`;
		await failsWith(update(id, { status: 'INACTIVE' }), isAdmin, 'Nothing was changed.');
		// Nor with the same request
		Object.assign(person(), { platformRole: 'MEMBER', status: 'ACTIVE' });
		const both = update(id, { status: 'INACTIVE', platformRole: 'admin' });
		const would = `The user "${email}" (${id}) would be an admin of the platform, which cannot be inactive`;
		await failsWith(both, would, ['remove Status', 'Nothing was changed.']);
		expect(changesSent(context)).toEqual([]);
	});

	test('an item sees what an earlier one changed of a user that both name by email', async () => {
		Object.assign(person(), { platformRole: 'ADMIN', status: 'ACTIVE' });
		const { id, email } = person();
		const items = ['ACTIVE', 'INACTIVE'].map((status) => ({ status }));
		const parameters = update(email, { platformRole: 'MEMBER', status: '={{ $json.status }}' });
		const given = await records(parameters, items);
		expect(given.at(-1)).toMatchObject({ id, platformRole: 'MEMBER', status: 'INACTIVE' });
	});

	test('a free external ID is taken by nobody, even if a proxy removes the filter of the list', async () => {
		const { id } = person();
		const externalId = 'crm-3';
		const body = { data: context.data.users, next: null, previous: null };
		context.fault({ method: 'GET', path: '/v1/users', kind: { body } });
		expect(await record(update(id, { externalId }))).toMatchObject({ id, externalId });
	});

	test('nobody is changed if the server does not say who owns the platform', async () => {
		const change = update(person().id, { platformRole: 'MEMBER' });
		const body = { id: context.data.admin.platformId };
		context.fault({ path: /platforms/, kind: { body } });
		const message = 'Activepieces did not say who owns the platform';
		const advice = ['Check whether a proxy removes ownerId', 'Nothing was changed.'];
		await failsWith(change, message, advice);
		context.clearFaults();
		context.fault({ path: /platforms/, kind: { status: 403, code: 'AUTHORIZATION' } });
		await failsWith(change, /is not allowed to access the platform/);
		expect(changesSent(context)).toEqual([]);
	});

	test.each<[INodeParameters, message: RegExp]>([
		[{}, /^Update Fields is empty/],
		[{ platformRole: '={{ null }}' }, /^Platform Role must be one of/],
		[{ externalId: ' ' }, /^External ID is empty/],
	])('%j is refused before anything is sent', async (fields, message) => {
		await context.refuses(update(person().id, fields), message, 'Nothing was sent');
	});
});

describe('50 items', () => {
	const context = useService({ release: '0.79', data: { projects: 1, members: 50 } });

	test('read the users once where the server returns no single one, and the platform once', async () => {
		const people = context.data.users.slice(2);
		const items = people.map(({ id }) => ({ id }));
		const given = await context.records(update('={{ $json.id }}', { status: 'INACTIVE' }), items);
		expect(ids(given)).toEqual(ids(people));
		const paths = requestPaths(context);
		for (const path of ['/v1/users', `/v1/platforms/${context.data.admin.platformId}`]) {
			expect(paths.filter((each) => each === `GET ${path}`)).toHaveLength(1);
		}
	});
});
