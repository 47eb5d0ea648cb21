import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { FakeService } from './fakeService';
import { useLimits } from './useLimits';

const MINUTE = 60_000;

useLimits(() => {
	limits.delayScale = 0;
});

type Stored = Record<string, { activepieces: IDataObject }>;
const ids = (items: IDataObject[]) => items.map(({ id }) => id);

/** Lets something happen that the event gives. */
const EVENTS: Record<string, (service: FakeService) => string | undefined> = {
	userJoined(service) {
		const id = service.id('user');
		service.users.push({ id, created: service.time });
		return id;
	},
	flowCreated: (service) => service.addFlow().id,
	flowStatusChanged: (service) => service.addFlow({ status: 'ENABLED' }).id,
	flowPublished: (service) => service.addFlow({ publishedVersionId: service.id('version') }).id,
	flowRunFailed(service) {
		const id = service.id('run');
		const created = service.time;
		const [projectId] = service.projects;
		service.runs.push({ id, projectId, created, status: 'FAILED', finishTime: created });
		return id;
	},
	connectionNeedsAttention(service) {
		const id = service.id('connection');
		const { time } = service;
		service.connections.push({ id, created: time, updated: time, status: 'ERROR' });
		return id;
	},
	queueBacklog(service) {
		service.waiting = service.waiting > 100 ? 0 : 200;
		return undefined;
	},
};

const start = (service: FakeService, event: string) =>
	new FakeN8n(service, { event, threshold: 100, statuses: ['FAILED'] });

/** What anybody may have left in the place of a part. */
const anything = fc.oneof(
	fc.constantFrom<unknown>(null, '', 'text', 0, -1, 1e308, true, [], {}, [null], [[]], ['a'], {
		a: 1,
	}),
	fc.jsonValue({ maxDepth: 3 }),
);

/** Every place in a value, as the keys that lead to it. */
function placesIn(value: unknown): string[][] {
	if (typeof value !== 'object' || value === null) return [[]];
	return [
		[],
		...Object.entries(value).flatMap(([key, part]) => placesIn(part).map((p) => [key, ...p])),
	];
}

function replaceAt(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
	if (key === undefined) return by;
	const copy = (
		Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }
	) as Record<string, unknown>;
	copy[key] = replaceAt(copy[key], rest, by);
	return copy;
}

describe.each(Object.entries(EVENTS))('the stored state of %s', (event, happen) => {
	test('of any shape never ends in an error, and goes on with what happens next', async () => {
		await fc.assert(
			fc.asyncProperty(anything, fc.nat(), async (part, place) => {
				const service = new FakeService();
				const n8n = start(service, event);
				happen(service);
				await n8n.activate('activate');
				service.now += MINUTE;
				happen(service);
				await n8n.poll();
				const stored = JSON.parse(n8n.stored) as Stored;
				const places = placesIn(stored.Trigger.activepieces);
				const state = replaceAt(stored.Trigger.activepieces, places[place % places.length], part);
				n8n.stored = JSON.stringify({ Trigger: { activepieces: state } });
				await n8n.restart();
				await n8n.poll();
				expect(n8n.errors).toEqual([]);
				// Whatever it was: a later poll finds a state that can be read.
				service.now += MINUTE;
				happen(service);
				await n8n.poll();
				const { fingerprint } = stored.Trigger.activepieces;
				expect(JSON.parse(n8n.stored)).toMatchObject({
					Trigger: { activepieces: { version: 1, fingerprint } },
				});
			}),
			{ numRuns: 150 },
		);
	});

	test.each<[string, (state: IDataObject) => unknown]>([
		['without a version, as before 0.1', (state) => ({ ...state, version: undefined })],
		['of a later version', (state) => ({ ...state, version: 2 })],
		['without the part of the event', (state) => ({ ...state, event: {} })],
		['with a list in the place of the event', (state) => ({ ...state, event: [] })],
		['that is a text', () => 'state'],
		['that is null', () => null],
	])('%s leads to a fresh begin', async (_name, change) => {
		const service = new FakeService();
		const n8n = start(service, event);
		await n8n.activate('activate');
		const stored = JSON.parse(n8n.stored) as Stored;
		n8n.stored = JSON.stringify({ Trigger: { activepieces: change(stored.Trigger.activepieces) } });
		service.now += MINUTE;
		happen(service);
		await n8n.restart();
		expect(n8n.given).toEqual([]);
		if (event === 'queueBacklog') return;
		service.now += MINUTE;
		const id = happen(service);
		await n8n.poll();
		expect(n8n.errors).toEqual([]);
		expect(ids(n8n.given)).toEqual([id]);
	});

	test.each(['text', 5, [], [null]])(
		'in the place of which n8n has %j is begun anew',
		async (part) => {
			const service = new FakeService();
			const n8n = start(service, event);
			await n8n.activate('activate');
			n8n.stored = JSON.stringify({ Trigger: part });
			await n8n.restart();
			const made: unknown[] = [];
			for (let count = 0; count < 3; count++) {
				service.now += MINUTE;
				made.push(happen(service));
				await n8n.poll();
				await n8n.poll();
			}
			expect(n8n.errors).toEqual([]);
			if (event !== 'queueBacklog') expect(ids(n8n.given)).toEqual(made);
		},
	);

	test('that is huge leads to a fresh begin', async () => {
		limits.triggerMaxStateLength = 2000;
		const service = new FakeService();
		const n8n = start(service, event);
		await n8n.activate('activate');
		const stored = JSON.parse(n8n.stored) as Stored;
		Object.assign(stored.Trigger.activepieces.event as object, { more: 'x'.repeat(2000) });
		n8n.stored = JSON.stringify(stored);
		service.now += MINUTE;
		happen(service);
		await n8n.restart();
		expect(n8n.given).toEqual([]);
		expect(n8n.errors).toEqual([]);
	});
});

describe.each(Object.keys(EVENTS).filter((event) => event !== 'queueBacklog'))(
	'IDs that every object has: %s',
	(event) => {
		test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
			'%j is an ID like any other',
			async (id) => {
				const service = new FakeService();
				service.projects.push('constructor', '__proto__');
				const n8n = start(service, event);
				await n8n.activate('activate');
				service.now += MINUTE;
				service.id = () => id;
				EVENTS[event](service);
				service.now += MINUTE;
				await n8n.poll();
				await n8n.poll();
				await n8n.restart();
				await n8n.poll();
				expect(n8n.errors).toEqual([]);
				expect(ids(n8n.given)).toEqual([id]);
			},
		);
	},
);
