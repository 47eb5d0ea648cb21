import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { FakeService } from './fakeService';
import { useLimits } from './useLimits';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const YEAR = 365 * DAY;

let service: FakeService;
beforeEach(() => {
	service = new FakeService();
});
useLimits(() => {
	limits.delayScale = 0;
});

const ids = (items: IDataObject[]) => items.map(({ id }) => id);

function addUser(created = service.time): string {
	const id = service.id('user');
	service.users.push({ id, created });
	return id;
}
const inTenYears = (ms = 0) => new Date(service.now + 10 * YEAR + ms).toISOString();
const addRun = (others: IDataObject = {}) => {
	const run = {
		id: service.id('run'),
		projectId: 'project-a',
		created: service.time,
		updated: service.time,
		status: 'FAILED',
		finishTime: service.time as string | null,
		...others,
	};
	service.runs.push(run);
	return run;
};
const watchRuns = (others: IDataObject = {}) =>
	new FakeN8n(service, {
		event: 'flowRunFailed',
		statuses: ['FAILED', 'INTERNAL_ERROR', 'CANCELED'],
		...others,
	});

describe('records of the future', () => {
	test.each([true, false])(
		'are given once, and few of many are kept (of one moment: %s)',
		async (isOneMoment) => {
			const n8n = new FakeN8n(service, { event: 'userJoined', 'options.maxItems': 1500 });
			addUser();
			await n8n.activate('activate');
			const made = Array.from({ length: 4000 }, (_, i) => addUser(inTenYears(isOneMoment ? 0 : i)));
			for (let poll = 0; poll < 5; poll++) await n8n.poll();
			expect(ids(n8n.given).sort()).toEqual(made.sort());
			expect(n8n.stored.length).toBeLessThan(50 * limits.triggerSeenRecords);
			await n8n.restart();
			service.now += MINUTE;
			const id = addUser();
			await n8n.poll();
			expect(ids(n8n.given.slice(made.length))).toEqual([id]);
		},
	);

	test.each([true, false])(
		'one of the year 9999 at the activation hides none of those that follow (dated: %s)',
		async (isDated) => {
			service.isDated = isDated;
			addUser();
			addUser('9999-12-31T23:59:59.999Z');
			const n8n = new FakeN8n(service, { event: 'userJoined' });
			await n8n.activate('activate');
			const made: string[] = [];
			for (let count = 0; count < 3; count++) {
				service.now += 20 * MINUTE;
				made.push(addUser());
				await n8n.poll();
			}
			await n8n.restart();
			expect(ids(n8n.given)).toEqual(made);
		},
	);

	test.each([true, false])(
		'a run of the year 9999 does not shorten what is asked for after a week of standstill (dated: %s)',
		async (isDated) => {
			service.isDated = isDated;
			addRun();
			const n8n = watchRuns();
			await n8n.activate('activate');
			const far = addRun({ finishTime: '9999-12-31T23:59:59.999Z' }).id;
			await n8n.poll();
			service.now += MINUTE;
			const { id } = addRun();
			service.now += 7 * DAY;
			await n8n.poll();
			expect(ids(n8n.given)).toEqual([far, id]);
		},
	);

	test('a server whose clock was wrong at the activation is gone by its right one later', async () => {
		service.skew = Date.parse('9999-01-01T00:00:00.000Z') - service.now;
		const n8n = new FakeN8n(service, { event: 'userJoined' });
		await n8n.activate('activate');
		service.skew = 0;
		await n8n.poll();
		service.now += MINUTE;
		const id = addUser();
		await n8n.poll();
		expect(ids(n8n.given)).toEqual([id]);
	});
});

describe('many records of now', () => {
	test('of one moment and beyond Max Items per Poll all are given once', async () => {
		limits.triggerSeenRecords = 10;
		const n8n = new FakeN8n(service, { event: 'userJoined', 'options.maxItems': 10 });
		await n8n.activate('activate');
		const then = service.time;
		service.now += DAY;
		const younger = addUser();
		await n8n.poll();
		expect(ids(n8n.given.splice(0))).toEqual([younger]);
		// They come to light a day late.
		const made = Array.from({ length: 50 }, () => addUser(then));
		for (let poll = 0; poll < 7; poll++) await n8n.poll();
		expect(ids(n8n.given).sort()).toEqual(made.sort());
	});

	test('take no more room than the bound, and none is repeated', async () => {
		limits.triggerSeenRecords = 10;
		limits.triggerMaxEntries = 100;
		const n8n = new FakeN8n(service, { event: 'userJoined', 'options.maxItems': 5000 });
		await n8n.activate('activate');
		const made = Array.from({ length: 500 }, () => {
			service.now += 10;
			return addUser();
		});
		await n8n.poll();
		await n8n.restart();
		await n8n.poll();
		expect(ids(n8n.given)).toEqual(made);
		expect(made.filter((id) => n8n.stored.includes(id))).toHaveLength(100);
	});

	test('broken connections take no more room than the bound, and none is repeated', async () => {
		limits.triggerMaxEntries = 100;
		const breakOne = () => {
			service.now += 1;
			const { time } = service;
			const id = service.id('connection');
			service.connections.push({ id, created: time, updated: time, status: 'ERROR' });
			return id;
		};
		for (let count = 0; count < 500; count++) breakOne();
		const n8n = new FakeN8n(service, {
			event: 'connectionNeedsAttention',
			'options.maxItems': 150,
		});
		await n8n.activate('activate');
		expect(n8n.stored.length).toBeLessThan(100 * 100);
		const made = Array.from({ length: 300 }, breakOne);
		for (let poll = 0; poll < 4; poll++) await n8n.poll();
		await n8n.restart();
		await n8n.poll();
		expect(ids(n8n.given)).toEqual(made);
		expect(n8n.stored.length).toBeLessThan(100 * 100);
	});
});

describe('a run without finishTime', () => {
	const touch = (run: IDataObject) => {
		service.now += MINUTE;
		run.updated = service.time;
	};

	test.each(['INTERNAL_ERROR', 'CANCELED'])(
		'is given once, however often it is touched: %s',
		async (status) => {
			limits.triggerSeenRecords = 2;
			const before = addRun({ status, finishTime: null, startTime: null });
			const n8n = watchRuns();
			await n8n.activate('activate');
			service.now += MINUTE;
			const run = addRun({ status, finishTime: null, startTime: service.time });
			const others: string[] = [];
			for (let count = 0; count < 6; count++) {
				touch(run);
				touch(before);
				others.push(addRun().id);
				await n8n.poll();
			}
			await n8n.restart();
			touch(run);
			await n8n.poll();
			expect(ids(n8n.given).filter((id) => !others.includes(String(id)))).toEqual([run.id]);
			expect(n8n.given).toHaveLength(others.length + 1);
		},
	);

	test('is given again when it fails again after a retry, with and without a finish', async () => {
		const n8n = watchRuns({ simplify: false });
		await n8n.activate('activate');
		const run = addRun({ status: 'INTERNAL_ERROR', finishTime: null, startTime: service.time });
		await n8n.poll();
		const retry = async (others: IDataObject) => {
			service.now += MINUTE;
			Object.assign(run, { status: 'RUNNING', startTime: service.time, updated: service.time });
			await n8n.poll();
			service.now += MINUTE;
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
		const n8n = watchRuns();
		await n8n.activate('activate');
		const made = Array.from({ length: 50 }, () => addRun({ finishTime: null }).id);
		await n8n.poll();
		expect(made.filter((id) => n8n.stored.includes(id))).toHaveLength(20);
	});
});
