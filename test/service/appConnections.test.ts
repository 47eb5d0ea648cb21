import { call, start, stopAll } from './client';
import type { Release } from './index';

afterEach(stopAll);

const UNKNOWN = 'A'.repeat(21);
const USELESS = {
	statusCode: 404,
	error: 'Not Found',
	message: "Cannot read properties of undefined (reading 'type')",
};

// har/enterprise-0.73, har/enterprise-0.79 and har/enterprise-0.85, part c; of 0.86 har/community-0.86, and notes of that server.
describe.each(['0.79', '0.85', '0.86'] as Release[])('connections of projects on %s', (release) => {
	test('a delete looks at no flow, and is answered once', async () => {
		const service = await start({ release });
		const connection = service.live.addConnection({ externalId: 'used' });
		const flow = service.live.addFlow({ enabled: true, connectionIds: ['used'] });
		const path = `/v1/app-connections/${connection.id}`;
		expect(await call(service, path, { method: 'DELETE' })).toMatchObject({
			status: 204,
			text: '',
		});
		const again = await call(service, path, { method: 'DELETE' });
		expect([again.status, again.json()]).toEqual([
			404,
			{
				code: 'ENTITY_NOT_FOUND',
				params: { entityId: connection.id, entityType: 'app_connection' },
			},
		]);
		expect(flow).toMatchObject({ status: 'ENABLED', version: { connectionIds: ['used'] } });
	});

	test('a global one stays, whatever is said', async () => {
		const service = await start({ release });
		const [{ id }] = service.data.connections;
		const { status } = await call(service, `/v1/app-connections/${id}`, { method: 'DELETE' });
		expect(status).toBe(release === '0.86' ? 403 : 204);
		expect(service.data.connections[0].id).toBe(id);
	});

	test('there is none by ID, and none without a project', async () => {
		const service = await start({ release });
		const [{ id }] = service.data.projectConnections;
		expect((await call(service, `/v1/app-connections/${id}`)).text).toContain('Route not found');
		expect((await call(service, '/v1/app-connections')).status).toBe(400);
	});

	test('a queued run is held while no worker runs since 0.80, a paused one is not', async () => {
		const service = await start({ release, data: { flows: 3 } });
		service.worker.state = 'stopped';
		const cancelled = async (status: 'PAUSED' | 'QUEUED') => {
			const { id, projectId } = service.live.addFlowRun({ status });
			return await call(service, '/v1/flow-runs/cancel', {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ projectId, flowRunIds: [id] }),
			});
		};
		expect((await cancelled('PAUSED')).status).toBe(200);
		expect((await cancelled('QUEUED')).status).toBe(release === '0.79' ? 200 : 500);
	});
});

describe('connections of projects on 0.73', () => {
	test.each(['there', 'unknown'])('a key deletes none: %s', async (which) => {
		const service = await start({ release: '0.73' });
		const id = which === 'there' ? service.data.projectConnections[0].id : UNKNOWN;
		const answer = await call(service, `/v1/app-connections/${id}`, { method: 'DELETE' });
		expect([answer.status, answer.json()]).toEqual([404, USELESS]);
	});

	test('a user deletes those of the project of the session', async () => {
		const service = await start({ release: '0.73', edition: 'community' });
		const [{ id }] = service.data.projectConnections;
		const headers = { authorization: `Bearer ${service.userToken}` };
		const request = { method: 'DELETE', headers };
		expect((await call(service, `/v1/app-connections/${id}`, request)).status).toBe(204);
		const again = await call(service, `/v1/app-connections/${id}`, request);
		expect([again.status, again.json()]).toEqual([
			404,
			{ code: 'ENTITY_NOT_FOUND', params: { entityType: 'AppConnection', entityId: id } },
		]);
	});
});
