import type { IDataObject } from 'n8n-workflow';

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
import { byId, requestUrls, type TestContext, useService } from './harness/service';

const ALL_RELEASES = ['0.73', '0.75', '0.79', '0.85', '0.86'] as const;

const ALL_OFF: Plan = {
	apiKeysEnabled: false,
	auditLogEnabled: false,
	eventStreamingEnabled: false,
	globalConnectionsEnabled: false,
	manageTemplatesEnabled: false,
	projectRolesEnabled: false,
	ssoEnabled: false,
};

const usePlan = (release: Release, plan: Partial<Plan>) =>
	useService({ release, data: 'recorded', plan });

const invitationOf = ({ service }: TestContext, wanted: 'PLATFORM' | 'PROJECT') =>
	byId(service.data.invitations.find(({ type }) => type === wanted)?.id);

describe.each(ALL_RELEASES)('on release %s a plan without', (release) => {
	describe('global connections', () => {
		const context = usePlan(release, { globalConnectionsEnabled: false });

		test('is told so', async () => {
			const { engine, credential } = context;
			const error = await engine.failure({ credential, parameters: CONNECTIONS });
			expect(error.message).toBe('The Activepieces plan does not include global connections');
			expect(error.httpCode).toBe('402');
		});
	});

	describe('project roles', () => {
		const context = usePlan(release, { projectRolesEnabled: false });

		test('lists all invitations', async () => {
			const { engine, credential, service } = context;
			const { results } = await engine.search('searchInvitations', { credential });
			expect(results).toHaveLength(service.data.invitations.length);
		});

		test('deletes invitations to the platform, and is told why not those to a project', async () => {
			const { engine, credential } = context;
			const ofProject = { ...INVITATION, invitationId: invitationOf(context, 'PROJECT') };
			const { message } = await engine.failure({ credential, parameters: ofProject });
			expect(message).toMatch(
				release === '0.73' || release === '0.75'
					? /^This Activepieces release does not let API keys delete/
					: /^The Activepieces plan does not include project roles$/,
			);
			const ofPlatform = { ...INVITATION, invitationId: invitationOf(context, 'PLATFORM') };
			expect(await engine.records({ credential, parameters: ofPlatform })).toEqual([
				{ deleted: true },
			]);
		});
	});

	describe('custom templates', () => {
		const context = usePlan(release, { manageTemplatesEnabled: false });

		test('lists none, or is told why', async () => {
			const { engine, credential } = context;
			const { items, error } = await engine.run({ credential, parameters: TEMPLATES });
			expect(items).toEqual([]);
			expect(error?.message).toBe(
				{
					'0.73': 'This Activepieces server has no custom templates',
					'0.75': 'The Activepieces plan does not include custom templates',
					'0.79': undefined,
					'0.85': undefined,
					'0.86': undefined,
				}[release],
			);
		});

		test('still deletes', async () => {
			const { engine, credential, service } = context;
			const own = service.data.templates.find(({ type }) => type !== 'SHARED');
			const parameters = { ...TEMPLATE, templateId: byId(own?.id) };
			expect(await engine.records({ credential, parameters })).toEqual([{ deleted: true }]);
		});
	});

	describe('any of its features', () => {
		const context = usePlan(release, { ...ALL_OFF, apiKeysEnabled: true });

		test('flows, folders, projects, metrics and invitations work', async () => {
			const { engine, credential, service } = context;
			const run = async (parameters: IDataObject) =>
				await engine.records({ credential, parameters: parameters as typeof METRICS });
			expect(await engine.testCredential(credential)).toMatchObject({ status: 'OK' });
			expect(await run(ALL_FLOWS)).toHaveLength(service.data.flows.length);
			expect(await run({ ...FOLDER, folderId: byId(service.data.folders[0].id) })).toHaveLength(1);
			expect(await run(METRICS)).toHaveLength(1);
			for (const method of ['searchProjects', 'searchFolders', 'searchInvitations']) {
				const { results } = await engine.search(method, { credential });
				expect(results).not.toEqual([]);
			}
		});
	});
});

