import type { INodeParameters } from 'n8n-workflow';

import { TEMPLATES, parametersOf } from './harness/parameters';
import { ROUTE_MISSING } from './harness/routeMissing';
import { flowFile } from './harness/flowFile';
import {
	FIRST_AND_LAST,
	byId,
	changesSent,
	requestUrls,
	requestPaths,
	useService,
} from './harness/service';

const METRICS: INodeParameters = { resource: 'queue', operation: 'getMetrics' };
const getFolder = (id: unknown) => parametersOf('folder.get', { folderId: byId(id) });
const rename = (id: unknown, displayName: unknown) =>
	parametersOf('folder.update', { folderId: byId(id), displayName: displayName as string });
const deleteTemplate = (id: unknown) =>
	parametersOf('flowTemplate.delete', { templateId: byId(id) });
const deleteInvitation = (id: unknown) =>
	parametersOf('userInvitation.delete', { invitationId: byId(id) });

const UNKNOWN = 'A'.repeat(21);
const NEW_NAME = { updateFields: { displayName: 'x' } };
const FLOW_FILE = JSON.stringify(flowFile('x', { type: 'CODE', settings: {} }));
const ofFlow = (operation: string, more: INodeParameters = {}) =>
	parametersOf(`flow.${operation}`, { flowId: byId(UNKNOWN), ...more });
const ofRun = (operation: string, more: INodeParameters = {}) =>
	parametersOf(`flowRun.${operation}`, { flowRunId: byId(UNKNOWN), ...more });

describe.each(FIRST_AND_LAST)('single records on release %s', (release) => {
	const context = useService({ release });

	test('Folder → Update renames it and sends nothing but the name, without the space around it', async () => {
		const folder = context.data.folders[1];
		const [record] = await context.records(rename(folder.id, ' Ünï 🚀 <b>\n'));
		expect(record).toMatchObject({ id: folder.id, name: 'Ünï 🚀 <b>' });
		expect(context.data.folders.find(({ id }) => id === folder.id)?.displayName).toBe('Ünï 🚀 <b>');
		expect(context.requests).toMatchObject([
			{ method: 'POST', body: { displayName: 'Ünï 🚀 <b>' } },
			{ method: 'GET', path: '/v1/projects' },
		]);
		expect(context.requests[0].headers['content-type']).toMatch(/^application\/json/);
	});

	test('a template and an invitation are taken away', async () => {
		const { templates, invitations } = context.data;
		const template = templates.find(({ type }) => type === 'PLATFORM' || type === 'CUSTOM');
		const invitation = invitations.find(({ type }) => type === 'PLATFORM');
		expect(await context.records(deleteTemplate(template?.id))).toEqual([{ deleted: true }]);
		expect(await context.records(deleteInvitation(invitation?.id))).toEqual([{ deleted: true }]);
		expect(context.data.templates).not.toContain(template);
		expect(context.data.invitations).not.toContain(invitation);
	});

	test('GET and DELETE carry no Content-Type and no body', async () => {
		await context.run(deleteInvitation('nobody'));
		await context.run(getFolder('nothing'));
		await context.run(METRICS);
		for (const { headers, body } of context.requests) {
			expect(headers).not.toHaveProperty('content-type');
			expect(body ?? undefined).toBeUndefined();
		}
	});

	test.each<[label: string, parameters: INodeParameters, field?: string]>([
		['Folder', getFolder(UNKNOWN)],
		['Folder', rename(UNKNOWN, 'x')],
		['Folder', parametersOf('folder.delete', { folderId: byId(UNKNOWN) })],
		['Flow template', deleteTemplate(UNKNOWN), 'Template'],
		['User invitation', deleteInvitation(UNKNOWN), 'Invitation'],
		['Flow', ofFlow('get')],
		['Flow', ofFlow('delete')],
		['Flow', ofFlow('publish')],
		['Flow', ofFlow('setStatus', { status: 'ENABLED' })],
		['Flow', ofFlow('update', NEW_NAME)],
		['Flow', ofFlow('import', { mode: 'replace', content: FLOW_FILE })],
		['Flow run', ofRun('get'), 'Flow Run'],
		['Flow run', ofRun('retry'), 'Flow Run'],
		['Flow run', ofRun('cancel'), 'Flow Run'],
		['Project', parametersOf('project.update', { projectId: byId(UNKNOWN), ...NEW_NAME })],
	])(
		'%s that does not exist is named with its field: %j',
		async (label, parameters, field = label) => {
			const error = await context.failure(parameters);
			expect([error.message, error.httpCode]).toEqual([
				`${label} "${UNKNOWN}" was not found`,
				'404',
			]);
			expect(error.description).toMatch(new RegExp(`^Check ${field}\\. The `));
		},
	);

	test.each([
		['Flow', ofFlow('publish', { flowId: byId('abc') })],
		['Flow Run', ofRun('get', { flowRunId: byId('abc') })],
	])('%s "abc" is refused as an ID', async (label, parameters) => {
		await context.failsWith(parameters, `${label} must be an Activepieces ID, not "abc"`);
		expect(changesSent(context)).toEqual([]);
	});
});

