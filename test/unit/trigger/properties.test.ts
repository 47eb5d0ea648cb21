import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { type FakeRun, FakeService } from './fakeService';
import { useLimits } from './useLimits';

const FAILED = ['FAILED', 'TIMEOUT'];

useLimits(() => {
	limits.delayScale = 0;
	// Edges of pages everywhere.
	limits.defaultPageSize = 3;
	limits.poll.maxAttempts = 1;
});

/** What n8n does, and the service's being there. */
type Step =
	| { do: 'poll' | 'pollWhileDown' | 'restart' | 'restartWhileDown' }
	| { do: 'update' | 'updateWhileDown' | 'publishDuringPoll' }
	| { do: 'reactivate' | 'reactivateWhileDown' }
	| { do: 'pass'; ms: number }
	| { do: 'happen'; what: number; which: number };

const step = (happenings: number): fc.Arbitrary<Step> =>
	fc.oneof(
		{ weight: 6, arbitrary: fc.constant<Step>({ do: 'poll' }) },
		{ weight: 1, arbitrary: fc.constant<Step>({ do: 'pollWhileDown' }) },
		{ weight: 2, arbitrary: fc.constant<Step>({ do: 'restart' }) },
		{ weight: 1, arbitrary: fc.constant<Step>({ do: 'restartWhileDown' }) },
		{ weight: 1, arbitrary: fc.constant<Step>({ do: 'update' }) },
		{ weight: 1, arbitrary: fc.constant<Step>({ do: 'updateWhileDown' }) },
		{ weight: 1, arbitrary: fc.constant<Step>({ do: 'publishDuringPoll' }) },
		{ weight: 1, arbitrary: fc.constant<Step>({ do: 'reactivate' }) },
		{ weight: 1, arbitrary: fc.constant<Step>({ do: 'reactivateWhileDown' }) },
		{
			weight: 4,
			arbitrary: fc.record<Step & { do: 'pass' }>({
				do: fc.constant('pass'),
				ms: fc.constantFrom(1, 999, 60_000, 20 * 60_000, 7 * 24 * 3_600_000),
			}),
		},
		{
			weight: 14,
			arbitrary: fc.record<Step & { do: 'happen' }>({
				do: fc.constant('happen'),
				what: fc.nat(happenings - 1),
				which: fc.nat(50),
			}),
		},
	);

interface World {
	service: FakeService;
	n8n: FakeN8n;
	/** Called after every poll that got through, with what it gave */
	afterPoll(items: IDataObject[], was: { begun: boolean; restarted: boolean }): void;
	happen(what: number, which: number): void;
}

async function play({ service, n8n, afterPoll, happen }: World, steps: Step[]): Promise<void> {
	/** Something that n8n has not stored may have been forgotten since the last poll that got through */
	let restarted = false;
	const look = async (poll: () => Promise<IDataObject[]>, begun: boolean, forgets = false) => {
		restarted ||= forgets;
		// What moves while the list is read for the first time may look new afterwards (docs/trigger.md).
		if (!begun) service.meanwhile = undefined;
		const items = await poll();
		if (service.isDown) expect(items).toEqual([]);
		else {
			afterPoll(items, { begun, restarted });
			restarted = false;
		}
		return items;
	};
	const whileDown = async (act: () => Promise<unknown>) => {
		service.isDown = true;
		await act();
		service.isDown = false;
	};
	const actions: Record<Exclude<Step['do'], 'pass' | 'happen'>, () => Promise<unknown>> = {
		poll: async () => await look(async () => await n8n.poll(), n8n.hasState),
		pollWhileDown: async () => await whileDown(actions.poll),
		restart: async () => await look(async () => await n8n.restart(), n8n.hasStoredState, true),
		restartWhileDown: async () => await whileDown(actions.restart),
		update: async () =>
			await look(async () => await n8n.activate('update'), n8n.hasState || n8n.hasStoredState),
		updateWhileDown: async () => await whileDown(actions.update),
		publishDuringPoll: async () => {
			// Nothing moves while the poll is under way, so that it and the next one see the same.
			service.meanwhile = undefined;
			const begun = n8n.hasState || n8n.hasStoredState;
			if (begun) await look(async () => await n8n.publishDuringPoll(), begun, true);
		},
		reactivate: async () => await look(async () => await n8n.activate('activate'), false, true),
		reactivateWhileDown: async () => await whileDown(actions.reactivate),
	};
	await actions.reactivate();
	for (const each of steps) {
		if (each.do === 'pass') service.now += each.ms;
		else if (each.do === 'happen') happen(each.what, each.which);
		else await actions[each.do]();
	}
	// Whatever is left comes with further polls.
	service.meanwhile = undefined;
	let quiet = 0;
	for (let polls = 0; quiet < 2 && polls < 100; polls++) {
		const items = (await actions.poll()) as IDataObject[];
		quiet = items.length === 0 ? quiet + 1 : 0;
	}
	expect(quiet).toBe(2);
	const others = n8n.errors.filter(({ message }) => !message.includes('too many requests'));
	expect(others).toEqual([]);
}

