import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { HAPPENINGS } from './fakeService';
import { DAY, HOUR, MINUTE, service, useFakes, watch } from './useFakes';

const YEAR = 365 * DAY;

useFakes();

const inTenYears = (ms = 0) => new Date(service.now + 10 * YEAR + ms).toISOString();
describe('records of the future', () => {
	test.each([true, false])(
		'are given once, and few of many are kept (of one moment: %s)',
		async (isOneMoment) => {
			limits.triggerSeenRecords = 100;
			const n8n = new FakeN8n(service, { event: 'userJoined', 'options.maxItems': 150 });
			service.addUser();
			await n8n.activate('activate');
			const made = Array.from({ length: 400 }, (_, i) =>
				service.addUser(inTenYears(isOneMoment ? 0 : i)),
			);
			for (let poll = 0; poll < 5; poll++) await n8n.poll();
			expect([...n8n.ids].sort()).toEqual(made.sort());
			expect(n8n.stored.length).toBeLessThan(50 * limits.triggerSeenRecords);
			await n8n.restart();
			service.pass();
			const id = service.addUser();
			await n8n.poll();
			expect(n8n.ids.slice(made.length)).toEqual([id]);
		},
	);

	test.each([true, false])(
		'one of the year 9999 at the activation hides none of those that follow (dated: %s)',
		async (isDated) => {
			service.isDated = isDated;
			service.addUser();
			service.addUser('9999-12-31T23:59:59.999Z');
			const n8n = await watch('userJoined');
			const made: string[] = [];
			for (let count = 0; count < 3; count++) {
				service.pass(20 * MINUTE);
				made.push(service.addUser());
				await n8n.poll();
			}
			await n8n.restart();
			expect(n8n.ids).toEqual(made);
		},
	);

	test.each([true, false])(
		'a run of the year 9999 does not shorten what is asked for after a week of standstill (dated: %s)',
		async (isDated) => {
			service.isDated = isDated;
			service.addRun();
			const n8n = await watch('flowRunFailed');
			const far = service.addRun({ finishTime: '9999-12-31T23:59:59.999Z' }).id;
			await n8n.poll();
			service.pass();
			const { id } = service.addRun();
			service.pass(7 * DAY);
			await n8n.poll();
			expect(n8n.ids).toEqual([far, id]);
		},
	);

	test.each([13 * HOUR, 5 * DAY])(
		'a run dated %d ms ahead loses none of a backlog that takes several polls',
		async (ahead) => {
			const n8n = await watch('flowRunFailed', {
				'options.maxItems': 10,
				'options.lookbackHours': 1,
			});
			service.pass();
			const finishTime = new Date(service.now + ahead).toISOString();
			const made = [service.addRun({ finishTime }).id];
			await n8n.poll();
			for (let count = 0; count < 120; count++) {
				service.pass(10 * MINUTE);
				made.push(service.addRun().id);
			}
			await n8n.restart();
			service.pass();
			await n8n.pollToEnd();
			expect(n8n.ids).toEqual(made);
		},
	);

	test('a server whose clock was wrong at the activation is gone by its right one later', async () => {
		service.skew = Date.parse('9999-01-01T00:00:00.000Z') - service.now;
		const n8n = await watch('userJoined');
		service.skew = 0;
		await n8n.poll();
		service.pass();
		const id = service.addUser();
		await n8n.poll();
		expect(n8n.ids).toEqual([id]);
	});
});

