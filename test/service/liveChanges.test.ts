import { call, start, stopAll } from './client';

afterEach(stopAll);

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

test('a platform has as many people as asked for, the newest first in the list', async () => {
	const service = await start({ data: { users: 14 } });
	const { data, next } = (await call(service, '/v1/users')).json();
	expect([data.length, data[0].email, next === null]).toEqual([10, 'member12@example.test', false]);
	expect((await call(service, '/v1/users?limit=100')).json().data).toHaveLength(14);
	expect((await call(service, '/v1/projects')).json().data).toHaveLength(3 + 14);
});
