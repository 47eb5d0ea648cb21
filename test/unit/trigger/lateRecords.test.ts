import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { FakeService } from './fakeService';
import { useLimits } from './useLimits';

useLimits(() => {
	limits.triggerSeenRecords = 10;
});

test('a run that failed while a poll read many later ones is not lost', async () => {
	const service = new FakeService();
	limits.maxConcurrency = 1;
	const fail = (projectId: string): string => {
		const id = service.id('run');
		const created = service.time;
		service.runs.push({ id, projectId, created, status: 'FAILED', finishTime: created });
		return id;
	};
	const n8n = new FakeN8n(service, {
		event: 'flowRunFailed',
		statuses: ['FAILED'],
		'options.maxItems': 5000,
	});
	await n8n.activate('activate');
	const made: string[] = [];
	// The projects and the runs of project A have been read.
	const happens = () => {
		service.now += 2000;
		made.push(fail('project-a'));
		for (let count = 0; count < 30; count++) {
			service.now += 100;
			made.push(fail('project-b'));
		}
	};
	service.meanwhile = { pages: 1, happens };
	await n8n.poll();
	expect(n8n.given).toHaveLength(30);
	await n8n.poll();
	await n8n.restart();
	await n8n.poll();
	expect(n8n.given.map(({ id }) => id).sort()).toEqual(made.sort());
});

test('ids are let go once records of their time come no more', async () => {
	limits.triggerSeenRecords = 2;
	const service = new FakeService();
	const n8n = new FakeN8n(service, { event: 'userJoined', 'options.maxItems': 5000 });
	await n8n.activate('activate');
	const made: string[] = [];
	for (let count = 0; count < 100; count++) {
		service.now += 60_000;
		made.push(service.id('user'));
		service.users.push({ id: made[count], created: service.time });
	}
	// One that is dated in the future makes none of them older.
	service.users.push({ id: 'future', created: '2030-01-01T00:00:00.000Z' });
	await n8n.poll();
	await n8n.restart();
	expect(n8n.given.map(({ id }) => id)).toEqual([...made, 'future']);
	expect(made.filter((id) => n8n.stored.includes(id))).toEqual(made.slice(-6));
});
