import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import type { FakeN8n } from './fakeN8n';
import { DAY, HOUR, MINUTE, service, useFakes, watch } from './useFakes';

const PAGE = 10;

useFakes(() => {
	limits.defaultPageSize = PAGE;
	limits.triggerRunsPageSize = limits.defaultPageSize;
	// No list is read completely.
	limits.maxRecordsPerItem = 5 * PAGE;
});

interface How {
	duration?: (index: number) => number;
	projectId?: string;
}

/** Runs that fail, one in each interval, each with the given duration. */
const failMany = (count: number, everyMs: number, { duration = () => 0, ...where }: How = {}) =>
	Array.from({ length: count }, (_, index) => {
		service.pass(everyMs);
		const finishTime = new Date(service.now + duration(index)).toISOString();
		return service.addRun({ finishTime, ...where }).id;
	});

/** Polls to the end; returns the maximum of items and pages of a poll. */
async function pollAll(n8n: FakeN8n): Promise<{ items: number; pages: number }> {
	const most = { items: 0, pages: 0 };
	await n8n.pollToEnd(async () => {
		service.pages = 0;
		const items = await n8n.poll();
		most.items = Math.max(most.items, items.length);
		most.pages = Math.max(most.pages, service.pages);
		return items;
	});
	return most;
}

const watchRuns = async (maxItems: number, parameters: IDataObject = {}) =>
	await watch('flowRunFailed', {
		'options.lookbackHours': 1,
		'options.maxItems': maxItems,
		...parameters,
	});

describe.each([
	['of one project', { projectId: 'project-a' }],
	['of all projects', {}],
])('more failed runs than a list may have, %s', (_name, parameters) => {
	test.each([3, 20, 1000])('are all returned once, oldest first (%d per poll)', async (max) => {
		const n8n = await watchRuns(max, parameters);
		const made = failMany(200, 20 * MINUTE);
		const { items, pages } = await pollAll(n8n);
		expect(n8n.ids).toEqual(made);
		expect([...n8n.errors, ...n8n.warnings]).toEqual([]);
		expect(items).toBeLessThanOrEqual(max);
		// The newest pages, the search for a suitable length, and few parts: not the 20 pages of all.
		if (max === 3) expect(pages).toBeLessThan(15);
	});

	test('are all returned once although n8n is restarted, or down, between any two polls', async () => {
		const n8n = await watchRuns(20, parameters);
		const made = failMany(120, MINUTE);
		for (let count = 0; count < 20; count++) {
			service.isDown = count % 3 === 1;
			await (count % 3 === 2 ? n8n.restart() : n8n.poll());
			service.isDown = false;
			service.pass(MINUTE);
		}
		expect(n8n.ids).toEqual(made);
	});
});

