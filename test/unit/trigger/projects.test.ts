import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { FakeService } from './fakeService';
import { useLimits } from './useLimits';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let service: FakeService;
beforeEach(() => {
	service = new FakeService();
});
useLimits(() => {
	limits.delayScale = 0;
	limits.poll.maxAttempts = 1;
});

const ids = (items: IDataObject[]) => items.map(({ id }) => id);

/** Lets something happen in a project and gives the ID of what is to come out. */
const KINDS: Record<string, { parameters?: IDataObject; happen: (projectId: string) => string }> = {
	flowCreated: {
		happen: (projectId) => service.addFlow({ projectId, status: 'ENABLED' }).id,
	},
	flowStatusChanged: {
		happen: (projectId) => service.addFlow({ projectId, status: 'ENABLED' }).id,
	},
	flowPublished: {
		happen: (projectId) =>
			service.addFlow({ projectId, publishedVersionId: service.id('version') }).id,
	},
	flowRunFailed: {
		parameters: { statuses: ['FAILED'] },
		happen(projectId) {
			const id = service.id('run');
			const created = service.time;
			service.runs.push({ id, projectId, created, status: 'FAILED', finishTime: created });
			return id;
		},
	},
};

describe.each(Object.entries(KINDS))('%s', (event, { parameters, happen }) => {
	const start = () => new FakeN8n(service, { event, ...parameters });
	const hide = (id: string) => {
		service.projects = service.projects.filter((each) => each !== id);
	};
	const pass = (ms = MINUTE) => {
		service.now += ms;
	};
	const happenIn = (projectId: string) => {
		pass();
		return happen(projectId);
	};

	test('a project that becomes visible after months gives none of its old records', async () => {
		const n8n = start();
		await n8n.activate('activate');
		for (let month = 0; month < 3; month++) {
			happenIn('project-c');
			pass(5 * DAY);
			await n8n.poll();
		}
		service.projects.push('project-c');
		await n8n.poll();
		await n8n.poll();
		expect(n8n.given).toEqual([]);

		const id = happenIn('project-c');
		await n8n.poll();
		await n8n.restart();
		expect(ids(n8n.given)).toEqual([id]);
	});

	test('a project that was made since the last poll gives what is in it', async () => {
		const n8n = start();
		await n8n.activate('activate');
		pass(DAY);
		await n8n.poll();
		const id = happenIn('project-c');
		service.projects.push('project-c');
		await n8n.poll();
		await n8n.poll();
		expect(ids(n8n.given)).toEqual([id]);
	});

	test('a project that one list leaves out loses nothing and repeats nothing', async () => {
		limits.triggerSeenRecords = 2;
		const n8n = start();
		await n8n.activate('activate');
		const given = [happenIn('project-b'), happenIn('project-b')];
		await n8n.poll();
		hide('project-b');
		const missed = happenIn('project-b');
		for (let count = 0; count < 8; count++) {
			pass(10 * MINUTE);
			given.push(happenIn('project-a'));
			await n8n.poll();
		}
		service.projects.push('project-b');
		await n8n.poll();
		await n8n.restart();
		expect(ids(n8n.given)).toEqual([...given, missed]);
	});

	test.each([403, 404, 500])(
		'a project that answers %s does not silence the others, and loses nothing',
		async (status) => {
			limits.triggerSeenRecords = 2;
			const n8n = start();
			await n8n.activate('activate');
			const given = [happenIn('project-b')];
			await n8n.poll();
			service.refused.set('project-b', status);
			const missed = happenIn('project-b');
			for (let count = 0; count < 6; count++) {
				pass(10 * MINUTE);
				given.push(happenIn('project-a'));
				await n8n.poll();
			}
			expect(ids(n8n.given)).toEqual(given);
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
			expect(ids(n8n.given)).toEqual([...given, missed]);
			expect(n8n.errors).toHaveLength(5);
			// It counts from the beginning again.
			service.refused.set('project-b', status);
			await n8n.poll();
			expect(n8n.errors).toHaveLength(5);
		},
	);

	test('a record that shows up late in a project that cannot be read is not lost', async () => {
		limits.triggerSeenRecords = 2;
		const n8n = start();
		await n8n.activate('activate');
		pass(DAY);
		const given = [happenIn('project-b')];
		await n8n.poll();
		service.refused.set('project-b', 403);
		service.now -= 30_000;
		const late = happen('project-b');
		service.now += 30_000;
		for (let count = 0; count < 6; count++) {
			pass(10 * MINUTE);
			given.push(happenIn('project-a'));
			await n8n.poll();
		}
		service.refused.clear();
		await n8n.poll();
		expect(ids(n8n.given)).toEqual([...given, late]);
	});

	test('a project that could not be read when watching began gives what happened since', async () => {
		const n8n = start();
		happenIn('project-b');
		pass();
		service.refused.set('project-b', 403);
		await n8n.activate('activate');
		const id = happenIn('project-b');
		pass(DAY);
		await n8n.poll();
		service.refused.clear();
		await n8n.poll();
		expect(ids(n8n.given)).toEqual([id]);
	});

	test('when no project can be read, it is an error like any other', async () => {
		const n8n = start();
		await n8n.activate('activate');
		for (const id of service.projects) service.refused.set(id, 403);
		await n8n.poll();
		expect(n8n.errors).toHaveLength(1);
		expect(n8n.warnings).toEqual([]);
		service.refused.clear();
		const id = happenIn('project-a');
		await n8n.poll();
		expect(ids(n8n.given)).toEqual([id]);
	});

	test('a project that is gone is forgotten after a week, and only the latest are remembered', async () => {
		limits.triggerMissingProjects = 2;
		service.projects.push('project-c', 'project-d', 'project-e');
		const n8n = start();
		await n8n.activate('activate');
		for (const id of ['project-b', 'project-c', 'project-d']) {
			hide(id);
			pass();
			await n8n.poll();
		}
		happenIn('project-a');
		await n8n.poll();
		const remembered = () =>
			['b', 'c', 'd', 'e'].filter((letter) => n8n.stored.includes(`"project-${letter}"`));
		expect(remembered()).toEqual(['c', 'd', 'e']);
		pass(8 * DAY);
		happenIn('project-a');
		await n8n.poll();
		expect(remembered()).toEqual(['e']);
	});

	test('of projects that come, go and refuse in any order, each event is given once', async () => {
		type Step = { do: 'happen' | 'refuse' | 'leave' | 'poll' | 'restart'; which: number };
		const step = fc.record<Step>({
			do: fc.constantFrom('happen', 'happen', 'refuse', 'leave', 'poll', 'poll', 'restart'),
			which: fc.nat(2),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
				fc.constantFrom(1, 3, 1000),
				async (steps, maxItems) => {
					limits.triggerSeenRecords = 3;
					limits.triggerMissingProjectMs = Infinity;
					service = new FakeService();
					const all = ['project-a', 'project-b', 'project-c'];
					service.projects = [...all];
					const n8n = new FakeN8n(service, {
						event,
						...parameters,
						'options.maxItems': maxItems,
						'options.lookbackHours': 100_000,
					});
					await n8n.activate('activate');
					const made: string[] = [];
					for (const { do: what, which } of steps) {
						const project = all[which];
						service.now += 4 * MINUTE;
						if (what === 'happen') made.push(happen(project));
						else if (what === 'refuse') {
							if (!service.refused.delete(project)) service.refused.set(project, 403);
						} else if (what === 'leave') {
							if (service.projects.includes(project)) hide(project);
							else service.projects.push(project);
						} else if (what === 'poll') await n8n.poll();
						else await n8n.restart();
					}
					service.refused.clear();
					service.projects = [...all];
					for (let polls = 0; polls < 45; polls++) await n8n.poll();
					expect(ids(n8n.given).sort()).toEqual([...made].sort());
				},
			),
			{ numRuns: 60 },
		);
	});
});
