import { limits } from '../../../nodes/Activepieces/transport/limits';
import type { FakeN8n } from './fakeN8n';
import { HOUR, MINUTE, service, useFakes, watch } from './useFakes';

const PAGE = 10;

useFakes(() => {
	limits.defaultPageSize = PAGE;
	limits.triggerRunsPageSize = limits.defaultPageSize;
	// No list is read as a whole.
	limits.maxRecordsPerItem = 5 * PAGE;
});

/** Runs that fail, one every so many milliseconds, each with the duration that it is given. */
function failMany(
	count: number,
	everyMs: number,
	how: { duration?: (index: number) => number; projectId?: string } = {},
): string[] {
	const { duration = () => 0, projectId } = how;
	return Array.from({ length: count }, (_, index) => {
		service.pass(everyMs);
		const finishTime = new Date(service.now + duration(index)).toISOString();
		return service.addRun({ created: service.time, finishTime, ...(projectId && { projectId }) })
			.id;
	});
}

/** Polls to the end; gives how many items and pages each poll had. */
async function pollAll(n8n: FakeN8n): Promise<Array<{ items: number; pages: number }>> {
	const polls: Array<{ items: number; pages: number }> = [];
	let quiet = 0;
	while (quiet < 2 && polls.length < 200) {
		service.pages = 0;
		const { length: items } = await n8n.poll();
		polls.push({ items, pages: service.pages });
		quiet = items === 0 ? quiet + 1 : 0;
	}
	expect(quiet).toBe(2);
	return polls;
}

const ALL = { 'options.lookbackHours': 1 };
const OF_ONE = { ...ALL, projectId: 'project-a' };