test.each([
	'userJoined',
	'flowCreated',
	'flowStatusChanged',
	'flowRunFailed',
	'flowRunSucceeded',
	'connectionNeedsAttention',
])('rows without an ID that can be used are no events: %s', async (event) => {
	const n8n = await watch(event);
	const made: string[] = [];
	for (const id of [undefined, null, '', {}, true]) {
		service.pass();
		made.push(HAPPENINGS[event](service));
		HAPPENINGS[event](service);
		const rows = [service.users, service.flows, service.runs, service.connections];
		for (const row of rows.map((each) => each.at(-1))) {
			if (row !== undefined) Object.assign(row, { id });
		}
		await n8n.poll();
		await n8n.poll();
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
		await n8n.poll();
		expect(n8n.ids).toEqual([younger]);
		// They come to light a day late.
		const made = Array.from({ length: 50 }, () => service.addUser(then));
		for (let poll = 0; poll < 7; poll++) await n8n.poll();
		expect(n8n.ids.slice(1).sort()).toEqual(made.sort());
	});

	test('take no more room than the bound, and none is repeated', async () => {
		limits.triggerSeenRecords = 10;
		limits.triggerMaxEntries = 100;
		const n8n = await watch('userJoined', { 'options.maxItems': 5000 });
		const made = Array.from({ length: 500 }, () => {
			service.pass(10);
			return service.addUser();
		});
		await n8n.poll();
		await n8n.restart();
		await n8n.poll();
		expect(n8n.ids).toEqual(made);
		expect(made.filter((id) => n8n.stored.includes(id))).toHaveLength(100);
	});

	test('broken connections take no more room than the bound, and none is repeated', async () => {
		limits.triggerMaxEntries = 100;
		const breakOne = () => {
			service.pass(1);
			return service.addConnection().id;
		};
		for (let count = 0; count < 500; count++) breakOne();
		const n8n = await watch('connectionNeedsAttention', { 'options.maxItems': 150 });
		expect(n8n.stored.length).toBeLessThan(100 * 100);
		const made = Array.from({ length: 300 }, breakOne);
		for (let poll = 0; poll < 4; poll++) await n8n.poll();
		await n8n.restart();
		await n8n.poll();
		expect(n8n.ids).toEqual(made);
		expect(n8n.stored.length).toBeLessThan(100 * 100);
	});
});