describe('more failed runs than a list may have', () => {
	test('are all returned once although many are of one moment and others take long', async () => {
		const n8n = await watchRuns(25);
		const made = [
			...failMany(120, 30_000, { duration: (index) => (index % 3) * 10 * MINUTE }),
			...failMany(20, 0),
			...failMany(20, 1, { duration: () => 50 * MINUTE }),
			...failMany(120, 30_000, { duration: (index) => (index % 7) * 7 * MINUTE }),
		];
		service.pass(HOUR);
		await pollAll(n8n);
		expect([...n8n.ids].sort()).toEqual([...made].sort());
		const times = n8n.given.map(({ finished }) => Date.parse(String(finished)));
		expect(times).toEqual([...times].sort((a, b) => a - b));
	});

	test('are all returned once although more of them fail in between', async () => {
		const n8n = await watchRuns(30);
		const made = failMany(120, 2 * MINUTE, { duration: (index) => (index % 5) * MINUTE });
		for (let count = 0; count < 20; count++) {
			await n8n.poll();
			made.push(...failMany(3, 20_000));
		}
		service.pass(HOUR);
		await pollAll(n8n);
		expect([...n8n.ids].sort()).toEqual([...made].sort());
	});

	test.each([13 * HOUR, 5 * DAY])(
		'are all returned once after one dated %d ms ahead',
		async (ahead) => {
			const n8n = await watchRuns(20);
			const made = failMany(1, MINUTE, { duration: () => ahead });
			await n8n.poll();
			made.push(...failMany(100, 30 * MINUTE));
			await n8n.restart();
			await pollAll(n8n);
			expect(n8n.ids).toEqual(made);
		},
	);

	test('that are known within Lookback do not withhold new ones', async () => {
		const n8n = await watchRuns(1000, { 'options.lookbackHours': 1000 });
		const made: string[] = [];
		for (let day = 0; day < 12; day++) {
			made.push(...failMany(10, HOUR));
			await n8n.poll();
		}
		expect(n8n.ids).toEqual(made);
		// Of the oldest one, which is retried.
		service.pass();
		const [run] = service.runs;
		run.finishTime = service.time;
		const [id] = failMany(1, MINUTE);
		await n8n.poll();
		await n8n.poll();
		expect(n8n.ids.slice(made.length)).toEqual([run.id, id]);
	});

	test('that existed when watching started are not returned', async () => {
		failMany(70, HOUR);
		failMany(70, 10_000);
		const n8n = await watchRuns(1000, { 'options.lookbackHours': 300 });
		const made = failMany(2, MINUTE);
		await pollAll(n8n);
		expect(await n8n.idsAfterRestart()).toEqual(made);
	});
});

test.each([
	['project-b', 'project-a'],
	['project-a', 'project-b'],
])(
	'many runs of a project that could not be read are returned later: %s',
	async (refused, other) => {
		const n8n = await watchRuns(40);
		service.refused.set(refused, 500);
		const made: string[] = [];
		for (let count = 0; count < 10; count++) {
			made.push(...failMany(15, MINUTE, { projectId: refused }));
			made.push(...failMany(2, MINUTE, { projectId: other }));
			await n8n.poll();
		}
		expect(n8n.given).toHaveLength(20);
		service.refused.clear();
		await pollAll(n8n);
		expect([...n8n.ids].sort()).toEqual([...made].sort());
	},
);

// Of one moment the search also takes steps.
test.each([
	['createdBefore', MINUTE, 12],
	['createdAfter', MINUTE, 15],
	['createdBefore', 0, 12],
	['createdAfter', 0, 60],
] as const)(
	'are read as one list if a proxy removes %s (a run every %d ms)',
	async (ignored, everyMs, most) => {
		const n8n = await watchRuns(1000);
		service.ignored = ignored;
		service.pass();
		const made = failMany(40, everyMs, { projectId: 'project-a' });
		const { pages } = await pollAll(n8n);
		expect(n8n.ids).toEqual(made);
		expect(pages).toBeLessThan(most);
	},
);

test('a project whose list never ends is reported once, and soon given up', async () => {
	const n8n = await watchRuns(1000);
	service.pass();
	const { id } = service.addRun({ projectId: 'project-b' });
	const row = service.addRun({ projectId: 'project-a' });
	let pages = 0;
	service.answers.set('project-a', ({ qs = {} }) => {
		const data = qs.createdBefore === undefined ? [row] : [];
		const body = JSON.stringify({ data, next: `next-${pages++}` });
		return { statusCode: 200, headers: {}, body };
	});
	expect(await n8n.idsAfterPoll()).toEqual([id]);
	const told =
		'Trigger: The project "project-a" (project-a) cannot be read: The server returns only empty pages of the list of flow runs. The trigger still reads';
	expect(n8n.warnings.map((line) => line.slice(0, told.length))).toEqual([told]);
	expect(pages).toBeLessThan(120);
});

test('of many runs of several projects none is lost', async () => {
	const n8n = await watchRuns(15);
	const made: string[] = [];
	for (let count = 0; count < 20; count++) {
		made.push(...failMany(5, MINUTE, { projectId: 'project-a' }));
		made.push(...failMany(5, MINUTE, { projectId: 'project-b' }));
	}
	await pollAll(n8n);
	expect(n8n.ids).toEqual(made);
});
