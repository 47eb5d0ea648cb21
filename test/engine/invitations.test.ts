import type { INodeParameters } from 'n8n-workflow';

import { atTime } from './harness/clock';
import { FIRST_AND_LAST, byId, ids, requestUrls, useService, sortedIds } from './harness/service';

const LIST: INodeParameters = { resource: 'userInvitation', operation: 'getAll' };
const ALL: INodeParameters = { ...LIST, returnAll: true };

const DAY = 86_400_000;

describe.each(FIRST_AND_LAST)('user invitations on release %s', (release) => {
	const context = useService({ release, data: { invitations: 40 } });

	const { records } = context;

	test('those to the platform and to all projects come in two requests', async () => {
		const { invitations } = context.data;
		expect(sortedIds(await records(ALL))).toEqual(sortedIds(invitations));
		expect(requestUrls(context)).toEqual([
			'GET /v1/user-invitations?type=PLATFORM&limit=1000',
			'GET /v1/user-invitations?type=PROJECT&limit=1000',
		]);
	});

	test.each(['PLATFORM', 'PROJECT'])('Type = %s returns only those', async (type) => {
		const { invitations } = context.data;
		const wanted = ids(invitations.filter((invitation) => invitation.type === type));
		expect(ids(await records({ ...ALL, type }))).toEqual(wanted);
	});

	test('those of one project', async () => {
		const { invitations, projects } = context.data;
		const { id } = projects[1];
		const wanted = ids(invitations.filter(({ projectId }) => projectId === id));
		expect(wanted.length).toBeGreaterThan(0);
		expect(ids(await records({ ...ALL, type: 'PROJECT', projectId: byId(id) }))).toEqual(wanted);
	});

	test('Limit is exact across both lists', async () => {
		expect(await records({ ...LIST, limit: 7 })).toHaveLength(7);
		expect(await records({ ...LIST, limit: 25 })).toHaveLength(25);
		expect(await records({ ...LIST, limit: 100 })).toHaveLength(40);
	});

	test('Status is the service’s', async () => {
		const { invitations } = context.data;
		const wanted = ids(invitations.filter(({ status }) => status === 'ACCEPTED'));
		const given = ids(await records({ ...ALL, filters: { invitationStatus: 'ACCEPTED' } }));
		expect(given.sort()).toEqual(wanted.sort());
	});

	test('Older Than counts days by the server’s clock', async () => {
		const now = context.time.now;
		const made = (age: number) =>
			context.live.addInvitation({ created: new Date(now - age).toISOString() }).id;
		const [young, old] = [made(14 * DAY - 60_000), made(14 * DAY + 60_000)];
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

	test.each([0, -1, 1.5, 'soon'])('%p days are refused, and nothing is sent', async (days) => {
		const error = await context.failure({ ...ALL, filters: { olderThanDays: days } });
		expect(error.message).toMatch(/^Older Than \(Days\) must be a whole number/);
		expect(context.requests).toEqual([]);
	});

	test('Simplify shows who was invited to what, and raw records are the service’s', async () => {
		const [simple] = await records({ ...LIST, type: 'PROJECT', limit: 1 });
		const invitation = context.data.invitations.find(({ id }) => id === simple.id)!;
		expect(simple).toEqual({
			id: invitation.id,
			email: invitation.email,
			status: invitation.status,
			type: 'PROJECT',
			projectId: invitation.projectId,
			role: invitation.projectRole?.name,
			created: invitation.created,
			updated: invitation.updated,
		});
		const [raw] = await records({ ...LIST, type: 'PROJECT', limit: 1, simplify: false });
		expect(raw).toHaveProperty('platformId');
	});

	test('a personal project is reported to have none', async () => {
		const { id } = context.data.projects.find(({ type }) => type === 'PERSONAL')!;
		expect((await context.failure({ ...ALL, type: 'PROJECT', projectId: byId(id) })).message).toBe(
			`Project "${id}" is a personal project, so you cannot invite users to it`,
		);
	});
});

describe('a plan without project roles', () => {
	const context = useService({ data: { invitations: 12 }, plan: { projectRolesEnabled: false } });

	test('lists the invitations to all projects, and names the plan for those of one project', async () => {
		expect(await context.records(ALL)).toHaveLength(12);
		const error = await context.failure({
			...ALL,
			type: 'PROJECT',
			projectId: byId(context.data.projects[0].id),
		});
		expect(error.message).toBe('The Activepieces plan does not include project roles');
	});
});
