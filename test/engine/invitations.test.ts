import { FIRST_AND_LAST } from '../service';
import { byId, ids, sortedIds } from './harness/byId';
import { atTime } from './harness/clock';
import { parametersOf } from './harness/parameters';
import { requestUrls, useService } from './harness/service';

const LIST = parametersOf('userInvitation.getAll');
const ALL = { ...LIST, returnAll: true };
const DAY = 86_400_000;

describe.each(FIRST_AND_LAST)('user invitations on release %s', (release) => {
	const context = useService({ release, data: { invitations: 40 } });

	const { record, records } = context;
	const all = () => context.data.invitations;
	const isAccepted = ({ status }: { status: string }) => status === 'ACCEPTED';

	test('those to the platform and to all projects come in two requests', async () => {
		expect(sortedIds(await records(ALL))).toEqual(sortedIds(all()));
		expect(requestUrls(context)).toEqual([
			'GET /v1/user-invitations?type=PLATFORM&limit=1000',
			'GET /v1/user-invitations?type=PROJECT&limit=1000',
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
		await context.failsWith(
			{ ...ALL, type: 'PROJECT', projectId: byId(id) },
			`Project "${id}" is a personal project, so you cannot invite users to it`,
		);
	});
});

describe('a plan without project roles', () => {
	const context = useService({ data: { invitations: 12 }, plan: { projectRolesEnabled: false } });

	test('lists the invitations to all projects, and names the plan for those of one project', async () => {
		expect(await context.records(ALL)).toHaveLength(12);
		const ofOne = { ...ALL, type: 'PROJECT', projectId: byId(context.data.projects[0].id) };
		await context.failsWith(ofOne, 'The Activepieces plan does not include project roles');
	});
});
