import { call, flowsOf, start, stopAll } from './client';

afterEach(stopAll);

test('runs come to be, end, and are served so', async () => {
	const service = await start({ release: '0.85' });
	const run = service.live.addFlowRun({ status: 'RUNNING' });
	const path = `/v1/flow-runs?projectId=${run.projectId}&status=FAILED`;
	expect((await call(service, path)).json().data).toEqual([]);
	service.live.finishFlowRun(run.id, 'FAILED');
	const [listed] = (await call(service, path)).json().data;
	expect(listed).toMatchObject({
		id: run.id,
		finishTime: '2026-12-01T08:00:01.000Z',
		failedStep: { message: 'Request failed with status code 500' },
	});
});

test('everything is dated by the time of the service, which can stand still', async () => {
	const service = await start();
	service.time.set('2026-12-24T12:00:00.007Z');
	service.time.step = 0;
	const times = [
		service.live.addFlowRun().created,
		service.live.addFlow().created,
		service.live.addInvitation().created,
		service.live.addUser().created,
		service.live.addProject('New').created,
		service.live.setConnectionStatus(service.data.connections[0].id, 'ERROR').updated,
	];
	expect(new Set(times)).toEqual(new Set(['2026-12-24T12:00:00.007Z']));
	service.time.advance(1);
	expect(service.live.addFlow().created).toBe('2026-12-24T12:00:00.008Z');
	const { headers } = await call(service, '/v1/flags');
	expect(headers.get('date')).toBe('Thu, 24 Dec 2026 12:00:00 GMT');
});

test('flows are published, switched and edited at once, also where the service takes its time', async () => {
	const service = await start({ release: '0.73' });
	const flow = service.live.addFlow({ name: 'Fresh' });
	expect(service.live.publishFlow(flow.id)).toMatchObject({ status: 'ENABLED' });
	service.live.editFlow(flow.id, 'Fresher');
	const project = service.data.projects.findIndex(({ id }) => id === flow.projectId);
	const locked = await call(service, `${flowsOf(service, project)}&versionState=LOCKED&name=Fresh`);
	expect(locked.json().data).toMatchObject([{ id: flow.id, version: { displayName: 'Fresh' } }]);
	expect(service.live.setFlowStatus(flow.id, 'DISABLED')).toMatchObject({
		status: 'DISABLED',
		operationStatus: 'NONE',
	});
});

test('a platform has as many people as asked for, the newest first in the list', async () => {
	const service = await start({ data: { users: 14 } });
	const { data, next } = (await call(service, '/v1/users')).json();
	expect([data.length, data[0].email, next === null]).toEqual([10, 'member12@example.test', false]);
	expect((await call(service, '/v1/users?limit=100')).json().data).toHaveLength(14);
	expect((await call(service, '/v1/projects')).json().data).toHaveLength(3 + 14);
});

test('there is a flow of each kind', async () => {
	const service = await start();
	const kinds = service.live.addFlowOfEachKind();
	const seen = Object.entries(kinds).map(([kind, { status, publishedVersionId, version }]) => [
		kind,
		status,
		publishedVersionId === null ? 'never' : publishedVersionId === version.id ? 'live' : 'older',
		version.valid,
		version.state,
	]);
	expect(seen).toEqual([
		['neverPublished', 'DISABLED', 'never', true, 'DRAFT'],
		['emptyTrigger', 'DISABLED', 'never', false, 'DRAFT'],
		['emptyTriggerPublished', 'DISABLED', 'live', false, 'LOCKED'],
		['invalid', 'DISABLED', 'never', false, 'DRAFT'],
		['disabled', 'DISABLED', 'live', true, 'LOCKED'],
		['enabled', 'ENABLED', 'live', true, 'LOCKED'],
		['withDraft', 'ENABLED', 'older', true, 'DRAFT'],
	]);
});

test('people, invitations and projects come and go', async () => {
	const service = await start();
	const user = service.live.addUser({ email: 'new@example.test' });
	const [first] = (await call(service, '/v1/users')).json().data;
	expect(first).toMatchObject({ id: user.id, email: 'new@example.test' });

	const project = service.live.addProject('Short-lived');
	const flow = service.live.addFlow({ projectId: project.id, enabled: true });
	service.live.addFlowRun({ flowId: flow.id });
	const invitation = service.live.addInvitation({ projectId: project.id });
	const invitations = `/v1/user-invitations?type=PROJECT&projectId=${project.id}`;
	expect((await call(service, invitations)).json().data).toMatchObject([{ id: invitation.id }]);
	service.live.removeProject(project.id);
	expect((await call(service, invitations)).status).toBe(404);
	expect((await call(service, `/v1/flows/${flow.id}`)).status).toBe(404);
	expect(service.data.flowRuns).toEqual([]);
});