describe('a run without finishTime', () => {
	const touch = (run: { updated?: string }) => {
		service.pass();
		run.updated = service.time;
	};

	test.each(['INTERNAL_ERROR', 'CANCELED'])(
		'is given once, however often it is touched: %s',
		async (status) => {
			limits.triggerSeenRecords = 2;
			const before = service.addRun({ status, finishTime: null, startTime: null });
			const n8n = await watch('flowRunFailed');
			service.pass();
			const run = service.addRun({ status, finishTime: null, startTime: service.time });
			const others: string[] = [];
			for (let count = 0; count < 6; count++) {
				touch(run);
				touch(before);
				others.push(service.addRun().id);
				await n8n.poll();
			}
			await n8n.restart();
			touch(run);
			await n8n.poll();
			expect(n8n.ids.filter((id) => !others.includes(String(id)))).toEqual([run.id]);
			expect(n8n.given).toHaveLength(others.length + 1);
		},
	);

	test('is given again when it fails again after a retry, with and without a finish', async () => {
		const n8n = await watch('flowRunFailed', { simplify: false });
		const run = service.addRun({
			status: 'INTERNAL_ERROR',
			finishTime: null,
			startTime: service.time,
		});
		await n8n.poll();
		const retry = async (others: IDataObject) => {
			service.pass();
			Object.assign(run, { status: 'RUNNING', startTime: service.time, updated: service.time });
			await n8n.poll();
			service.pass();
			Object.assign(run, { status: 'FAILED', updated: service.time, ...others });
			await n8n.poll();
			await n8n.poll();
		};
		await retry({ status: 'INTERNAL_ERROR' });
		await retry({ finishTime: new Date(service.now).toISOString() });
		await retry({ status: 'CANCELED', finishTime: null });
		expect(n8n.given.map(({ status }) => status)).toEqual([
			'INTERNAL_ERROR',
			'INTERNAL_ERROR',
			'FAILED',
			'CANCELED',
		]);
	});

	test('takes no more room than the bound', async () => {
		limits.triggerMaxEntries = 20;
		const n8n = await watch('flowRunFailed');
		const made = Array.from({ length: 50 }, () => service.addRun({ finishTime: null }).id);
		await n8n.poll();
		// And the last one of those that are let go.
		expect(made.filter((id) => n8n.stored.includes(id))).toHaveLength(21);
	});

	describe('beyond the bound', () => {
		const cancel = (projectId = 'project-a') =>
			service.addRun({ projectId, status: 'CANCELED', finishTime: null, startTime: service.time })
				.id;
		const cancelMany = (count: number, projectId?: string) =>
			Array.from({ length: count }, () => cancel(projectId));

		test.each([1, 8, 1000])(
			'is given once while nothing changes (%d per poll)',
			async (maxItems) => {
				limits.triggerMaxEntries = 20;
				const n8n = await watch('flowRunFailed', { 'options.maxItems': maxItems });
				service.pass();
				const made = cancelMany(50);
				for (let count = 0; count < 60; count++) {
					service.pass();
					await n8n.poll();
				}
				await n8n.restart();
				await n8n.poll();
				expect([...n8n.ids].sort()).toEqual(made.sort());
			},
		);

		test('is given once when runs come one by one', async () => {
			limits.triggerMaxEntries = 20;
			const before = cancelMany(30);
			const n8n = await watch('flowRunFailed');
			const made: string[] = [];
			for (let count = 0; count < 40; count++) {
				service.pass();
				made.push(cancel());
				await n8n.poll();
			}
			await n8n.restart();
			await n8n.poll();
			expect(n8n.ids).toEqual(made);
			expect(before).toHaveLength(30);
		});

		test('is given of a project that could not be read, or is new, although others have many', async () => {
			limits.triggerMaxEntries = 20;
			const n8n = await watch('flowRunFailed', { 'options.maxItems': 10 });
			service.refused.set('project-b', 403);
			service.pass();
			const missed = cancelMany(15, 'project-b');
			service.pass();
			await n8n.poll();
			const fresh = cancelMany(15, 'project-new');
			service.pass();
			const made = cancelMany(50);
			for (let count = 0; count < 8; count++) {
				service.pass();
				await n8n.poll();
			}
			expect([...n8n.ids].sort()).toEqual([...made].sort());
			service.refused.clear();
			service.projects.push('project-new');
			service.pass();
			await n8n.pollToEnd();
			expect(new Set(n8n.ids)).toEqual(new Set([...made, ...missed]));
			expect(fresh).toHaveLength(15);
		});

		test('is given, and not for ever, when those that are known are touched', async () => {
			limits.triggerMaxEntries = 20;
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

test('of a platform with more users than a list may have, only those are read that may be new', async () => {
	limits.defaultPageSize = 10;
	limits.triggerRunsPageSize = limits.defaultPageSize;
	limits.maxRecordsPerItem = 100;
	const joinMany = (count: number) =>
		Array.from({ length: count }, () => {
			service.pass(HOUR);
			return service.addUser();
		});
	joinMany(500);
	const n8n = await watch('userJoined');
	const made = joinMany(30);
	for (let count = 0; count < 2; count++) {
		service.pages = 0;
		await n8n.poll();
		expect(service.pages).toBeLessThanOrEqual(5);
		await n8n.restart();
	}
	expect(n8n.errors).toEqual([]);
	expect(n8n.ids).toEqual(made);
});

const ago = (ms: number) => new Date(service.now - ms).toISOString();

test('a first poll that finds nothing gives nothing from before it later on, either', async () => {
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
	await n8n.poll();
	expect(n8n.ids).toEqual([id]);
});

test('what comes during a first poll that takes long is not lost', async () => {
	limits.maxConcurrency = 1;
	limits.defaultPageSize = 3;
	limits.triggerRunsPageSize = limits.defaultPageSize;
	for (let count = 0; count < 8; count++)
		service.addFlow({ projectId: 'project-b', created: ago(DAY) });
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
	await n8n.poll();
	expect(n8n.ids).toContain(made[0]);
});

test('a service that does not tell its time is gone by its records', async () => {
	service.isDated = false;
	service.addUser(ago(DAY));
	const n8n = await watch('userJoined');
	service.addUser(ago(DAY + 10 * MINUTE));
	const late = service.addUser(ago(DAY + MINUTE));
	const id = service.addUser();
	await n8n.poll();
	expect(n8n.ids).toEqual([late, id]);
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
		for (let count = 0; count < 30; count++) {
			service.pass(100);
			made.push(fail('project-b'));
		}
	};
	service.meanwhile = { pages: 1, happens };
	await n8n.poll();
	expect(n8n.given).toHaveLength(30);
	await n8n.poll();
	await n8n.restart();
	await n8n.poll();
	expect([...n8n.ids].sort()).toEqual(made.sort());
});

test('ids are let go once records of their time come no more', async () => {
	limits.triggerSeenRecords = 2;
	const n8n = await watch('userJoined', { 'options.maxItems': 5000 });
	const made: string[] = [];
	for (let count = 0; count < 100; count++) {
		service.pass(60_000);
		made.push(service.addUser());
	}
	// One that is dated in the future makes none of them older.
	service.users.push({ id: 'future', created: '2030-01-01T00:00:00.000Z' });
	await n8n.poll();
	await n8n.restart();
	expect(n8n.ids).toEqual([...made, 'future']);
	expect(made.filter((id) => n8n.stored.includes(id))).toEqual(made.slice(-6));
});
