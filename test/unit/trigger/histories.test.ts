import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { type FakeRun, FakeService, HAPPENINGS } from './fakeService';
import { DAY, HOUR, MINUTE, useFakes } from './useFakes';

const FAILED = ['FAILED', 'TIMEOUT'];
const ENDS = [...FAILED, 'SUCCEEDED'];

useFakes(() => {
	// Edges of pages everywhere.
	limits.defaultPageSize = 3;
	limits.triggerRunsPageSize = limits.defaultPageSize;
});

/** What n8n does, and the service's being there. */
type Step =
	| { do: keyof typeof WEIGHTS }
	| { do: 'pass'; ms: number }
	| { do: 'happen'; what: number; which: number };

/** By how often each is tried */
const WEIGHTS = {
	poll: 6,
	pollWhileDown: 1,
	restart: 2,
	restartWhileDown: 1,
	update: 1,
	updateWhileDown: 1,
	publishDuringPoll: 1,
	reactivate: 1,
	reactivateWhileDown: 1,
};

const step = (happenings: number): fc.Arbitrary<Step> =>
	fc.oneof(
		...Object.entries(WEIGHTS).map(([name, weight]) => ({
			weight,
			arbitrary: fc.constant({ do: name as keyof typeof WEIGHTS }),
		})),
		{
			weight: 4,
			arbitrary: fc
				.constantFrom(1, 999, MINUTE, 20 * MINUTE, 7 * DAY)
				.map((ms) => ({ do: 'pass' as const, ms })),
		},
		{
			weight: 14,
			arbitrary: fc
				.tuple(fc.nat(happenings - 1), fc.nat(50))
				.map(([what, which]) => ({ do: 'happen' as const, what, which })),
		},
	);

/** What an event promises, and what can happen to what it watches. */
interface Rule {
	happen(what: number, which: number): void;
	/** Called after every poll that got through, with what it gave */
	afterPoll(items: IDataObject[], was: { begun: boolean; restarted: boolean }): void;
	/** Called when polls give nothing more */
	atEnd?(): void;
}

async function play(service: FakeService, n8n: FakeN8n, rule: Rule, steps: Step[]): Promise<void> {
	/** Something that n8n has not stored may have been forgotten since the last poll that got through */
	let restarted = false;
	const pollBy = async (poll: () => Promise<IDataObject[]>, begun: boolean, forgets = false) => {
		restarted ||= forgets;
		// What moves while the list is read for the first time may look new afterwards (docs/trigger.md).
		if (!begun) service.meanwhile = undefined;
		const items = await poll();
		if (service.isDown) expect(items).toEqual([]);
		else {
			rule.afterPoll(items, { begun, restarted });
			restarted = false;
		}
		return items;
	};
	const whileDown = async (act: () => Promise<unknown>) => {
		service.isDown = true;
		await act();
		service.isDown = false;
	};
	const actions: Record<keyof typeof WEIGHTS, () => Promise<unknown>> = {
		poll: async () => await pollBy(async () => await n8n.poll(), n8n.hasState),
		pollWhileDown: async () => await whileDown(actions.poll),
		restart: async () => await pollBy(async () => await n8n.restart(), n8n.hasStoredState, true),
		restartWhileDown: async () => await whileDown(actions.restart),
		update: async () =>
			await pollBy(async () => await n8n.activate('update'), n8n.hasState || n8n.hasStoredState),
		updateWhileDown: async () => await whileDown(actions.update),
		publishDuringPoll: async () => {
			// Nothing moves while the poll is under way, so that it and the next one see the same.
			service.meanwhile = undefined;
			const begun = n8n.hasState || n8n.hasStoredState;
			if (begun) await pollBy(async () => await n8n.publishDuringPoll(), begun, true);
		},
		reactivate: async () => await pollBy(async () => await n8n.activate('activate'), false, true),
		reactivateWhileDown: async () => await whileDown(actions.reactivate),
	};
	await actions.reactivate();
	for (const each of steps) {
		if (each.do === 'pass') service.now += each.ms;
		else if (each.do === 'happen') rule.happen(each.what, each.which);
		else await actions[each.do]();
	}
	service.meanwhile = undefined;
	await n8n.pollToEnd(async () => (await actions.poll()) as IDataObject[]);
	const others = n8n.errors.filter(({ message }) => !message.includes('too many requests'));
	expect(others).toEqual([]);
	rule.atEnd?.();
}

