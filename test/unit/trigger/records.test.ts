import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { HAPPENINGS } from './fakeService';
import { DAY, HOUR, MINUTE, service, useFakes, watch } from './useFakes';

const YEAR = 365 * DAY;

useFakes();

/** A time, this many milliseconds before now */
const ago = (ms: number) => new Date(service.now - ms).toISOString();
/** Creates a number of records, each after some time. */
const makeMany = (count: number, make: () => string, everyMs = 0) =>
	Array.from({ length: count }, () => {
		service.pass(everyMs);
		return make();
	});
const addUser = () => service.addUser();

describe('records of the future', () => {
	test.each([true, false])('are returned once (of one moment: %s)', async (isOneMoment) => {
		limits.triggerSeenRecords = 100;
		service.addUser();
		const n8n = await watch('userJoined', { 'options.maxItems': 150 });
		const made = Array.from({ length: 400 }, (_, index) =>
			service.addUser(ago(-10 * YEAR - (isOneMoment ? 0 : index))),
		);
		await n8n.polls(5);
		expect([...n8n.ids].sort()).toEqual(made.sort());
		await n8n.restart();
		service.pass();
		const id = service.addUser();
		await n8n.poll();
		expect(n8n.ids.slice(made.length)).toEqual([id]);
	});

	test.each([true, false])('hide none of those that follow (dated: %s)', async (isDated) => {
		service.isDated = isDated;
		service.addUser();
		service.addUser('9999-12-31T23:59:59.999Z');
		const n8n = await watch('userJoined');
		const made: string[] = [];
		await n8n.polls(3, () => made.push(...makeMany(1, addUser, 20 * MINUTE)));
		expect(await n8n.idsAfterRestart()).toEqual(made);
	});

	test.each([true, false])(
		'do not shorten the requested period after a week (dated: %s)',
		async (isDated) => {
			service.isDated = isDated;
			service.addRun();
			const n8n = await watch('flowRunFailed');
			const far = service.addRun({ finishTime: '9999-12-31T23:59:59.999Z' }).id;
			await n8n.poll();
			service.pass();
			const { id } = service.addRun();
			service.pass(7 * DAY);
			expect(await n8n.idsAfterPoll()).toEqual([far, id]);
		},
	);

	test('a server whose clock was wrong at the activation is read by its right one later', async () => {
		service.skew = Date.parse('9999-01-01T00:00:00.000Z') - service.now;
		const n8n = await watch('userJoined');
		service.skew = 0;
		await n8n.poll();
		service.pass();
		const id = service.addUser();
		expect(await n8n.idsAfterPoll()).toEqual([id]);
	});
});

test.each(Object.keys(HAPPENINGS))('rows without a usable ID are no events: %s', async (event) => {
	const n8n = await watch(event);
	const made: string[] = [];
	for (const id of [undefined, null, '', {}, true]) {
		service.pass();
		made.push(HAPPENINGS[event](service));
		HAPPENINGS[event](service);
		const lists = [service.users, service.flows, service.runs, service.connections];
		for (const list of lists) Object.assign(list.at(-1) ?? {}, { id });
		await n8n.polls(2);
	}
	expect(n8n.ids).toEqual(made);
});

describe('many records of now', () => {
	test('of one moment and beyond Max Items per Poll all are given once', async () => {
		limits.triggerSeenRecords = 10;
		const n8n = await watch('userJoined', { 'options.maxItems': 10 });
		const then = service.time;
		service.pass(DAY);
		const younger = service.addUser();
		expect(await n8n.idsAfterPoll()).toEqual([younger]);
		// They appear a day late.
		const made = makeMany(50, () => service.addUser(then));
		await n8n.polls(7);
		expect(n8n.ids.slice(1).sort()).toEqual(made.sort());
	});

	test('take no more room than the bound, and none is repeated', async () => {
		limits.triggerSeenRecords = 10;
		limits.triggerMaxEntries = 100;
		const n8n = await watch('userJoined', { 'options.maxItems': 5000 });
		const made = makeMany(500, addUser, 10);
		await n8n.poll();
		await n8n.restart();
		expect(await n8n.idsAfterPoll()).toEqual(made);
		expect(made.filter((id) => n8n.stored.includes(id))).toHaveLength(100);
	});

	test('broken connections take no more room than the bound, and none is repeated', async () => {
		limits.triggerMaxValues = 100;
		const breakMany = (count: number) => makeMany(count, () => service.addConnection().id, 1);
		const broken = breakMany(300);
		const n8n = await watch('connectionNeedsAttention', { 'options.maxItems': 150 });
		// They are gone, as far as the list says.
		service.connections = [];
		await n8n.poll();
		const made = breakMany(90);
		await n8n.polls(4);
		await n8n.restart();
		expect(await n8n.idsAfterPoll()).toEqual(made);
		expect(broken.filter((id) => n8n.stored.includes(id))).toEqual([]);
	});
});

