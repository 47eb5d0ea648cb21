import type { Plan, Release } from '../service';
import {
	ALL_FLOWS,
	CONNECTIONS,
	FOLDER,
	INVITATION,
	METRICS,
	TEMPLATE,
	TEMPLATES,
} from './harness/parameters';
import { FIRST_AND_LAST, byId, type TestContext, useService, sortedIds } from './harness/service';

const ALL_OFF: Plan = {
	apiKeysEnabled: false,
	auditLogEnabled: false,
	eventStreamingEnabled: false,
	globalConnectionsEnabled: false,
	manageTemplatesEnabled: false,
	projectRolesEnabled: false,
	ssoEnabled: false,
};

const invitationOf = ({ service }: TestContext, wanted: 'PLATFORM' | 'PROJECT') =>
	byId(service.data.invitations.find(({ type }) => type === wanted)?.id);

/** The result of a list of templates without them; later releases list none. */
const NO_TEMPLATES: Partial<Record<Release, string>> = {
	'0.73': 'This Activepieces server has no custom templates',
	'0.75': 'The Activepieces plan does not include custom templates',
};

describe.each(['0.73', '0.75', '0.79', '0.86'] as const)('on %s a plan without', (release) => {
	const context = useService({ release, data: 'recorded' });
	const { records, failure, search } = context;
	let plan: Plan;

	beforeAll(() => {
		plan = { ...context.service.plan };
	});
	const lose = (lost: Partial<Plan>) => Object.assign(context.service.plan, plan, lost);

	test('global connections is told so', async () => {
		lose({ globalConnectionsEnabled: false });
		const error = await failure(CONNECTIONS);
		expect(error.message).toBe('The Activepieces plan does not include global connections');
		expect(error.httpCode).toBe('402');
	});

	test('project roles lists all invitations, and deletes those to the platform only', async () => {
		lose({ projectRolesEnabled: false });
		const { results } = await search('searchInvitations');
		expect(results).toHaveLength(context.data.invitations.length);
		const ofProject = { ...INVITATION, invitationId: invitationOf(context, 'PROJECT') };
		expect((await failure(ofProject)).message).toMatch(
			release === '0.73' || release === '0.75'
				? /^In this Activepieces release,/
				: /^The Activepieces plan does not include project roles$/,
		);
		const ofPlatform = { ...INVITATION, invitationId: invitationOf(context, 'PLATFORM') };
		expect(await records(ofPlatform)).toEqual([{ deleted: true }]);
	});

	test('custom templates lists none, or is told why, and still deletes', async () => {
		lose({ manageTemplatesEnabled: false });
		const { items, error } = await context.run(TEMPLATES);
		expect(items).toEqual([]);
		expect(error?.message).toBe(NO_TEMPLATES[release]);
		const own = context.data.templates.find(({ type }) => type !== 'SHARED');
		expect(await records({ ...TEMPLATE, templateId: byId(own?.id) })).toEqual([{ deleted: true }]);
	});

	test('any of its features has flows, folders, projects, metrics and invitations', async () => {
		lose({ ...ALL_OFF, apiKeysEnabled: true });
		expect(await context.engine.testCredential(context.credential)).toMatchObject({ status: 'OK' });
		expect(await records(ALL_FLOWS)).toHaveLength(context.data.flows.length);
		const folder = { ...FOLDER, folderId: byId(context.data.folders[0].id) };
		expect(await records(folder)).toHaveLength(1);
		expect(await records(METRICS)).toHaveLength(1);
		for (const method of ['searchProjects', 'searchFolders', 'searchInvitations']) {
			expect((await search(method)).results).not.toEqual([]);
		}
	});
});

describe.each(FIRST_AND_LAST)('a project of %s that cannot be read', (release) => {
	const context = useService({ release });

	const ghost = { id: 'GhostGhostGhostGhost1', displayName: 'Ghost', type: 'TEAM' };

	/** Lists one more project than there is, this many times; the service itself responds for it. */
	function listGhost(times?: number) {
		context.fault({
			path: '/v1/projects',
			times,
			kind: {
				answers: () => ({
					data: [context.data.projects[0], ghost, ...context.data.projects.slice(1)],
					next: null,
					previous: null,
				}),
			},
		});
	}

	const lists = [
		['Return All', ALL_FLOWS],
		['a Limit', { ...ALL_FLOWS, returnAll: false, limit: 1000 }],
	] as const;

	test.each(lists)('is named, with what to do, with %s', async (_name, parameters) => {
		listGhost();
		expect((await context.failure(parameters)).description).toContain(
			`The error occurred in the project "Ghost" (${ghost.id}). To skip it, list the other projects one by one by setting Project.`,
		);
	});

	test.each<[string, number, number]>([
		['the plan, which is that of all projects', 2, 402],
		['the only project', 1, 403],
	])('has no advice to leave it out if it is about %s', async (_name, count, status) => {
		const { projects } = context.data;
		context.fault({ path: '/v1/flows', kind: { status } });
		const others = projects.splice(count);
		const { description } = await context.failure(ALL_FLOWS);
		projects.push(...others);
		expect(description).toContain('The error occurred in the project');
		expect(description).not.toContain('To leave it out');
	});

	test.each(lists)(
		'is skipped when it was deleted meanwhile, with %s',
		async (_name, parameters) => {
			listGhost(1);
			expect(sortedIds(await context.records(parameters))).toEqual(sortedIds(context.data.flows));
		},
	);

	test('is not named for what does not concern it', async () => {
		context.fault({ path: '/v1/flows', kind: { status: 500 } });
		const { description } = await context.failure(ALL_FLOWS);
		expect(description).not.toContain('The error occurred in the project');
	});
});
