import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { events } from '../../../nodes/Activepieces/trigger/events';
import { FakeN8n } from './fakeN8n';
import { EVENTS_OF_PROJECTS, FakeService, MAKE_EVENT } from './fakeService';
import { DAY, HOUR, MINUTE, useFakes, YEAR } from './useFakes';

const ENDS = ['FAILED', 'TIMEOUT', 'SUCCEEDED'];
const FAILED = ['FAILED', 'TIMEOUT', 'CANCELED'];

/** Small, so that there are many page edges */
const PAGE_SIZE = 3;

useFakes(() => {
	limits.defaultPageSize = limits.triggerRunsPageSize = PAGE_SIZE;
});

const RIGHT = { n8nSkew: 0, skew: 0, isDated: true };
/** Clocks that differ from that of records, and from each other, and stay so */
const skews = fc.constantFrom(
	...[0, 3 * MINUTE, 6 * MINUTE, 10 * MINUTE, HOUR, 3 * DAY].flatMap((skew) => [skew, -skew]),
);
const CONSTANT_CLOCKS = fc.record({
	n8nSkew: skews,
	skew: skews,
	isDated: fc.constantFrom(true, true, false),
});
/** Clocks that change, of which one is wrong: that of n8n, or that of responses, which may contain no time */
const CLOCKS: Array<Partial<typeof RIGHT>> = [
	...[0, HOUR, -HOUR, 3 * DAY, -3 * DAY].flatMap((skew) => [{ n8nSkew: skew }, { skew }]),
	...[-400 * DAY, -2 * DAY].map((n8nSkew) => ({ n8nSkew })),
	...[-60 * YEAR, 7000 * YEAR].map((skew) => ({ skew })),
	...[{ isDated: false }, { isDated: false }],
];

/** Actions of n8n, each repeated by its frequency */
const WEIGHTS = { poll: 7, restart: 3, update: 2, publishDuringPoll: 1, reactivate: 2, create: 1 };
type Action = keyof typeof WEIGHTS;

/** By default fast-check tries no more than ten steps. */
const history = <Step>(step: fc.Arbitrary<Step>, maxLength: number) =>
	fc.array(step, { minLength: 5, maxLength, size: 'max' });

const anyOf = <Name extends string>(weights: Record<Name, number>) =>
	fc.constantFrom(
		...(Object.keys(weights) as Name[]).flatMap((name) => Array<Name>(weights[name]).fill(name)),
	);

const stepOf = (happenings: number) =>
	fc.record({
		do: anyOf({ ...WEIGHTS, pass: 4, clock: 3, happen: 14 }),
		clock: fc.constantFrom(...CLOCKS),
		isDown: fc.constantFrom(false, false, false, true),
		ms: fc.constantFrom(1, 999, MINUTE, 20 * MINUTE, HOUR, 7 * DAY, 40 * DAY),
		what: fc.nat(happenings - 1),
		which: fc.nat(50),
	});
type Step = ReturnType<typeof stepOf> extends fc.Arbitrary<infer Value> ? Value : never;

/** What an event promises, and what can happen to its records. */
interface Rule {
	/** Whether it holds only while all clocks are right */
	needsRightClocks?: boolean;
	/** Whether a record may have been dated by a clock that is wrong by many years */
	mayBeIn2099?: boolean;
	happen(what: number, which: number): void;
	/** Called when time has passed */
	passed?(): void;
	/** Called after every poll that succeeded, with its items */
	afterPoll(items: IDataObject[], was: { begun: boolean; restarted: boolean }): void;
	/** Errors that are right, beside those of an outage */
	refusals?: RegExp;
	/** Called before the last polls */
	beforeEnd?(): void;
	/** Called when polls have no more items */
	atEnd?(): void;
}

interface History {
	/** What happens before the first activation */
	before: Step[];
	steps: Step[];
	/** Undefined if the clocks change */
	clocks?: typeof RIGHT;
}