describe('a run without finishTime', () => {
	const touch = (run: { updated?: string }) => {
		service.pass();
		run.updated = service.time;
	};

	test.each(['INTERNAL_ERROR', 'CANCELED'])(
		'is returned once, however often it changes: %s',
		async (status) => {
			limits.triggerSeenRecords = 2;
			const before = service.addRun({ status, finishTime: null, startTime: null });
			const n8n = await watch('flowRunFailed');
			service.pass();
			const run = service.addRun({ status, finishTime: null, startTime: service.time });
			const others: string[] = [];
			await n8n.polls(6, () => {
				touch(run);
				touch(before);
				others.push(service.addRun().id);
			});
			await n8n.restart();
			touch(run);
			await n8n.poll();
			expect(n8n.ids.filter((id) => !others.includes(String(id)))).toEqual([run.id]);
			expect(n8n.given).toHaveLength(others.length + 1);
		},
	);

	test('is returned again when it fails again after a retry, with and without a finish time', async () => {
		const n8n = await watch('flowRunFailed', { simplify: false });
		const unfinished = { status: 'INTERNAL_ERROR', finishTime: null };
		const run = service.addRun({ ...unfinished, startTime: service.time });
		await n8n.poll();
		const retry = async (others: IDataObject) => {
			service.pass();
			Object.assign(run, { status: 'RUNNING', startTime: service.time, updated: service.time });
			await n8n.poll();
			service.pass();
			Object.assign(run, { status: 'FAILED', updated: service.time, ...others });
			await n8n.polls(2);
		};
		await retry({ status: 'INTERNAL_ERROR' });
		await retry({ finishTime: service.time });
		await retry({ status: 'CANCELED', finishTime: null });
		const statuses = ['INTERNAL_ERROR', 'INTERNAL_ERROR', 'FAILED', 'CANCELED'];
		expect(n8n.given.map(({ status }) => status)).toEqual(statuses);
	});

	describe('that are more than the state keeps', () => {
		beforeEach(() => {
			limits.triggerMaxEntries = 20;
		});
		const canceled = { status: 'CANCELED', finishTime: null };
		const cancelMany = (count: number, projectId = 'project-a', everyMs = 0) =>
			makeMany(
				count,
				() => service.addRun({ ...canceled, projectId, startTime: service.time }).id,
				everyMs,
			);
		const passAndPoll = async (n8n: FakeN8n, count: number) =>
			await n8n.polls(count, () => service.pass());

		test('takes no more space than the maximum', async () => {
			const n8n = await watch('flowRunFailed');
			const made = cancelMany(50);
			await n8n.poll();
			expect(made.filter((id) => n8n.stored.includes(id))).toHaveLength(20);
		});

		test.each([1, 8, 1000])(
			'is returned once while nothing changes (%d per poll)',
			async (maxItems) => {
				const n8n = await watch('flowRunFailed', { 'options.maxItems': maxItems });
				service.pass();
				const made = cancelMany(50);
				await passAndPoll(n8n, 55);
				await n8n.restart();
				await n8n.poll();
				expect([...n8n.ids].sort()).toEqual(made.sort());
			},
		);

		test('is returned once when runs come one by one', async () => {
			cancelMany(30);
			const n8n = await watch('flowRunFailed');
			const made: string[] = [];
			await n8n.polls(40, () => made.push(...cancelMany(1, 'project-a', MINUTE)));
			await n8n.restart();
			expect(await n8n.idsAfterPoll()).toEqual(made);
		});

		test('is returned for a project that could not be read, or is new, although others have many', async () => {
			const n8n = await watch('flowRunFailed', { 'options.maxItems': 10 });
			service.refused.set('project-b', 403);
			service.pass();
			const missed = cancelMany(15, 'project-b');
			await passAndPoll(n8n, 1);
			cancelMany(15, 'project-new');
			service.pass();
			const made = cancelMany(50);
			await passAndPoll(n8n, 8);
			expect([...n8n.ids].sort()).toEqual([...made].sort());
			service.refused.clear();
			service.projects.push('project-new');
			service.pass();
			await n8n.pollToEnd();
			expect(new Set(n8n.ids)).toEqual(new Set([...made, ...missed]));
		});

		test('is returned, and not repeatedly, when known ones change', async () => {
			const n8n = await watch('flowRunFailed', { 'options.maxItems': 10 });
			service.pass();
			const first = cancelMany(20);
			await n8n.pollToEnd();
			service.pass();
			const second = cancelMany(25);
			service.pass();
			for (const run of service.runs) if (first.includes(run.id)) run.updated = service.time;
			await n8n.pollToEnd();
			await n8n.pollToEnd();
			expect(new Set(n8n.ids)).toEqual(new Set([...first, ...second]));
		});
	});
});

