import type { INodeParameters } from 'n8n-workflow';

import { FIRST_AND_LAST, requestPaths, useService, sortedIds } from './harness/service';

const LIST: INodeParameters = { resource: 'project', operation: 'getAll' };
const ALL: INodeParameters = { ...LIST, returnAll: true };

describe.each(FIRST_AND_LAST)('projects on release %s', (release) => {
	const context = useService({ release, data: { projects: 7 } });

	const { records } = context;

	test('all come, team projects and personal ones', async () => {
		const { projects } = context.data;
		expect(sortedIds(await records(ALL))).toEqual(sortedIds(projects));
		expect(await records({ ...LIST, limit: 3 })).toHaveLength(3);
	});

	test.each(['TEAM', 'PERSONAL'])('Type = %s returns only those', async (type) => {
		const wanted = context.data.projects.filter((project) => project.type === type);
		expect(sortedIds(await records({ ...ALL, filters: { type } }))).toEqual(sortedIds(wanted));
	});

	test.each([
		['market', ['Marketing']],
		['Project\\ 00_', ['Project 006', 'Project 007']],
	])('the name filter %j finds %j', async (displayName, wanted) => {
		const given = await records({ ...ALL, filters: { displayName, type: 'TEAM' } });
		expect(given.map(({ name }) => name)).toEqual(wanted);
	});

	test('Simplify picks the fields, and raw records are the service’s', async () => {
		const { projects } = context.data;
		const [project] = await records({ ...LIST, filters: { displayName: 'Operations' } });
		const { id, displayName, type, ownerId, created, updated } = projects[0];
		expect(project).toEqual({
			id,
			name: displayName,
			type,
			externalId: 'customer-1',
			ownerId,
			created,
			updated,
			url: `${context.baseUrl.replace(/\/api$/, '')}/projects/${id}`,
		});
		const [raw] = await records({ ...LIST, limit: 1, simplify: false });
		expect(raw).toHaveProperty('plan.piecesFilterType');
	});

	test('an external ID that a project does not have is null', async () => {
		const [{ externalId }] = await records({ ...LIST, filters: { displayName: 'Marketing' } });
		expect(externalId).toBeNull();
	});
});

describe.each(FIRST_AND_LAST)('projects of Community %s', (release) => {
	const context = useService({ release, edition: 'community' });
	const credentialOf = () => ({
		baseUrl: context.baseUrl,
		apiKey: context.service.userToken,
	});

	test('come from the path that the release has', async () => {
		expect((await context.records(ALL, { credential: credentialOf() })).length).toBeGreaterThan(0);
		expect(requestPaths(context).at(-1)).toBe(
			release === '0.73' ? 'GET /v1/users/projects' : 'GET /v1/projects',
		);
	});

	test('a filter works although the service ignores it', async () => {
		const credential = credentialOf();
		const parameters = { ...ALL, filters: { displayName: 'no such project' } };
		expect(await context.records(parameters, { credential })).toEqual([]);
		const all = await context.records(ALL, { credential });
		for (const type of ['TEAM', 'PERSONAL']) {
			const ofType = await context.records({ ...ALL, filters: { type } }, { credential });
			expect(ofType).toEqual(all.filter((project) => project.type === type));
		}
		const escape = { ...ALL, filters: { displayName: 'ends in \\' } };
		expect(await context.records(escape, { credential })).toEqual([]);
	});
});

describe('the session of a user without the admin role, on 0.73', () => {
	const context = useService({ release: '0.73' });

	test('is for the user’s own project, which another list contains', async () => {
		const credential = { baseUrl: context.baseUrl, apiKey: context.service.tokens.member };
		const own = context.data.projects.find(({ ownerId, type }) => {
			return type === 'PERSONAL' && ownerId === context.data.users[1].id;
		});
		const parameters = { resource: 'project', operation: 'getAll', returnAll: true };
		const records = await context.records(parameters, { credential });
		expect(records.map(({ id }) => id)).toEqual([own?.id]);
		expect(await context.engine.testCredential(credential)).toMatchObject({ status: 'OK' });
		// The next one is an admin's, who must get all of them from their own path.
		const all = await context.records(parameters);
		expect(all).toHaveLength(context.data.projects.length);
	});
});

describe('requests for projects', () => {
	const context = useService({ release: '0.73', data: { projects: 20 } });
	const limits = () =>
		context.requests
			.filter(({ path }) => path.endsWith('projects'))
			.map(({ query }) => query.limit);

	test('use large pages when a filter may leave some out', async () => {
		const parameters = { ...LIST, limit: 1, filters: { displayName: 'Marketing' } };
		expect(await context.records(parameters)).toHaveLength(1);
		expect(limits()).toEqual(['1000']);
	});

	test('ask for no more than are wanted without a filter', async () => {
		expect(await context.records({ ...LIST, limit: 1 })).toHaveLength(1);
		expect(limits()).toEqual(['1']);
	});

	test('use large pages for the own project of a session', async () => {
		const credential = { baseUrl: context.baseUrl, apiKey: context.service.userToken };
		const parameters = { resource: 'queue', operation: 'getMetrics' };
		context.fault({
			path: '/v1/queue-metrics',
			times: 1,
			kind: {
				status: 409,
				code: 'VALIDATION',
				params: { message: 'missing project id in request' },
			},
		});
		await context.records(parameters, { credential });
		expect(limits()).toEqual(['1000']);
	});
});