interface Histories {
	parameters: fc.Arbitrary<IDataObject>;
	/** How many kinds of things can happen */
	happenings: number;
	numRuns?: number;
	/** The rule for a service in which nothing has happened yet */
	ruleOf(service: FakeService, parameters: IDataObject): Rule;
}

/** Whatever happens in whatever order, with either scheduler of n8n: the rule holds after every poll. */
async function assertForAnyHistory({ parameters, happenings, numRuns = 60, ruleOf }: Histories) {
	await fc.assert(
		fc.asyncProperty(
			// By itself fast-check tries no more than ten steps.
			fc.array(step(happenings), { minLength: 5, maxLength: 60, size: 'max' }),
			parameters,
			fc.boolean(),
			async (steps, values, isDurable) => {
				const service = new FakeService();
				const n8n = new FakeN8n(service, values, isDurable);
				await play(service, n8n, ruleOf(service, values), steps);
			},
		),
		{ numRuns },
	);
}

/** An event, with any number of items per poll. */
const watching = (event: string, others: IDataObject = {}): fc.Arbitrary<IDataObject> =>
	fc
		.constantFrom(1, 2, 1000)
		.map((maxItems) => ({ event, ...others, 'options.maxItems': maxItems }));

/** Every event is given exactly once, and none that was there when watching began. */
function exactlyOnce(
	visible: () => string[],
	keyOf: (item: IDataObject) => string,
): Pick<Rule, 'afterPoll' | 'atEnd'> {
	const open = new Set<string>();
	const known = new Set<string>();
	return {
		afterPoll(items, { begun }) {
			const keys = items.map(keyOf);
			if (!begun) {
				expect(keys).toEqual([]);
				open.clear();
				for (const key of visible()) known.add(key);
				return;
			}
			for (const key of keys) {
				expect(known.has(key)).toBe(false);
				open.delete(key);
				known.add(key);
			}
			// What has become visible is expected to come out from now on.
			for (const key of visible()) if (!known.has(key)) open.add(key);
		},
		atEnd() {
			const now = new Set(visible());
			expect([...open].filter((key) => now.has(key))).toEqual([]);
		},
	};
}

/** Users join, some of them stored later than a younger one. */
function usersJoin(service: FakeService): Rule {
	return {
		...exactlyOnce(
			() => service.users.map(({ id }) => id),
			({ id }) => String(id),
		),
		happen(what, which) {
			const late = what === 0 ? which * 1000 : 0;
			const created = new Date(service.now - late).toISOString();
			service.addUser(created);
		},
	};
}

test('userJoined: every user is given exactly once, also of equal times, late ones, and with room for three IDs', async () => {
	await assertForAnyHistory({
		parameters: fc
			.tuple(watching('userJoined'), fc.constantFrom(3, 1000))
			.map(([values, seen]) => ({ ...values, seen })),
		happenings: 3,
		numRuns: 80,
		ruleOf(service, { seen }) {
			limits.triggerSeenRecords = Number(seen);
			for (let user = 0; user < 4; user++) service.addUser();
			return usersJoin(service);
		},
	});
});

/**
 * Runs start, end in any way, and are retried.
 *
 * @param wanted the statuses that are watched
 */
function runsEnd(service: FakeService, wanted: string[]): Rule {
	const { runs } = service;
	return {
		...exactlyOnce(
			() =>
				runs
					.filter(({ status }) => wanted.includes(status))
					.map(({ id, finishTime }) => `${id} ${finishTime}`),
			({ id, finished }) => `${String(id)} ${String(finished)}`,
		),
		happen(what, which) {
			const run = runs[which % Math.max(1, runs.length)] as FakeRun | undefined;
			const end = { status: ENDS[which % ENDS.length], finishTime: service.time };
			const start = () => ({
				id: service.id('run'),
				projectId: service.projectOf(which),
				created: service.time,
			});
			if (what === 0 || run === undefined) {
				runs.push({ ...start(), status: 'RUNNING', finishTime: null });
			} else if (what === 1) {
				if (run.status === 'RUNNING') Object.assign(run, end);
			} else if (what === 2) {
				// A retry takes a while: a run does not end twice in one millisecond.
				service.now += 1;
				if (run.status !== 'RUNNING') run.status = 'RUNNING';
			} else {
				runs.push({ ...start(), ...end });
			}
		},
	};
}

