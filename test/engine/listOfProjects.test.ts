import type { INodeParameters } from 'n8n-workflow';

import { queriesOf } from './harness/locators';
import { ALL_FLOWS } from './harness/parameters';
import { requestUrls, useService, sortedIds } from './harness/service';

describe('the list of projects for a list of records', () => {
	const context = useService({ data: { projects: 3, flows: 12, foldersPerProject: 1 } });

	/** Adds records before the projects that the service lists. */
	const withRecords = (records: unknown[]) => {
		context.fault({
			path: '/v1/projects',
			kind: { body: { data: [...records, ...context.data.projects], next: null } },
		});
	};

	const LISTS = [ALL_FLOWS, { ...ALL_FLOWS, returnAll: false, limit: 100 }];
	test.each(LISTS)('a record without a usable ID is never requested (%j)', async (parameters) => {
		const wanted = await context.records(parameters);
		const unusable = [undefined, null, 7.5, { toString: 1 }, '', ' '];
		withRecords(unusable.map((id) => ({ id, displayName: 'Unusable' })));
		context.clearRequests();
		expect(sortedIds(await context.records(parameters))).toEqual(sortedIds(wanted));
		const asked = queriesOf(context, '/v1/flows').map(({ projectId }) => projectId);
		expect(asked.sort()).toEqual(sortedIds(context.data.projects));
	});

	test('nor is the first one used as a project', async () => {
		withRecords([{ displayName: 'No ID' }]);
		context.fault({
			path: '/v1/queue-metrics',
			times: 1,
			kind: { status: 409, message: 'missing project id' },
		});
		await context.run({ resource: 'queue', operation: 'getMetrics' });
		expect(requestUrls(context).join()).not.toContain('undefined');
	});
});

describe('a list over all projects that fails for one of them', () => {
	const context = useService({
		data: { projects: 2, flows: 12, foldersPerProject: 1, flowRuns: 4 },
	});

	test.each<[string, object]>([
		['500', { status: 500 }],
		['502', { status: 502 }],
		['429', { status: 429 }],
		['402', { status: 402 }],
		['no JSON', { body: 'nonsense' }],
		['another form', { body: { ok: true } }],
		['a lost connection', { reset: 'beforeHeaders' }],
	])('names the project: %s', async (_what, kind) => {
		const answer = { ...kind } as { status: 500 };
		for (const parameters of [
			ALL_FLOWS,
			{ ...ALL_FLOWS, returnAll: false, limit: 100 },
			{ resource: 'folder', operation: 'getAll', returnAll: true },
			{ resource: 'flowRun', operation: 'getAll', returnAll: true },
		] as INodeParameters[]) {
			context.clearFaults();
			context.fault({ path: /^.v1.(flows|folders|flow-runs)$/, kind: answer });
			const error = await context.failure(parameters);
			const named = context.data.projects.filter(({ id: each }) =>
				error.description?.includes(each),
			);
			expect(named).toHaveLength(1);
			expect(error.description).toContain(`"${named[0].displayName}"`);
			expect(
				error.description?.match(/The error occurred (in|while reading) the project/g),
			).toHaveLength(1);
		}
	});

	test('a key that is not accepted is not reported for a project', async () => {
		context.fault({ path: '/v1/flows', kind: { status: 401, code: 'INVALID_API_KEY' } });
		expect((await context.failure(ALL_FLOWS)).description).not.toMatch(/the project /);
	});
});