async function play(
	service: FakeService,
	n8n: FakeN8n,
	rule: Rule,
	history: History,
): Promise<void> {
	const { n8nSkew, skew, isDated } = { ...RIGHT, ...history.clocks };
	// If both clocks are ahead, nothing shows that a record of 2099 is.
	const isOneRight =
		history.clocks !== undefined && Math.min(n8nSkew, isDated ? skew : n8nSkew) <= 0;
	const happen = ({ what, which }: Step) => {
		service.isIn2099 = rule.mayBeIn2099 === true && isOneRight && which === 13;
		rule.happen(what, which);
		service.isIn2099 = false;
	};
	/** State that n8n has not stored may have been lost since the last poll that succeeded */
	let restarted = false;
	const pollBy = async (poll: () => Promise<IDataObject[]>, begun: boolean, forgets = false) => {
		restarted ||= forgets;
		// A record that moves while the list is read for the first time may appear new later (docs/trigger.md).
		if (!begun) service.meanwhile = undefined;
		const items = await poll();
		if (service.isDown) expect(items).toEqual([]);
		else {
			rule.afterPoll(items, { begun, restarted });
			restarted = false;
		}
		return items;
	};
	const actions: Record<Action, () => Promise<unknown>> = {
		poll: async () => await pollBy(async () => await n8n.poll(), n8n.hasState),
		restart: async () => await pollBy(async () => await n8n.restart(), n8n.hasStoredState, true),
		update: async () => await pollBy(async () => await n8n.activate('update'), n8n.hasState),
		publishDuringPoll: async () => {
			// Nothing changes during the poll, so that it and the next one see the same.
			service.meanwhile = undefined;
			if (n8n.hasState) await pollBy(async () => await n8n.publishDuringPoll(), true, true);
		},
		reactivate: async () => await pollBy(async () => await n8n.activate('activate'), false, true),
		create: async () => await pollBy(async () => await n8n.activate('create'), false, true),
	};
	const reset = () =>
		Object.assign(service, rule.needsRightClocks ? RIGHT : (history.clocks ?? RIGHT));
	reset();
	for (const each of history.before) {
		if (each.do === 'happen') happen(each);
		else if (each.do === 'pass') service.pass(each.ms);
	}
	rule.passed?.();
	await actions.reactivate();
	for (const each of history.steps) {
		if (each.do === 'pass') {
			service.pass(each.ms);
			rule.passed?.();
		} else if (each.do === 'clock') {
			if (!rule.needsRightClocks && !history.clocks) Object.assign(service, RIGHT, each.clock);
		} else if (each.do === 'happen') happen(each);
		else {
			service.isDown = each.isDown;
			await actions[each.do]();
			service.isDown = false;
		}
	}
	service.meanwhile = undefined;
	reset();
	rule.beforeEnd?.();
	await n8n.pollToEnd(async () => (await actions.poll()) as IDataObject[]);
	const isExpected = ({ message }: Error) =>
		/too many requests/.test(message) || rule.refusals?.test(message) === true;
	expect(n8n.errors.filter((error) => !isExpected(error))).toEqual([]);
	rule.atEnd?.();
}

/** Every event is returned exactly once, and no record that existed when watching started. */
function exactlyOnce(
	visible: () => string[],
	keyOf = ({ id }: IDataObject) => String(id),
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
			// From now on, records that have become visible are expected.
			for (const key of visible()) if (!known.has(key)) open.add(key);
		},
		atEnd() {
			const now = new Set(visible());
			expect([...open].filter((key) => now.has(key))).toEqual([]);
		},
	};
}

/** Records appear, no more than `maxAtOnce` with one time, and some are stored later than a younger one. */
const recordsAppear =
	(maxAtOnce = Infinity) =>
	(service: FakeService, { event, clocks }: Parameters): Rule => {
		/** The time of each record, by its ID */
		const made = new Map<string, string>();
		return {
			...exactlyOnce(() => [...made.keys()]),
			mayBeIn2099: true,
			happen(what, which) {
				// While a clock is set, a late one may be taken for one that is known.
				const late = clocks === undefined || what > 0 || service.isIn2099 ? 0 : which * 5900;
				const created =
					late === 0 ? service.time : new Date(Date.parse(service.time) - late).toISOString();
				if ([...made.values()].filter((time) => time === created).length >= maxAtOnce) return;
				const projectId = [undefined, ...service.projects][which % 3];
				made.set(MAKE_EVENT[event](service, { created, projectId }), created);
			},
		};
	};

