import { stepsOf } from '../../nodes/Activepieces/resources/flow/flow';
import { call, post } from './client';
import { startService, type Service } from './index';
import type { FlowRecord } from './records';
import { addSampleFlows } from './sampleFlows';

// Responses are compared with the recordings, and every suite in test/engine uses the faults and changes.
// Here is what such a test would not notice if it were wrong.

const LIST = '/v1/global-connections?limit=5';

let service: Service;
beforeEach(async () => {
	service = await startService();
});
afterEach(async () => await service.close());

test('faults apply after and for as many requests as they say, one after the other', async () => {
	service.fault({ after: 1, times: 1, kind: { status: 503 } });
	service.fault({ path: /^\/v1\/global/, after: 1, times: 2, kind: { status: 500 } });
	const statuses = [];
	for (let i = 0; i < 5; i++) statuses.push((await call(service, LIST)).status);
	expect(statuses).toEqual([200, 503, 500, 500, 200]);
	service.fault({ method: 'DELETE', kind: { status: 500 } });
	expect((await call(service, LIST)).status).toBe(200);
});

test('requests are recorded in order, with the body that a fault refuses', async () => {
	service.fault({ times: 1, kind: { status: 503 } });
	await post(service, '/v1/folders/x', { displayName: 'a' });
	await call(service, '/v1/nope?a=1&a=2');
	expect(service.requests).toMatchObject([
		{ method: 'POST', path: '/v1/folders/x', body: { displayName: 'a' }, status: 503 },
		{ url: '/api/v1/nope?a=1&a=2', path: '/v1/nope', query: { a: ['1', '2'] }, status: 404 },
	]);
});

test('a request whose client gave up before its turn changes nothing', async () => {
	const [{ id }] = service.data.invitations;
	service.fault({ kind: { delay: 150 } });
	const signal = AbortSignal.timeout(20);
	const path = `/v1/user-invitations/${id}`;
	await expect(call(service, path, { method: 'DELETE', signal })).rejects.toThrow();
	service.clearFaults();
	service.fault({ kind: { delay: 300 } });
	await call(service, LIST);
	expect(service.data.invitations.map((row) => row.id)).toContain(id);
});

/** Comments of the recordings say so: no response does (har/enterprise-*-j1, j/c23 to j/c28). */
test('an invitation with a key changes people who are there, the owner too, and takes in those of other platforms', async () => {
	const { data } = service;
	const [{ id: projectId }] = data.projects;
	const before = data.users.length;
	const invite = async (email: string, role: object) => {
		const { status } = await post(service, '/v1/user-invitations', { email, ...role });
		expect(status).toBe(201);
	};
	const toPlatform = { type: 'PLATFORM', platformRole: 'OPERATOR' };
	await invite('admin@example.test', toPlatform);
	await invite('other@example.test', toPlatform);
	expect(data.users[0].platformRole).toBe('OPERATOR');
	expect(data.users.slice(before)).toMatchObject([
		{ email: 'other@example.test', platformRole: 'OPERATOR', platformId: data.platformId },
	]);
	for (const projectRole of ['Viewer', 'Editor']) {
		await invite('member@example.test', { type: 'PROJECT', projectId, projectRole });
	}
	const roles = data.members.filter(({ userId }) => userId === data.users[1].id);
	const [editor] = data.roles.filter(({ name }) => name === 'Editor');
	expect(roles).toMatchObject([{ projectId, projectRoleId: editor.id }]);
	expect(data.invitations.some(({ email }) => /^(admin|other|member)@/.test(email))).toBe(false);
});

test('the same sizes give the same data', async () => {
	const other = await startService();
	expect(other.data).toEqual(service.data);
	await other.close();
});

test('runs that ended have steps of the version that ran, and a failed one is the last', async () => {
	await service.close();
	service = await startService({ data: { flowRuns: 40 } });
	const ended = service.data.flowRuns.filter(({ status }) => /^(SUCCEEDED|FAILED)$/.test(status));
	expect(ended.length).toBeGreaterThan(20);
	for (const { status, steps, version, failedStep } of ended) {
		const all = stepsOf(version.trigger);
		const names = all.map(({ name }) => name);
		const last = status === 'FAILED' ? names.indexOf(failedStep?.name) : names.length - 1;
		expect(Object.keys(steps)).toEqual(names.slice(0, last + 1));
		expect(all[last]).toMatchObject(failedStep ? { displayName: failedStep.displayName } : {});
	}
});

test('the steps of the sample flows have what Activepieces needs to import them', () => {
	const before = service.data.flows.length;
	addSampleFlows(service);
	const added = service.data.flows.slice(before).flatMap(({ version }) => stepsOf(version.trigger));
	expect(added.map(({ type }) => type)).toEqual([
		'PIECE_TRIGGER',
		'PIECE',
		'PIECE_TRIGGER',
		'CODE',
	]);
	for (const { type, valid, settings } of added) {
		const wanted =
			type === 'CODE' ? ['sourceCode'] : ['pieceName', 'pieceVersion', 'propertySettings'];
		expect([valid, Object.keys(settings as object)]).toEqual([
			true,
			expect.arrayContaining([...wanted, 'input']),
		]);
	}
});

