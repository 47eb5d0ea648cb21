import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { HAPPENINGS } from './fakeService';
import { DAY, MINUTE, service, useFakes, watch } from './useFakes';

useFakes();

const EVENTS = ['flowCreated', 'flowStatusChanged', 'flowPublished', 'flowRunFailed'];

describe.each(EVENTS)('%s', (event) => {
	const start = () => new FakeN8n(service, { event, statuses: ['FAILED'] });
	const happen = (projectId: string) => HAPPENINGS[event](service, projectId);
	const hide = (id: string) => {
		service.projects = service.projects.filter((each) => each !== id);
	};
	const happenIn = (projectId: string) => {
		service.pass();
		return happen(projectId);
	};

	test('a project that becomes visible after months gives none of its old records', async () => {
		const n8n = await watch(event);
		for (let month = 0; month < 3; month++) {
			happenIn('project-c');
			service.pass(5 * DAY);
			await n8n.poll();
		}
		service.projects.push('project-c');
		await n8n.poll();
		await n8n.poll();
		expect(n8n.given).toEqual([]);

		const id = happenIn('project-c');
		await n8n.poll();
		await n8n.restart();
		expect(n8n.ids).toEqual([id]);
	});

	test('what n8n had not stored of a project when it restarted may come', async () => {
		const n8n = await watch(event);
		const id = happenIn('project-c');
		service.pass(DAY);
		await n8n.poll();
		service.projects.push('project-c');
		await n8n.poll();
		expect(n8n.given).toEqual([]);
		// The last poll that n8n has stored is that of the activation.
		await n8n.restart();
		await n8n.poll();
		expect(n8n.ids).toEqual([id]);
	});

	test('a project that was made since the last poll gives what is in it', async () => {
		const n8n = await watch(event);
		service.pass(DAY);
		await n8n.poll();
		const id = happenIn('project-c');
		service.projects.push('project-c');
		await n8n.poll();
		await n8n.poll();
		expect(n8n.ids).toEqual([id]);
	});

	test('a project that one list leaves out loses nothing and repeats nothing', async () => {
		limits.triggerSeenRecords = 2;
		const n8n = await watch(event);
		const given = [happenIn('project-b'), happenIn('project-b')];
		await n8n.poll();
		hide('project-b');
		const missed = happenIn('project-b');
		for (let count = 0; count < 8; count++) {
			service.pass(10 * MINUTE);
			given.push(happenIn('project-a'));
			await n8n.poll();
		}
		service.projects.push('project-b');
		await n8n.poll();
		await n8n.restart();
		expect(n8n.ids).toEqual([...given, missed]);
	});

	test('a project that cannot be read does not silence the others, and loses nothing', async () => {
		limits.triggerSeenRecords = 2;
		const n8n = await watch(event);
		const given = [happenIn('project-b')];
		await n8n.poll();
		service.refused.set('project-b', 403);
		const missed = happenIn('project-b');
		for (let count = 0; count < 6; count++) {
			service.pass(10 * MINUTE);
			given.push(happenIn('project-a'));
			await n8n.poll();
		}
		expect(n8n.ids).toEqual(given);
		expect(n8n.warnings).toHaveLength(limits.triggerToleratedFailures);
		expect(n8n.warnings[0]).toContain('"project-b"');
		expect(n8n.errors.map(({ message }) => message)).toEqual(
			Array.from({ length: 4 }, () => expect.stringContaining('"project-b"')),
		);
		await n8n.poll();
		expect(n8n.errors).toHaveLength(5);

		service.refused.clear();
		await n8n.poll();
		await n8n.restart();
		expect(n8n.ids).toEqual([...given, missed]);
		expect(n8n.errors).toHaveLength(5);
		// It counts from the beginning again.
		service.refused.set('project-b', 403);
		await n8n.poll();
		expect(n8n.errors).toHaveLength(5);
	});

	test('a record that shows up late in a project that cannot be read is not lost', async () => {
		limits.triggerSeenRecords = 2;
		const n8n = await watch(event);
		service.pass(DAY);
		const given = [happenIn('project-b')];
		await n8n.poll();
		service.refused.set('project-b', 403);
		service.now -= 30_000;
		const late = happen('project-b');
		service.pass(30_000);
		for (let count = 0; count < 6; count++) {
			service.pass(10 * MINUTE);
			given.push(happenIn('project-a'));
			await n8n.poll();
		}
		service.refused.clear();
		await n8n.poll();
		expect(n8n.ids).toEqual([...given, late]);
	});

	test('a project that could not be read when watching began gives what happened since', async () => {
		const n8n = start();
		happenIn('project-b');
		service.pass();
		service.refused.set('project-b', 403);
		await n8n.activate('activate');
		const id = happenIn('project-b');
		service.pass(DAY);
		await n8n.poll();
		service.refused.clear();
		await n8n.poll();
		expect(n8n.ids).toEqual([id]);
	});

	test('when no project can be read, it is an error like any other', async () => {
		const n8n = await watch(event);
		for (const id of service.projects) service.refused.set(id, 403);
		await n8n.poll();
		expect(n8n.errors).toHaveLength(1);
		expect(n8n.warnings).toEqual([]);
		service.refused.clear();
		const id = happenIn('project-a');
		await n8n.poll();
		expect(n8n.ids).toEqual([id]);
	});

	test('a project that is gone is forgotten after a week, and only the latest are remembered', async () => {
		limits.triggerMissingProjects = 2;
		service.projects.push('project-c', 'project-d', 'project-e');
		const n8n = await watch(event);
		for (const id of ['project-b', 'project-c', 'project-d']) {
			hide(id);
			service.pass();
			await n8n.poll();
		}
		happenIn('project-a');
		await n8n.poll();
		const remembered = () =>
			['b', 'c', 'd', 'e'].filter((letter) => n8n.stored.includes(`"project-${letter}"`));
		expect(remembered()).toEqual(['c', 'd', 'e']);
		service.pass(8 * DAY);
		happenIn('project-a');
		await n8n.poll();
		expect(remembered()).toEqual(['e']);
	});
});