/** Every event is given exactly once, and none that was there when watching began. */
class ExactlyOnce {
	private readonly open = new Set<string>();
	private readonly given: string[] = [];

	constructor(
		private readonly visible: () => string[],
		private readonly keyOf: (item: IDataObject) => string,
	) {}

	/** What becomes visible is expected to come out from now on. */
	readonly afterPoll = (items: IDataObject[], { begun }: { begun: boolean }) => {
		const keys = items.map(this.keyOf);
		if (begun) {
			for (const key of keys) {
				expect(this.known.has(key)).toBe(false);
				this.open.delete(key);
				this.known.add(key);
				this.given.push(key);
			}
			for (const key of this.visible()) if (!this.known.has(key)) this.open.add(key);
		} else {
			expect(keys).toEqual([]);
			this.open.clear();
			for (const key of this.visible()) this.known.add(key);
		}
	};

	private readonly known = new Set<string>();

	check(): void {
		const visible = new Set(this.visible());
		expect([...this.open].filter((key) => visible.has(key))).toEqual([]);
		expect(new Set(this.given).size).toBe(this.given.length);
	}
}

/** By itself fast-check tries no more than ten steps. */
const LENGTH: fc.ArrayConstraints = { minLength: 5, maxLength: 60, size: 'max' };

const maxItems = fc.constantFrom(1, 2, 1000);

/** Whether n8n's durable scheduler polls */
const durable = fc.boolean();

test('userJoined: every user is given exactly once, also of equal times and such as come late', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step(4), LENGTH),
			maxItems,
			durable,
			async (steps, max, isDurable) => {
				const service = new FakeService();
				for (let user = 0; user < 4; user++) {
					service.users.push({ id: service.id('user'), created: service.time });
				}
				const n8n = new FakeN8n(
					service,
					{ event: 'userJoined', 'options.maxItems': max },
					isDurable,
				);
				const add = (created: string) => service.users.push({ id: service.id('user'), created });
				const rule = new ExactlyOnce(
					() => service.users.map(({ id }) => id),
					({ id }) => String(id),
				);
				const world: World = {
					service,
					n8n,
					afterPoll: rule.afterPoll,
					happen(what, which) {
						// A user that is stored later than a younger one.
						if (what === 0) add(new Date(service.now - which * 1000).toISOString());
						else add(service.time);
					},
				};
				await play(world, steps);
				rule.check();
			},
		),
		{ numRuns: 60 },
	);
});

test('userJoined: with room for three ids users are still given exactly once', async () => {
	limits.triggerSeenRecords = 3;
	await fc.assert(
		fc.asyncProperty(
			fc.array(step(2), LENGTH),
			maxItems,
			durable,
			async (steps, max, isDurable) => {
				const service = new FakeService();
				const n8n = new FakeN8n(
					service,
					{ event: 'userJoined', 'options.maxItems': max },
					isDurable,
				);
				const rule = new ExactlyOnce(
					() => service.users.map(({ id }) => id),
					({ id }) => String(id),
				);
				const happen = (what: number, which: number) => {
					const late = what === 0 ? which * 1000 : 0;
					const created = new Date(service.now - late).toISOString();
					service.users.push({ id: service.id('user'), created });
				};
				await play({ service, n8n, afterPoll: rule.afterPoll, happen }, steps);
				rule.check();
			},
		),
		{ numRuns: 60 },
	);
});