test.each([
	['flowRunFailed', FAILED],
	['flowRunSucceeded', ['SUCCEEDED']],
])('%s: every end is given exactly once, each of a run that is retried', async (event, wanted) => {
	await assertForAnyHistory({
		parameters: watching(event, { statuses: FAILED, 'options.lookbackHours': 100_000 }),
		happenings: 4,
		ruleOf: (service) => runsEnd(service, wanted),
	});
});

/** Somebody works on flows, also while a list of them is read. */
function workOnFlows(service: FakeService) {
	const change = (what: number, which: number): void => {
		const flow = service.flows[which % Math.max(1, service.flows.length)];
		if (what === 0 || flow === undefined) {
			service.addFlow({ projectId: service.projectOf(which) });
			return;
		}
		service.now += 1;
		flow.updated = service.time;
		if (what === 1) flow.projectId = service.projectOf(which + 1);
		if (what === 2) flow.status = flow.status === 'ENABLED' ? 'DISABLED' : 'ENABLED';
		if (what === 3) flow.publishedVersionId = service.id('version');
	};
	return (what: number, which: number) => {
		if (what < 5) change(what, which);
		else service.meanwhile = { pages: which % 4, happens: () => change(which % 5, which) };
	};
}

test('flowCreated: every flow is given exactly once, also when flows move while they are listed', async () => {
	await assertForAnyHistory({
		parameters: watching('flowCreated'),
		happenings: 7,
		ruleOf(service) {
			const given: string[] = [];
			let before = new Set<string>();
			return {
				happen: workOnFlows(service),
				afterPoll(items, { begun }) {
					if (!begun) {
						expect(items).toEqual([]);
						before = new Set(service.flows.map(({ id }) => id));
					}
					given.push(...items.map(({ id }) => String(id)));
				},
				atEnd() {
					expect(new Set(given).size).toBe(given.length);
					const missing = service.flows.filter(({ id }) => !before.has(id) && !given.includes(id));
					expect(missing).toEqual([]);
				},
			};
		},
	});
});

test.each([
	{ event: 'flowPublished', field: 'publishedVersionId', initial: '' },
	{ event: 'flowStatusChanged', field: 'status', initial: 'DISABLED' },
])(
	'$event: what is given last of every flow is how it is, and nothing is given twice',
	async ({ event, field, initial }) => {
		const valueOf = (flow: object) => String((flow as IDataObject)[field] ?? initial);
		await assertForAnyHistory({
			parameters: watching(event, { simplify: false }),
			happenings: 5,
			ruleOf(service) {
				const known = new Map<string, string>();
				return {
					happen: workOnFlows(service),
					afterPoll(items, { begun }) {
						if (!begun) {
							expect(items).toEqual([]);
							for (const flow of service.flows) known.set(flow.id, valueOf(flow));
						}
						for (const item of items) {
							expect(valueOf(item)).not.toBe(known.get(String(item.id)) ?? initial);
							known.set(String(item.id), valueOf(item));
						}
					},
					atEnd() {
						for (const flow of service.flows) {
							expect(known.get(flow.id) ?? initial).toBe(valueOf(flow));
						}
					},
				};
			},
		});
	},
);