describe('moved endpoints', () => {
	const later = useService({ release: '0.85' });
	const older = useService({ release: '0.73' });

	test('the contract’s path is requested first, the successor is remembered for the Base URL', async () => {
		await later.records(METRICS);
		await later.records(METRICS);
		expect(requestUrls(later)).toEqual([
			'GET /v1/queue-metrics',
			'GET /v1/worker-machines/queue-metrics',
			// Only newer servers have it, and it is not requested again.
			'GET /v1/worker-machines/queue-metrics/prometheus',
			'GET /v1/worker-machines/queue-metrics',
		]);
	});

	test('it is remembered for ten minutes, so that an upgrade is noticed', async () => {
		const { service } = later;
		const now = jest.spyOn(Date, 'now');
		try {
			const start = new Date().getTime();
			const askedAfter = async (minutes: number) => {
				now.mockImplementation(() => start + minutes * 60_000);
				service.clearRequests();
				await later.records(METRICS);
				return requestPaths(later);
			};
			await askedAfter(60);
			expect(await askedAfter(60 + 9)).toEqual(['GET /v1/worker-machines/queue-metrics']);
			expect((await askedAfter(60 + 11))[0]).toBe('GET /v1/queue-metrics');
		} finally {
			now.mockRestore();
		}
	});

	test('what is remembered for one Base URL does not apply to another', async () => {
		await later.records(METRICS);
		await later.records(METRICS, { credential: older.credential });
		expect(requestPaths(older)).toEqual([
			'GET /v1/queue-metrics',
			'GET /v1/projects',
			'GET /v1/queue-metrics',
		]);
	});

	test('a key without access to any project gets the service’s own message', async () => {
		older.fault({ path: '/v1/projects', kind: { body: { data: [], next: null } } });
		const error = await older.failure(METRICS);
		expect(error.httpCode).toBe('409');
		expect(error.description).toMatch(/project id/i);
		expect(requestPaths(older)).toEqual(['GET /v1/queue-metrics', 'GET /v1/projects']);
	});

	test('public templates of Activepieces, which 0.74 to 0.76 return, are not taken for the platform’s own', async () => {
		later.fault({
			path: '/v1/flow-templates',
			kind: { body: { data: [{ id: 'public', type: 'OFFICIAL' }], next: null } },
		});
		const records = await later.records(TEMPLATES);
		expect(records.map(({ id }) => id)).toEqual(later.data.templates.map(({ id }) => id));
		expect(requestPaths(later).at(-1)).toBe('GET /v1/templates');
	});

	test('a missing template does not point to a request to the successor', async () => {
		await older.failure(deleteTemplate('gone'));
		expect(requestPaths(older)).toEqual(['DELETE /v1/flow-templates/gone']);
	});

	test('a server that is upgraded or downgraded in between is noticed', async () => {
		await later.records(METRICS);
		later.clearRequests();
		later.fault({ path: '/v1/worker-machines/queue-metrics', kind: ROUTE_MISSING });
		later.fault({ path: '/v1/queue-metrics', kind: { body: { stats: { active: 1 } } } });
		for (let run = 0; run < 2; run++) {
			expect(await later.records(METRICS)).toEqual([{ stats: { active: 1 } }]);
		}
		expect(requestPaths(later)).toEqual([
			'GET /v1/worker-machines/queue-metrics',
			'GET /v1/queue-metrics',
			'GET /v1/queue-metrics',
		]);
	});

	test('a server that has neither path says which endpoint is missing', async () => {
		later.fault({ kind: ROUTE_MISSING });
		const error = await later.failure(METRICS);
		expect(error.message).toBe('This Activepieces server has no endpoint GET /v1/queue-metrics');
	});

	test('counters that the service does not report are absent, and queues are added up', async () => {
		const queues = [
			{ name: 'workerJobs', waiting: 3, active: 1 },
			{ name: 'platform-a-jobs', waiting: 4, active: 2 },
		];
		later.fault({ path: '/v1/worker-machines/queue-metrics', kind: { body: { queues } } });
		expect(await later.records(METRICS)).toEqual([{ stats: { waiting: 7, active: 3 }, queues }]);
	});

	test.each([[{}], [{ stats: null }], [{ queues: [1] }], [[]]])(
		'%j is refused as metrics',
		async (body) => {
			later.fault({ path: '/v1/worker-machines/queue-metrics', kind: { body } });
			expect((await later.failure(METRICS)).message).toBe(
				'The response for the queue metrics does not have the expected format',
			);
		},
	);
});