/** Runs start, end in any way, and are retried. */
const runsEnd =
	(wanted: string[]) =>
	(service: FakeService): Rule => {
		const runs = service.lists['flow-runs'];
		const ended = () => runs.filter(({ status }) => wanted.includes(status));
		return {
			mayBeIn2099: true,
			...exactlyOnce(
				() => ended().map(({ id, finishTime, startTime }) => `${id} ${finishTime ?? startTime}`),
				({ id, finishTime, startTime }) => `${String(id)} ${String(finishTime ?? startTime)}`,
			),
			happen(what, which) {
				const run = runs.at(which % Math.max(1, runs.length));
				const end = { status: ENDS[which % ENDS.length], finishTime: service.time };
				const projectId = service.projectOf(which);
				if (what === 0 || run === undefined) {
					const startTime = service.time;
					service.addRun({ projectId, status: 'RUNNING', finishTime: null, startTime });
				} else if (what === 1) {
					if (run.status === 'RUNNING') Object.assign(run, end);
				} else if (what === 2) {
					// A retry takes some time: a run does not end twice in one millisecond.
					service.tick();
					if (run.status !== 'RUNNING')
						Object.assign(run, { status: 'RUNNING', startTime: service.time });
				} else if (what === 3) {
					// It has no finish time, and changes again.
					if (run.status === 'RUNNING')
						Object.assign(run, { status: 'CANCELED', finishTime: null });
					if (run.status === 'CANCELED') run.updated = service.time;
				} else {
					service.addRun({ projectId, ...end });
				}
			},
		};
	};

/** Runs fail some time after their start, but within Lookback. */
function runsTakeTime(service: FakeService): Rule {
	const runs = service.lists['flow-runs'];
	const durations = [1, MINUTE, HOUR, 3 * HOUR - 1, 3 * HOUR - MINUTE];
	const hasFailed = ({ status }: IDataObject) => status === 'FAILED';
	return {
		...exactlyOnce(() => runs.filter(hasFailed).map(({ id }) => id)),
		happen(_what, which) {
			const end = Date.parse(service.time) + durations[which % durations.length];
			const projectId = service.projectOf(which);
			service.addRun({ projectId, status: 'RUNNING', finishTime: null, end });
		},
		passed() {
			for (const run of runs) {
				if (hasFailed(run) || Number(run.end) > service.now) continue;
				const finishTime = new Date(Number(run.end)).toISOString();
				Object.assign(run, { status: 'FAILED', finishTime });
			}
		},
	};
}

/** Somebody changes flows, also while a list of them is read. */
function workOnFlows(service: FakeService): Rule['happen'] {
	const change = (what: number, which: number): void => {
		const flow = service.lists.flows[which % Math.max(1, service.lists.flows.length)];
		if (what === 0 || flow === undefined) {
			service.addFlow({ projectId: service.projectOf(which) });
			return;
		}
		service.tick();
		flow.updated = service.time;
		if (what === 1) flow.projectId = service.projectOf(which + 1);
		if (what === 2) flow.status = flow.status === 'ENABLED' ? 'DISABLED' : 'ENABLED';
		if (what === 3) flow.publishedVersionId = service.id('version');
	};
	return (what, which) => {
		if (what < 5) change(what, which);
		else service.meanwhile = { pages: which % 4, happens: () => change(which % 5, which) };
	};
}

const flowsAppear = (service: FakeService): Rule => ({
	...exactlyOnce(() => service.lists.flows.map(({ id }) => id)),
	mayBeIn2099: true,
	happen: workOnFlows(service),
});

/** The last item of every flow shows its current value, and no value is returned twice. */
const flowsChange =
	(field: string, initial: string) =>
	(service: FakeService): Rule => {
		const valueOf = (flow: object) => String((flow as IDataObject)[field] ?? initial);
		const known = new Map<string, string>();
		return {
			happen: workOnFlows(service),
			afterPoll(items, { begun }) {
				if (!begun) {
					expect(items).toEqual([]);
					for (const flow of service.lists.flows) known.set(flow.id, valueOf(flow));
				}
				for (const item of items) {
					expect(valueOf(item)).not.toBe(known.get(String(item.id)) ?? initial);
					known.set(String(item.id), valueOf(item));
				}
			},
			atEnd() {
				for (const flow of service.lists.flows)
					expect(known.get(flow.id) ?? initial).toBe(valueOf(flow));
			},
		};
	};

const lastWrite = ({ cells }: IDataObject): string =>
	(cells as { column?: { updated: string } }).column?.updated ?? '';