test('for a platform with more users than a list may have, only possibly new ones are read', async () => {
	limits.defaultPageSize = 10;
	limits.triggerRunsPageSize = limits.defaultPageSize;
	limits.maxRecordsPerItem = 100;
	makeMany(500, addUser, HOUR);
	const n8n = await watch('userJoined');
	const made = makeMany(30, addUser, HOUR);
	for (let count = 0; count < 2; count++) {
		service.pages = 0;
		await n8n.poll();
		expect(service.pages).toBeLessThanOrEqual(5);
		await n8n.restart();
	}
	expect(n8n.errors).toEqual([]);
	expect(n8n.ids).toEqual(made);
});

test('a first poll that finds nothing later returns nothing from before it', async () => {
	service.addRun({ created: ago(2 * DAY) });
	const parameters: IDataObject = { event: 'flowRunFailed', statuses: ['FAILED'] };
	const n8n = new FakeN8n(service, parameters);
	await n8n.activate('activate');
	parameters['options.lookbackHours'] = 72;
	await n8n.activate('update');
	await n8n.poll();
	expect(n8n.given).toEqual([]);
	service.pass();
	const id = service.addRun().id;
	expect(await n8n.idsAfterPoll()).toEqual([id]);
});

test('events during a long first poll are not lost', async () => {
	limits.maxConcurrency = 1;
	limits.defaultPageSize = 3;
	limits.triggerRunsPageSize = limits.defaultPageSize;
	makeMany(8, () => service.addFlow({ projectId: 'project-b', created: ago(DAY) }).id);
	const made: string[] = [];
	// The list of projects and that of project A have been read.
	const happens = () => {
		made.push(service.addFlow().id);
		service.pass(30 * MINUTE);
		made.push(service.addFlow({ projectId: 'project-b' }).id);
	};
	service.meanwhile = { pages: 2, happens };
	const n8n = await watch('flowCreated');
	expect(made).toHaveLength(2);
	expect(await n8n.idsAfterPoll()).toContain(made[0]);
});

test('for a service that does not send its time, that of n8n is used', async () => {
	service.isDated = false;
	service.addUser(ago(DAY));
	const n8n = await watch('userJoined');
	const late = service.addUser(ago(MINUTE));
	const id = service.addUser();
	expect(await n8n.idsAfterPoll()).toEqual([late, id]);
});

test('a run that failed while a poll read many later ones is not lost', async () => {
	limits.maxConcurrency = 1;
	limits.triggerSeenRecords = 10;
	const fail = (projectId: string) => service.addRun({ projectId }).id;
	const n8n = await watch('flowRunFailed', { 'options.maxItems': 5000 });
	const made: string[] = [];
	// The projects and the runs of project A have been read.
	const happens = () => {
		service.pass(2000);
		made.push(fail('project-a'));
		made.push(...makeMany(30, () => fail('project-b'), 100));
	};
	service.meanwhile = { pages: 1, happens };
	await n8n.poll();
	expect(n8n.given).toHaveLength(30);
	await n8n.poll();
	await n8n.restart();
	await n8n.poll();
	expect([...n8n.ids].sort()).toEqual(made.sort());
});

test('IDs are forgotten once no records of their time appear any more', async () => {
	limits.triggerSeenRecords = 2;
	const n8n = await watch('userJoined', { 'options.maxItems': 5000 });
	const made = makeMany(100, addUser, MINUTE);
	// A record that is dated in the future makes none of them older.
	service.users.push({ id: 'future', created: '2030-01-01T00:00:00.000Z' });
	await n8n.poll();
	expect(await n8n.idsAfterRestart()).toEqual([...made, 'future']);
	expect(made.filter((id) => n8n.stored.includes(id))).toEqual(made.slice(-6));
});