describe.each([
	['of one project', OF_ONE],
	['of all projects', ALL],
])('more failed runs than a list may have, %s', (_name, parameters) => {
	test.each([1, 7, 60, 1000])('are all given once, the oldest first (%d per poll)', async (max) => {
		const n8n = await watch('flowRunFailed', { ...parameters, 'options.maxItems': max });
		const made = failMany(500, 20 * MINUTE).slice(0, max === 1 ? 60 : undefined);
		if (max === 1) service.runs = service.runs.slice(0, 60);
		const polls = await pollAll(n8n);
		expect(n8n.ids).toEqual(made);
		expect(n8n.errors).toEqual([]);
		expect(n8n.warnings).toEqual([]);
		expect(Math.max(...polls.map(({ items }) => items))).toBeLessThanOrEqual(max);
		if (max !== 7) return;
		// Newest pages, the search for a length that fits, and few pieces: nothing like the 50 pages of all.
		expect(Math.max(...polls.map(({ pages }) => pages))).toBeLessThan(20);
	});

	test('are all given once although n8n is restarted, or down, between any two polls', async () => {
		const n8n = await watch('flowRunFailed', { ...parameters, 'options.maxItems': 20 });
		const made = failMany(300, MINUTE);
		for (let count = 0; count < 40; count++) {
			if (count % 3 === 1) {
				service.isDown = true;
				await n8n.poll();
				service.isDown = false;
			}
			if (count % 3 === 2) await n8n.restart();
			else await n8n.poll();
			service.pass(MINUTE);
		}
		expect(n8n.ids).toEqual(made);
	});

	test('are all given once although many are of one moment and others take long', async () => {
		const n8n = await watch('flowRunFailed', { ...parameters, 'options.maxItems': 25 });
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

	test('are all given once although more of them fail meanwhile', async () => {
		const n8n = await watch('flowRunFailed', { ...parameters, 'options.maxItems': 30 });
		const made = failMany(300, 2 * MINUTE, { duration: (index) => (index % 5) * MINUTE });
		for (let count = 0; count < 40; count++) {
			await n8n.poll();
			made.push(...failMany(3, 20_000, { duration: () => 0 }));
		}
		service.pass(HOUR);
		await pollAll(n8n);
		expect([...n8n.ids].sort()).toEqual([...made].sort());
	});

	test('are all given once although one that is dated ahead was given before them', async () => {
		const n8n = await watch('flowRunFailed', { ...parameters, 'options.maxItems': 20 });
		service.pass();
		const finishTime = new Date(service.now + 5 * 24 * HOUR).toISOString();
		const made = [service.addRun({ finishTime }).id];
		await n8n.poll();
		made.push(...failMany(200, 30 * MINUTE));
		await n8n.restart();
		await pollAll(n8n);
		expect(n8n.ids).toEqual(made);
	});

	test('that are known within Lookback keep no new one back', async () => {
		const n8n = await watch('flowRunFailed', { ...parameters, 'options.lookbackHours': 1000 });
		const made: string[] = [];
		for (let day = 0; day < 30; day++) {
			made.push(...failMany(10, HOUR));
			await n8n.poll();
		}
		expect(n8n.ids).toEqual(made);
		// Of the oldest one, which is retried.
		service.pass(MINUTE);
		const [run] = service.runs;
		run.finishTime = service.time;
		const [id] = failMany(1, MINUTE);
		await n8n.poll();
		await n8n.poll();
		expect(n8n.ids.slice(made.length)).toEqual([run.id, id]);
	});

	test('that were there when watching began are not given', async () => {
		failMany(200, HOUR);
		const before = failMany(200, 10_000);
		const n8n = await watch('flowRunFailed', { ...parameters, 'options.lookbackHours': 300 });
		const made = failMany(2, MINUTE);
		await pollAll(n8n);
		await n8n.restart();
		expect(before).toHaveLength(200);
		expect(n8n.ids).toEqual(made);
	});
});

test('a project with few runs gets its own at their time, between those of one that has many', async () => {
	const n8n = await watch('flowRunFailed', { ...ALL, 'options.maxItems': 20 });
	const made: string[] = [];
	for (let count = 0; count < 10; count++) {
		made.push(...failMany(30, MINUTE, { projectId: 'project-a' }));
		made.push(...failMany(1, MINUTE, { projectId: 'project-b' }));
	}
	await pollAll(n8n);
	expect(n8n.ids).toEqual(made);
});

test.each([['project-b'], ['project-a']])(
	'many runs of a project that could not be read come once it can be read again: %s',
	async (refused) => {
		const n8n = await watch('flowRunFailed', { ...ALL, 'options.maxItems': 40 });
		service.refused.set(refused, 500);
		const made: string[] = [];
		for (let count = 0; count < 10; count++) {
			made.push(...failMany(30, MINUTE, { projectId: refused }));
			made.push(
				...failMany(2, MINUTE, { projectId: refused === 'project-a' ? 'project-b' : 'project-a' }),
			);
			await n8n.poll();
		}
		expect(n8n.given).toHaveLength(20);
		service.refused.clear();
		await pollAll(n8n);
		expect([...n8n.ids].sort()).toEqual([...made].sort());
	},
);

// Of one moment the search takes steps as well.
test.each([
	['createdBefore', MINUTE, 12],
	['createdAfter', MINUTE, 15],
	['createdBefore', 0, 12],
	['createdAfter', 0, 50],
] as const)(
	'are read as one list where something in front of the service leaves out %s (a run every %d ms)',
	async (ignored, everyMs, most) => {
		const n8n = await watch('flowRunFailed', ALL);
		service.ignored = ignored;
		service.pass();
		const made = failMany(40, everyMs, { projectId: 'project-a' });
		const polls = await pollAll(n8n);
		expect(n8n.ids).toEqual(made);
		expect(Math.max(...polls.map(({ pages }) => pages))).toBeLessThan(most);
	},
);

test('a project whose pieces never end is named once, and soon given up', async () => {
	const n8n = await watch('flowRunFailed', ALL);
	service.pass();
	const { id } = service.addRun({ projectId: 'project-b' });
	const row = service.addRun({ projectId: 'project-a' });
	let pages = 0;
	service.answers.set('project-a', ({ qs = {} }) => ({
		statusCode: 200,
		headers: {},
		body: JSON.stringify({
			data: qs.createdBefore === undefined ? [row] : [],
			next: `next-${pages++}`,
		}),
	}));
	await n8n.poll();
	expect(n8n.ids).toEqual([id]);
	expect(n8n.warnings).toEqual([
		expect.stringMatching(
			/^Trigger: The project "project-a" \(project-a\) cannot be read: The server returns only empty pages of the list of flow runs\. The trigger reads/,
		),
	]);
	expect(pages).toBeLessThan(120);
});

test('so many items as may wait are kept in memory, and none is lost', async () => {
	limits.triggerPendingItems = 20;
	const n8n = await watch('flowRunFailed', { ...ALL, 'options.maxItems': 15 });
	const made: string[] = [];
	for (let count = 0; count < 20; count++) {
		made.push(...failMany(5, MINUTE, { projectId: 'project-a' }));
		made.push(...failMany(5, MINUTE, { projectId: 'project-b' }));
	}
	await pollAll(n8n);
	expect(n8n.ids).toEqual(made);
});