test('flowRunFailed: every failure is given exactly once, each of a run that is retried', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step(4), LENGTH),
			maxItems,
			durable,
			async (steps, max, isDurable) => {
				const service = new FakeService();
				const n8n = new FakeN8n(
					service,
					{
						event: 'flowRunFailed',
						statuses: FAILED,
						'options.lookbackHours': 100_000,
						'options.maxItems': max,
					},
					isDurable,
				);
				const happen = (what: number, which: number) => {
					const { runs } = service;
					const run = runs[which % Math.max(1, runs.length)] as FakeRun | undefined;
					const end = { status: FAILED[which % 2], finishTime: service.time };
					// A retry takes a while: a run does not fail twice in one millisecond.
					if (what === 0 || run === undefined) {
						const projectId = service.projectOf(which);
						const id = service.id('run');
						runs.push({
							id,
							projectId,
							created: service.time,
							status: 'RUNNING',
							finishTime: null,
						});
					} else if (what === 1) {
						if (run.status === 'RUNNING') Object.assign(run, end);
					} else if (what === 2) {
						service.now += 1;
						if (run.status !== 'RUNNING') run.status = 'RUNNING';
					} else {
						const projectId = service.projectOf(which);
						runs.push({ id: service.id('run'), projectId, created: service.time, ...end });
					}
				};
				const rule = new ExactlyOnce(
					() =>
						service.runs
							.filter(({ status }) => FAILED.includes(status))
							.map(({ id, finishTime }) => `${id} ${finishTime}`),
					({ id, finished }) => `${String(id)} ${String(finished)}`,
				);
				await play({ service, n8n, afterPoll: rule.afterPoll, happen }, steps);
				rule.check();
			},
		),
		{ numRuns: 60 },
	);
});

/** Somebody works on flows, also while a list of them is read. */
function workOnFlows(service: FakeService) {
	const change = (what: number, which: number): void => {
		const flow = service.flows[which % Math.max(1, service.flows.length)];
		if (what === 0 || flow === undefined) {
			const { time } = service;
			service.flows.push({
				id: service.id('flow'),
				projectId: service.projectOf(which),
				created: time,
				updated: time,
				status: 'DISABLED',
				publishedVersionId: null,
			});
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
	await fc.assert(
		fc.asyncProperty(
			fc.array(step(7), LENGTH),
			maxItems,
			durable,
			async (steps, max, isDurable) => {
				const service = new FakeService();
				const n8n = new FakeN8n(
					service,
					{ event: 'flowCreated', 'options.maxItems': max },
					isDurable,
				);
				const given: string[] = [];
				const work = workOnFlows(service);
				let before = new Set<string>();
				const afterPoll: World['afterPoll'] = (items, { begun }) => {
					if (!begun) {
						expect(items).toEqual([]);
						before = new Set(service.flows.map(({ id }) => id));
					}
					given.push(...items.map(({ id }) => String(id)));
				};
				await play({ service, n8n, afterPoll, happen: work }, steps);
				expect(new Set(given).size).toBe(given.length);
				const missing = service.flows.filter(({ id }) => !before.has(id) && !given.includes(id));
				expect(missing).toEqual([]);
			},
		),
		{ numRuns: 60 },
	);
});

test.each(['flowPublished', 'flowStatusChanged'])(
	'%s: what is given last of every flow is how it is, and nothing is given twice',
	async (event) => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(step(5), LENGTH),
				maxItems,
				durable,
				async (steps, max, isDurable) => {
					const service = new FakeService();
					const n8n = new FakeN8n(
						service,
						{ event, simplify: false, 'options.maxItems': max },
						isDurable,
					);
					const valueOf = (flow: IDataObject) =>
						event === 'flowPublished'
							? String(flow.publishedVersionId ?? '')
							: String(flow.status ?? 'DISABLED');
					const initial = event === 'flowPublished' ? '' : 'DISABLED';
					const known = new Map<string, string>();
					const afterPoll: World['afterPoll'] = (items, { begun }) => {
						if (!begun) {
							expect(items).toEqual([]);
							for (const flow of service.flows) {
								known.set(flow.id, valueOf(flow as unknown as IDataObject));
							}
						}
						for (const item of items) {
							expect(valueOf(item)).not.toBe(known.get(String(item.id)) ?? initial);
							known.set(String(item.id), valueOf(item));
						}
					};
					await play({ service, n8n, afterPoll, happen: workOnFlows(service) }, steps);
					for (const flow of service.flows) {
						expect(known.get(flow.id) ?? initial).toBe(valueOf(flow as unknown as IDataObject));
					}
				},
			),
			{ numRuns: 60 },
		);
	},
);