describe.each(ALL_RELEASES)('the invitations of release %s', (release) => {
	const context = useService({ release, data: { projects: 30, invitations: 40 } });

	test('to all projects come with one request, and personal projects are not asked', async () => {
		const { service } = context;
		const { results } = await context.search('searchInvitations');
		expect(results).toHaveLength(service.data.invitations.length);
		const asked = requestUrls(context).filter((url) => url.includes('user-invitations'));
		expect(asked).toHaveLength(2);
		expect(asked.join()).not.toContain('projectId');
		const [{ id, projectId }] = service.data.invitations.filter(({ type }) => type === 'PROJECT');
		const project = service.data.projects.find((each) => each.id === projectId);
		const entry = results.find(({ value }) => value === id);
		expect(entry?.name).toContain(`project ${project?.displayName}`);
	});
});

describe.each(ALL_RELEASES)('a project of release %s that cannot be read', (release) => {
	const context = useService({ release });

	const ghost = { id: 'GhostGhostGhostGhost1', displayName: 'Ghost', type: 'TEAM' };

	/** Lists one project more than there is, so often; the service itself answers for it. */
	function listGhost(times?: number) {
		const { service } = context;
		service.fault({
			path: '/v1/projects',
			times,
			kind: {
				answers: () => ({
					data: [service.data.projects[0], ghost, ...service.data.projects.slice(1)],
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
		const error = await context.failure(parameters);
		expect(error.description).toContain(
			`This came from the project "Ghost" (${ghost.id}). To leave it out, list the other projects one by one with Project.`,
		);
	});

	test.each<[string, number, number]>([
		['the plan, which is that of all projects', 2, 402],
		['the only project', 1, 403],
	])('comes without advice to leave it out if it is about %s', async (_name, count, status) => {
		const { engine, credential, service } = context;
		const { projects } = service.data;
		const { length } = projects;
		service.fault({ path: '/v1/flows', kind: { status } });
		const others = projects.splice(count, length);
		const { description } = await engine.failure({ credential, parameters: ALL_FLOWS });
		projects.push(...others);
		expect(description).toContain('This came from the project');
		expect(description).not.toContain('To leave it out');
	});

	test.each(lists)(
		'is skipped when it was deleted meanwhile, with %s',
		async (_name, parameters) => {
			const { service } = context;
			listGhost(1);
			const flows = await context.records(parameters);
			expect(flows.map(({ id }) => id).sort()).toEqual(
				service.data.flows.map(({ id }) => id).sort(),
			);
		},
	);

	test('does not hide the folders of the others', async () => {
		const { service } = context;
		listGhost();
		const { results } = await context.search('searchFolders');
		expect(results).toHaveLength(service.data.folders.length);
	});

	test.each([402, 403, 404, 409])('does not hide them with status %s', async (status) => {
		const { service } = context;
		service.fault({ path: '/v1/folders', after: 1, times: 1, kind: { status, code: 'ANY' } });
		const { results } = await context.search('searchFolders');
		expect(service.requests.map((request) => request.status)).toContain(status);
		// A project has four folders, a personal one none.
		expect(results.length).toBeGreaterThanOrEqual(service.data.folders.length - 4);
	});

	test('says why when none of them can be read', async () => {
		const { service } = context;
		service.fault({ path: '/v1/folders', kind: { status: 402, code: 'FEATURE_DISABLED' } });
		await expect(context.search('searchFolders')).rejects.toThrow(
			'The Activepieces plan does not include folders',
		);
	});
});

describe('what is not about one project', () => {
	const context = useService();

	test('is not said to come from it', async () => {
		const { service } = context;
		service.fault({ path: '/v1/flows', kind: { status: 500 } });
		const { description } = await context.failure(ALL_FLOWS);
		expect(description).not.toContain('This came from the project');
	});
});