/** Connections break and work again; n8n may forget that it was told when it restarts. */
function connectionsBreak(service: FakeService, maxItems: number): Rule {
	const places = [undefined, ...service.projects];
	for (let index = 0; index < 6; index++) {
		const projectId = places[index % places.length];
		service.addConnection({ projectId, status: index === 0 ? 'ERROR' : 'ACTIVE' });
	}
	/** Broken at every poll since it was given, or since watching began */
	let known = new Set<string>();
	/** Those that may be given once more, since n8n may have forgotten that they were */
	let repeatable = new Set<string>();
	let due: string[] = [];
	/** By id, how the record was dated when it was given or when watching began */
	const told = new Map<string, string>();
	return {
		happen(what, which) {
			const connection = service.connections[which % service.connections.length];
			service.now += 1;
			connection.updated = service.time;
			if (what === 1) connection.status = 'ACTIVE';
			if (what === 2) connection.status = which % 2 === 0 ? 'ERROR' : 'MISSING';
		},
		afterPoll(items, { begun, restarted }) {
			const broken = new Map(
				service.connections
					.filter(({ status }) => status !== 'ACTIVE')
					.map(({ id, updated }) => [id, updated]),
			);
			known = new Set([...known].filter((id) => broken.has(id)));
			if (restarted) repeatable = new Set(known);
			const given = items.map(({ id }) => String(id));
			if (!begun) {
				expect(given).toEqual([]);
				known = new Set(broken.keys());
				for (const [id, updated] of broken) told.set(id, updated);
			}
			due = [...broken.keys()].filter((id) => !known.has(id));
			expect(given.length).toBeGreaterThanOrEqual(Math.min(maxItems, due.length));
			for (const id of given) {
				expect(broken.has(id)).toBe(true);
				expect(due.includes(id) || repeatable.has(id)).toBe(true);
				expect(told.get(id)).not.toBe(broken.get(id));
				told.set(id, String(broken.get(id)));
				known.add(id);
				repeatable.delete(id);
			}
			due = due.filter((id) => !known.has(id));
		},
		atEnd: () => expect(due).toEqual([]),
	};
}

test('connectionNeedsAttention: what breaks is given, at least once, and once without a restart', async () => {
	await assertForAnyHistory({
		parameters: watching('connectionNeedsAttention', { simplify: false }),
		happenings: 3,
		numRuns: 80,
		ruleOf: (service, parameters) =>
			connectionsBreak(service, Number(parameters['options.maxItems'])),
	});
});

/** The number of waiting jobs goes up and down around 10. */
function queueMoves(service: FakeService, clearAt: number | ''): Rule {
	// After a restart n8n may or may not have stored that it was told.
	let isTold: boolean | 'perhaps' = false;
	return {
		happen(_what, which) {
			service.waiting = which % 21;
		},
		afterPoll(items, { begun, restarted }) {
			const { waiting } = service;
			const isAbove = waiting > 10;
			if (restarted && isTold === true) isTold = 'perhaps';
			if (!begun) isTold = isAbove;
			if (begun && isAbove && isTold === false) expect(items).toHaveLength(1);
			if (!isAbove || isTold === true) expect(items).toEqual([]);
			if (isAbove) isTold = true;
			if (clearAt === '' ? !isAbove : waiting < clearAt) isTold = false;
		},
	};
}

test('queueBacklog: every backlog is told, and again only after it fell below Clear At', async () => {
	await assertForAnyHistory({
		parameters: fc.option(fc.integer({ min: 1, max: 10 }), { nil: '' }).map((clearAt) => ({
			event: 'queueBacklog',
			metric: 'waiting',
			threshold: 10,
			'options.clearAt': clearAt,
		})),
		happenings: 1,
		ruleOf: (service, parameters) =>
			queueMoves(service, parameters['options.clearAt'] as number | ''),
	});
});

/** Runs that fail some time after their start, while time passes in large steps. */
function createRuns(service: FakeService) {
	const ends = new Map<string, number>();
	return {
		start(duration: number): void {
			const projectId = service.projectOf(ends.size);
			const { id } = service.addRun({ projectId, status: 'RUNNING', finishTime: null });
			ends.set(id, service.now + duration);
		},
		pass(ms: number): void {
			service.now += ms;
			for (const run of service.runs) {
				const end = ends.get(run.id) ?? 0;
				if (run.status !== 'RUNNING' || end > service.now) continue;
				Object.assign(run, { status: 'FAILED', finishTime: new Date(end).toISOString() });
			}
		},
		failed: () => service.runs.filter(({ status }) => status === 'FAILED').map(({ id }) => id),
	};
}