test('connectionNeedsAttention: what breaks is given, at least once, and once without a restart', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step(3), LENGTH),
			maxItems,
			durable,
			async (steps, max, isDurable) => {
				const service = new FakeService();
				for (let index = 0; index < 5; index++) {
					const { time } = service;
					const status = index === 0 ? 'ERROR' : 'ACTIVE';
					service.connections.push({ id: service.id('c'), created: time, updated: time, status });
				}
				const parameters = {
					event: 'connectionNeedsAttention',
					simplify: false,
					'options.maxItems': max,
				};
				const n8n = new FakeN8n(service, parameters, isDurable);
				/** Broken at every poll since it was given, or since watching began */
				let known = new Set<string>();
				/** Those that may be given once more, since n8n may have forgotten that they were */
				let repeatable = new Set<string>();
				let due: string[] = [];
				/** By id, how the record was dated when it was given or when watching began */
				const told = new Map<string, string>();
				const afterPoll: World['afterPoll'] = (items, { begun, restarted }) => {
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
					expect(given.length).toBeGreaterThanOrEqual(Math.min(max, due.length));
					for (const id of given) {
						expect(broken.has(id)).toBe(true);
						expect(due.includes(id) || repeatable.has(id)).toBe(true);
						expect(told.get(id)).not.toBe(broken.get(id));
						told.set(id, String(broken.get(id)));
						known.add(id);
						repeatable.delete(id);
					}
					due = due.filter((id) => !known.has(id));
				};
				const happen = (what: number, which: number) => {
					const connection = service.connections[which % service.connections.length];
					service.now += 1;
					connection.updated = service.time;
					if (what === 1) connection.status = 'ACTIVE';
					if (what === 2) connection.status = which % 2 === 0 ? 'ERROR' : 'MISSING';
				};
				await play({ service, n8n, afterPoll, happen }, steps);
				expect(due).toEqual([]);
			},
		),
		{ numRuns: 150 },
	);
});

test('queueBacklog: every backlog is told, and again only after it fell below Clear At', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step(1), LENGTH),
			fc.option(fc.integer({ min: 1, max: 10 }), { nil: '' }),
			durable,
			async (steps, clearAt, isDurable) => {
				const service = new FakeService();
				const n8n = new FakeN8n(
					service,
					{
						event: 'queueBacklog',
						metric: 'waiting',
						threshold: 10,
						'options.clearAt': clearAt,
					},
					isDurable,
				);
				// After a restart n8n may or may not have stored that it was told.
				let isTold: boolean | 'perhaps' = false;
				const afterPoll: World['afterPoll'] = (items, { begun, restarted }) => {
					const { waiting } = service;
					const isAbove = waiting > 10;
					if (restarted && isTold === true) isTold = 'perhaps';
					if (!begun) isTold = isAbove;
					if (begun && isAbove && isTold === false) expect(items).toHaveLength(1);
					if (!isAbove || isTold === true) expect(items).toEqual([]);
					if (isAbove) isTold = true;
					if (clearAt === '' ? !isAbove : waiting < Number(clearAt)) isTold = false;
				};
				const happen = (_what: number, which: number) => {
					service.waiting = which % 21;
				};
				await play({ service, n8n, afterPoll, happen }, steps);
			},
		),
		{ numRuns: 100 },
	);
});