/** The last item of every record has its last write, and each has a later one; some writes become visible late. */
function recordsAreWritten(service: FakeService, { clocks }: Parameters): Rule {
	const { records } = service.lists;
	const known = new Map<string, string>();
	return {
		happen(what, which) {
			const row = records[which % Math.max(1, records.length)];
			service.tick();
			if (what === 0 || row === undefined) {
				service.addRecord({ value: which % 4 === 0 ? null : undefined });
				return;
			}
			const lateMs = what === 1 && clocks !== undefined ? which * 5900 : 0;
			const updated = new Date(Date.parse(service.time) - lateMs).toISOString();
			// The last write of a record is seen before none that is earlier.
			if (updated > lastWrite(row)) service.write(row, updated);
		},
		afterPoll(items, { begun }) {
			if (!begun) {
				expect(items).toEqual([]);
				for (const row of records) known.set(row.id, lastWrite(row));
			}
			for (const item of items) {
				expect(lastWrite(item) > (known.get(String(item.id)) ?? '')).toBe(true);
				known.set(String(item.id), lastWrite(item));
			}
		},
		atEnd() {
			for (const row of records) expect(known.get(row.id) ?? '').toBe(lastWrite(row));
		},
	};
}

/** Connections break and are repaired; n8n may lose what it was told when it restarts. */
function connectionsBreak(service: FakeService, parameters: Parameters): Rule {
	const maxItems = Number(parameters['options.maxItems']);
	const places = [undefined, ...service.projects];
	for (let index = 0; index < 6; index++) {
		const projectId = places[index % places.length];
		service.addConnection({ projectId, status: index === 0 ? 'ERROR' : 'ACTIVE' });
	}
	/** Broken at every poll since it was returned, or since watching started */
	let known = new Set<string>();
	/** May be returned again, because n8n may have lost the item */
	let repeatable = new Set<string>();
	let due: string[] = [];
	/** By ID, the date of the record when it was returned or when watching started */
	const told = new Map<string, string>();
	return {
		happen(what, which) {
			const connection = service.connections[which % service.connections.length];
			service.tick();
			connection.updated = service.time;
			if (what === 1) connection.status = 'ACTIVE';
			if (what === 2) connection.status = which % 2 === 0 ? 'ERROR' : 'MISSING';
		},
		afterPoll(items, { begun, restarted }) {
			const notActive = service.connections.filter(({ status }) => status !== 'ACTIVE');
			const broken = new Map(notActive.map(({ id, updated }) => [id, updated]));
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

/** The number of waiting jobs moves up and down around 10. */
function queueMoves(service: FakeService, parameters: Parameters): Rule {
	const clearAt = parameters['options.clearAt'] as number | '';
	// After a restart n8n may have lost the alarm.
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

/** Something happens in projects that come, go and refuse. */
const projectsMove =
	(mayHide: boolean) =>
	(service: FakeService, { event }: Parameters): Rule => {
		const all = ['project-a', 'project-b', 'project-c'];
		service.projects = [...all];
		limits.triggerSeenRecords = 3;
		const made = new Map<string, string>();
		const given = new Set<string>();
		/** Projects that were unread when watching started, of which only a clock tells what is new */
		let unsure = new Set<string>();
		/** Those of projects that were not hidden at any poll since, nor then */
		const expected = new Set<string>();
		const isHidden = (project: string) => !service.projects.includes(project);
		return {
			needsRightClocks: mayHide,
			refusals: /cannot be read|is not allowed/,
			happen(what, which) {
				const project = all[which % all.length];
				if (what < 2) {
					// Not at the very time of a poll, nor so little before one that it may appear late.
					service.pass(2 * MINUTE);
					const id = MAKE_EVENT[event](service, { projectId: project });
					service.pass(6 * MINUTE);
					made.set(id, project);
					if (!isHidden(project)) expected.add(id);
				} else if (what === 2) {
					if (!service.refused.delete(project)) service.refused.set(project, 403);
				} else if (isHidden(project)) service.projects.push(project);
				else service.projects = service.projects.filter((id) => id !== project);
			},
			afterPoll(items, { begun }) {
				if (!begun) {
					expect(items).toEqual([]);
					unsure = new Set(mayHide ? [] : service.refused.keys());
				}
				for (const [id, project] of made) {
					if (isHidden(project) || unsure.has(project)) expected.delete(id);
					else if (!begun) given.add(id);
					if (!begun && unsure.has(project)) given.delete(id);
				}
				for (const item of items) {
					const id = String(item.id);
					expect([made.has(id), given.has(id)]).toEqual([true, false]);
					given.add(id);
				}
			},
			beforeEnd() {
				service.refused.clear();
				service.projects = [...all];
			},
			atEnd: () => expect([...expected].filter((id) => !given.has(id))).toEqual([]),
		};
	};

interface Parameters extends IDataObject {
	event: string;
	clocks?: typeof RIGHT;
}
type RuleOf = (service: FakeService, parameters: Parameters) => Rule;
const SHORT = { 'options.lookbackHours': 3 };
const ONCE = 'is given exactly once';
const LAST = 'is given, none twice';
const MOVE = 'is given once, of projects that come, go and refuse';
const REFUSE = 'is given once, of projects that refuse, whatever the clocks say';
type Case = [string, string, number, RuleOf, IDataObject?];
const SPECIAL: Case[] = [
	// This list is continued by time.
	['platformEvent', `every event ${ONCE}`, 3, recordsAppear(PAGE_SIZE)],
	['recordWritten', `the last write ${LAST}, also a late one`, 3, recordsAreWritten],
	['flowRunFailed', `every end of a run ${ONCE}, each of one that is retried`, 5, runsEnd(FAILED)],
	['flowRunFailed', `every run ${ONCE}, long after the last poll`, 1, runsTakeTime, SHORT],
	['flowRunSucceeded', `every end of a run ${ONCE}`, 5, runsEnd(['SUCCEEDED'])],
	['flowCreated', `every flow ${ONCE}, also of those that move in the list`, 7, flowsAppear],
	['flowPublished', `the last version ${LAST}`, 5, flowsChange('publishedVersionId', '')],
	['flowStatusChanged', `the last status ${LAST}`, 5, flowsChange('status', 'DISABLED')],
	['connectionNeedsAttention', 'what breaks is given, once without a restart', 3, connectionsBreak],
	['queueBacklog', 'each is told, and again only after it fell below Clear At', 1, queueMoves],
];
const CASES: Case[] = [
	...SPECIAL,
	...events
		.filter(({ value }) => !SPECIAL.some(([event]) => event === value))
		.map(({ value }): Case => [
			value,
			`every record ${ONCE}, also of equal times, and late ones`,
			3,
			recordsAppear(),
		]),
	...EVENTS_OF_PROJECTS.map((event): Case => [event, `everything ${MOVE}`, 4, projectsMove(true)]),
	...['flowCreated', 'flowRunFailed'].map((event): Case => [
		event,
		`everything ${REFUSE}`,
		3,
		projectsMove(false),
	]),
];

const PARAMETERS = {
	statuses: fc.constant(FAILED),
	'options.lookbackHours': fc.constant(100_000),
	'options.maxItems': fc.constantFrom(1, 2, 1000),
	tableId: fc.constant('table'),
	metric: fc.constant('waiting'),
	threshold: fc.constant(10),
	'options.clearAt': fc.constantFrom('', 1, 4, 7, 10),
};

/** Any actions in any order, with either scheduler of n8n: the rule applies after every poll. */
test.each(CASES)('%s: %s', async (event, _promise, happenings, ruleOf, more = {}) => {
	const property = fc.asyncProperty(
		fc.record({
			before: fc.array(stepOf(happenings), { maxLength: 10 }),
			steps: history(stepOf(happenings), 60),
			clocks: fc.option(CONSTANT_CLOCKS, { nil: undefined }),
		}),
		fc.record(PARAMETERS),
		fc.record({
			/** Enough IDs */
			seen: fc.constantFrom(3, 1000),
			precision: fc.constantFrom(1, 1000),
			isDurable: fc.boolean(),
		}),
		async (past, parameters, { seen, precision, isDurable }) => {
			limits.triggerSeenRecords = seen;
			const service = Object.assign(new FakeService(), { precision });
			const n8n = new FakeN8n(
				service,
				{ event, simplify: false, ...parameters, ...more },
				isDurable,
			);
			const rule = ruleOf(service, { event, clocks: past.clocks, ...parameters });
			await play(service, n8n, rule, past);
		},
	);
	await fc.assert(property, { numRuns: 25 });
});