const standstill = fc.array(
	fc.oneof(
		{ weight: 4, arbitrary: fc.constant({ do: 'poll', ms: 0 }) },
		{
			weight: 1,
			arbitrary: fc.constantFrom('pollWhileDown', 'restart').map((what) => ({ do: what, ms: 0 })),
		},
		{
			weight: 6,
			arbitrary: fc
				.constantFrom(MINUTE, HOUR, DAY, 7 * DAY, 40 * DAY)
				.map((ms) => ({ do: 'pass', ms })),
		},
		{
			weight: 8,
			arbitrary: fc
				.constantFrom(1, MINUTE, HOUR, 3 * HOUR - 1, 3 * HOUR - MINUTE)
				.map((ms) => ({ do: 'run', ms })),
		},
	),
	{ minLength: 5, maxLength: 40, size: 'max' },
);

test('flowRunFailed: however long ago the last poll was, every run that failed since is given', async () => {
	await fc.assert(
		fc.asyncProperty(
			standstill,
			fc.constantFrom(1, 3, 1000),
			fc.boolean(),
			async (taken, max, isDated) => {
				const service = new FakeService();
				service.isDated = isDated;
				const runs = createRuns(service);
				// Watching begins with something to go by, also where no answer tells the time.
				runs.start(1);
				runs.pass(MINUTE);
				const n8n = new FakeN8n(service, {
					event: 'flowRunFailed',
					statuses: ['FAILED'],
					'options.lookbackHours': 3,
					'options.maxItems': max,
				});
				await n8n.activate('activate');
				const before = runs.failed();
				for (const { do: what, ms } of taken) {
					if (what === 'pass') runs.pass(ms);
					else if (what === 'run') runs.start(ms);
					else if (what === 'restart') await n8n.restart();
					else {
						service.isDown = what === 'pollWhileDown';
						await n8n.poll();
						service.isDown = false;
					}
				}
				runs.pass(7 * DAY);
				await n8n.pollToEnd();
				const expected = runs.failed().filter((id) => !before.includes(id));
				expect([...n8n.ids].sort()).toEqual(expected.sort());
				expect(n8n.errors.filter(({ message }) => !message.includes('too many requests'))).toEqual(
					[],
				);
			},
		),
		{ numRuns: 80 },
	);
});

test('of projects that come, go and refuse in any order, each event is given once', async () => {
	const step = fc.record({
		do: fc.constantFrom('happen', 'happen', 'refuse', 'leave', 'poll', 'poll', 'restart'),
		which: fc.nat(2),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(
				'flowCreated',
				'flowStatusChanged',
				'flowPublished',
				'flowRunFailed',
				'flowRunSucceeded',
			),
			fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
			fc.constantFrom(1, 3, 1000),
			async (event, steps, maxItems) => {
				limits.triggerSeenRecords = 3;
				limits.triggerMissingProjectMs = Infinity;
				const service = new FakeService();
				const all = ['project-a', 'project-b', 'project-c'];
				service.projects = [...all];
				const n8n = new FakeN8n(service, {
					event,
					statuses: ['FAILED'],
					'options.maxItems': maxItems,
					'options.lookbackHours': 100_000,
				});
				await n8n.activate('activate');
				const made: string[] = [];
				for (const { do: what, which } of steps) {
					const project = all[which];
					service.pass(4 * MINUTE);
					if (what === 'happen') made.push(HAPPENINGS[event](service, project));
					else if (what === 'refuse') {
						if (!service.refused.delete(project)) service.refused.set(project, 403);
					} else if (what === 'leave') {
						const rest = service.projects.filter((id) => id !== project);
						service.projects = rest.length < service.projects.length ? rest : [...rest, project];
					} else if (what === 'poll') await n8n.poll();
					else await n8n.restart();
				}
				service.refused.clear();
				service.projects = [...all];
				await n8n.pollToEnd();
				expect([...n8n.ids].sort()).toEqual(made.sort());
			},
		),
		{ numRuns: 120 },
	);
});