const created = async (connection: Record<string, unknown>) => {
	const [{ id: projectId }] = service.data.projects;
	const body = { projectId, externalId: 'a', displayName: 'A', ...connection };
	return await post(service, '/v1/app-connections', body);
};

test('creates of one connection at once make several, and one after the other a single one', async () => {
	const pieceName = '@activepieces/piece-telegram-bot';
	const secret = {
		type: 'SECRET_TEXT',
		value: { type: 'SECRET_TEXT', secret_text: 's' },
		pieceName,
	};
	const count = () => service.data.projectConnections.length;
	const before = count();
	for (let i = 0; i < 3; i++) await created(secret);
	expect(count() - before).toBe(1);
	service.worker.state = 'stopped';
	const atOnce = [1, 2, 3].map(async () => await created({ ...secret, externalId: 'b' }));
	while (service.worker.requests < atOnce.length) await call(service, '/v1/flags');
	service.worker.state = 'running';
	await Promise.all(atOnce);
	expect(count() - before).toBeGreaterThan(2);
});

test('close ends at once, with slow responses and with requests that wait for a worker', async () => {
	service.fault({ path: '/v1/projects', kind: { delay: 60_000 } });
	service.fault({ path: '/v1/global-connections', kind: { slowBody: 60_000 } });
	service.worker.state = 'stopped';
	const { id } = service.live.addFlow({ published: true });
	const enable = { type: 'CHANGE_STATUS', request: { status: 'ENABLED' } };
	const hanging = [
		call(service, '/v1/projects'),
		call(service, LIST),
		post(service, `/v1/flows/${id}`, enable),
	];
	const ended = Promise.allSettled(hanging);
	while (service.inFlight.now < 3) await call(service, '/v1/nope');
	const before = performance.now();
	await service.close();
	// Half as long as it would take otherwise.
	expect(performance.now() - before).toBeLessThan(30_000);
	expect((await ended).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
});

describe('release 0.92, which was read in the source', () => {
	let later: Service;
	beforeEach(async () => {
		later = await startService({ release: '0.92' });
	});
	afterEach(async () => await later.close());

	const send = async (path: string, body?: object) => {
		const { status, text } = await (body ? post(later, path, body) : call(later, path));
		return { status, body: JSON.parse(text) as { data: FlowRecord[]; next: string | null } };
	};

	test('sorts flows by name on one page', async () => {
		const [{ id }] = later.data.projects;
		const list = async (query: string) =>
			await send(`/v1/flows?projectId=${id}&sortBy=NAME&limit=4${query}`);
		const [up, down] = [await list(''), await list('&order=DESC')];
		const namesOf = ({ body }: typeof up) => body.data.map(({ version }) => version.displayName);
		expect(namesOf(up)).toEqual([...namesOf(up)].sort());
		expect(namesOf(down)).toEqual([...namesOf(down)].sort().reverse());
		expect([up.body.next, namesOf(up).length]).toEqual([null, 4]);
		const refused = { status: 400, body: { code: 'GENERIC_ERROR' } };
		expect(await list('&cursor=bmV4dF8=')).toMatchObject(refused);
	});

	test('takes only folders of the project for a flow, and NULL for none', async () => {
		const [flow] = later.data.flows.filter(({ folderId }) => folderId !== null);
		const foreign = later.data.folders.find(({ projectId }) => projectId !== flow.projectId)!;
		const move = async (folderId: string) =>
			await send(`/v1/flows/${flow.id}`, { type: 'CHANGE_FOLDER', request: { folderId } });
		expect(await move(foreign.id)).toMatchObject({ status: 404 });
		expect(await move('NULL')).toMatchObject({ status: 200, body: { folderId: null } });
	});

	test('compares dates as times, takes a missing cell for an empty one, and knows DATETIME', async () => {
		const [{ id: tableId, projectId }] = later.data.tables;
		const [, amount, due] = later.data.fields.filter((field) => field.tableId === tableId);
		const countOf = async (fieldId: string, operator: string, value: string) => {
			const filter = Object.entries({ fieldId, operator, value });
			const query = filter.map(([name, each]) => `filters[0][${name}]=${encodeURIComponent(each)}`);
			const { body } = await send(`/v1/records?limit=99&tableId=${tableId}&${query.join('&')}`);
			return body.data.length;
		};
		expect(await countOf(due.id, 'lt', '2026-11-03T01:00:00+01:00')).toBe(2);
		expect(await countOf(amount.id, 'neq', '0.5')).toBe(11);
		const fields = [{ name: 'At', type: 'DATETIME', externalId: 'at' }];
		await send('/v1/tables', { projectId, name: 'New', fields });
		expect(later.data.fields.at(-1)).toMatchObject({ type: 'DATETIME', position: 0 });
	});
});