describe('IDs and names', () => {
	const context = useService();

	test.each(['', ' ', '\t\n', '.', '..', ' .. '])(
		'the ID %j is refused and nothing is sent',
		async (id) => {
			// From an expression, because n8n itself refuses an empty required field.
			const given = '={{ $json.id }}';
			const operations = [getFolder, deleteTemplate, deleteInvitation].map((of) => of(given));
			for (const parameters of [rename(given, 'x'), ...operations]) {
				const error = await context.failure(parameters, [{ id }]);
				expect(error.message).toMatch(/^(Folder|Template|Invitation) is /);
				expect(error.description).toContain('Nothing was sent');
			}
			expect(context.requests).toEqual([]);
		},
	);

	test.each([
		['Name', 'folder.create'],
		['New Name', 'folder.update'],
		['Name', 'flow.create'],
		['Name', 'project.create'],
	])('%s of %s is refused when all its characters are invisible', async (label, pair) => {
		const place = pair === 'folder.update' ? { folderId: byId('abc') } : { projectId: byId('abc') };
		const parameters = parametersOf(pair, { ...place, displayName: '={{ $json.name }}' });
		for (const name of [
			'',
			'   ',
			'\n',
			'\u200b',
			'\u2060\u200b',
			' \u200b ',
			'\u200d',
			undefined,
		]) {
			await context.refuses(parameters, `${label} is empty`, [], [{ name }]);
		}
	});

	test.each([
		[true, 'must be text, not true'],
		[['x'], 'must be text, not a list'],
		[{ a: 1 }, 'must be text, not an object'],
	])('the folder name %j is refused: it %s', async (name, what) => {
		const parameters = rename(context.data.folders[0].id, '={{ $json.name }}');
		await context.refuses(parameters, `New Name ${what}`, '', [{ name }]);
	});

	test('a number from an expression is accepted as a name', async () => {
		const { id } = context.data.folders[0];
		await context.records(rename(id, '={{ $json.name }}'), [{ name: 2026 }]);
		expect(context.requests[0].body).toEqual({ displayName: '2026' });
	});
});
