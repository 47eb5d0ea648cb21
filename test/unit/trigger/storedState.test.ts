import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { fingerprintOf } from '../../../nodes/Activepieces/trigger/eventContext';
import { flowRunFailed } from '../../../nodes/Activepieces/trigger/events/flowRun.events';
import { storedText, toTime } from '../../../nodes/Activepieces/trigger/storedValues';
import { FakeN8n } from './fakeN8n';
import { HAPPENINGS } from './fakeService';
import { renewService, service, useFakes, watch } from './useFakes';

useFakes();

type Stored = Record<string, { activepieces: IDataObject }>;

const EVENTS: Record<string, () => unknown> = {
	...Object.fromEntries(
		Object.entries(HAPPENINGS).map(([event, happen]) => [event, () => happen(service)]),
	),
	queueBacklog() {
		service.waiting = service.waiting > 100 ? 0 : 200;
	},
};

const start = (event: string) =>
	new FakeN8n(service, { event, threshold: 100, statuses: ['FAILED'] });

/** What anybody may have written in place of a part. */
const odd = [null, '', 'text', 0, -1, 1e308, true, [], {}, [null], [[]], ['a'], { a: 1 }];
const anything = fc.oneof(fc.constantFrom<unknown>(...odd), fc.jsonValue({ maxDepth: 3 }));

/** Every place in a value, as a list of keys. */
function placesIn(value: unknown): string[][] {
	const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
	return [[], ...parts.flatMap(([key, part]) => placesIn(part).map((rest) => [key, ...rest]))];
}

function replaceAt(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
	if (key === undefined) return by;
	const changed = { ...(value as object), [key]: replaceAt((value as IDataObject)[key], rest, by) };
	return Array.isArray(value) ? Object.values(changed) : changed;
}

describe.each(Object.entries(EVENTS))('the stored state of %s', (event, happen) => {
	test('of any shape never ends in an error, and goes on with what happens next', async () => {
		await fc.assert(
			fc.asyncProperty(anything, fc.nat(), async (part, place) => {
				renewService();
				const n8n = start(event);
				happen();
				await n8n.activate('activate');
				service.pass();
				happen();
				await n8n.poll();
				const stored = JSON.parse(n8n.stored) as Stored;
				const places = placesIn(stored.Trigger.activepieces);
				const state = replaceAt(stored.Trigger.activepieces, places[place % places.length], part);
				n8n.stored = JSON.stringify({ Trigger: { activepieces: state } });
				await n8n.restart();
				await n8n.poll();
				expect(n8n.errors).toEqual([]);
				// Whatever it was: a later poll finds a valid state.
				service.pass();
				happen();
				await n8n.poll();
				const { fingerprint } = stored.Trigger.activepieces;
				expect(JSON.parse(n8n.stored)).toMatchObject({
					Trigger: { activepieces: { version: 2, fingerprint } },
				});
			}),
			{ numRuns: 25 },
		);
	});

	const of = (change: (state: IDataObject) => unknown) => (state: IDataObject) => ({
		activepieces: change(state),
	});
	test.each<[string, (state: IDataObject) => unknown]>([
		['without a version, as before 0.1', of((state) => ({ ...state, version: undefined }))],
		['of an earlier version', of((state) => ({ ...state, version: 1 }))],
		['of a later version', of((state) => ({ ...state, version: 3 }))],
		['without the part of the event', of((state) => ({ ...state, event: {} }))],
		['with a list in the place of the event', of((state) => ({ ...state, event: [] }))],
		['that is huge', of((state) => ({ ...state, more: 'x'.repeat(2000) }))],
		['that is a text', of(() => 'state')],
		['that is null', of(() => null)],
		['in the place of which n8n has a text', () => 'text'],
		['in the place of which n8n has a number', () => 5],
		['in the place of which n8n has a list', () => []],
		['in the place of which n8n has a list of nothing', () => [null]],
	])('%s restarts watching', async (_name, change) => {
		limits.triggerMaxStateLength = 2000;
		const n8n = await watch(event);
		const { Trigger } = JSON.parse(n8n.stored) as Stored;
		n8n.stored = JSON.stringify({ Trigger: change(Trigger.activepieces) });
		service.pass();
		happen();
		await n8n.restart();
		expect(n8n.given).toEqual([]);
		const made: unknown[] = [];
		for (let count = 0; count < 3; count++) {
			service.pass();
			made.push(happen());
			await n8n.poll();
			await n8n.poll();
		}
		expect(n8n.errors).toEqual([]);
		if (event !== 'queueBacklog') expect(n8n.ids).toEqual(made);
	});
});

test.each([
	['flowCreated', 'a time that is no time', ['project-c', ['x', 0]]],
	['flowCreated', 'one time only', ['project-c', [1]]],
	['flowStatusChanged', 'an ID that is no text', [5, 0]],
	['flowStatusChanged', 'a time that is no time', ['project-c', 'x']],
])('%s: a state in which a list has %s restarts watching', async (event, _name, list) => {
	const n8n = await watch(event);
	const stored = n8n.stored.replace('"lists":[', `"lists":[${JSON.stringify(list).slice(1, -1)},`);
	expect(stored).not.toBe(n8n.stored);
	n8n.stored = stored;
	service.pass();
	EVENTS[event]();
	await n8n.restart();
	await n8n.poll();
	expect(n8n.errors).toEqual([]);
	expect(n8n.given).toEqual([]);
});

describe.each(Object.keys(HAPPENINGS))('IDs that every object has: %s', (event) => {
	test.each(['constructor', '__proto__', 'hasOwnProperty'])(
		'%j is an ID like any other',
		async (id) => {
			service.projects.push('constructor', '__proto__');
			const n8n = await watch(event);
			service.pass();
			service.id = () => id;
			EVENTS[event]();
			service.pass();
			await n8n.pollToEnd();
			await n8n.restart();
			await n8n.poll();
			expect(n8n.errors).toEqual([]);
			expect(n8n.ids).toEqual([id]);
		},
	);
});

test.each([
	['', ''],
	['started 2026-12-01T08:00:00.000Z', 'started 2026-12-01T08:00:00.000Z'],
	['x'.repeat(41), '#41#'],
	['\u0001', '#1#'],
])('for %j the state keeps %j', (text, kept) => {
	expect(storedText(text).startsWith(kept)).toBe(true);
	expect(storedText(text).length).toBeLessThan(40);
});

test('texts that differ in one character are distinguished', () => {
	const texts = Array.from({ length: 1000 }, (_, index) => `${'x'.repeat(100)}${index}`);
	expect(new Set(texts.map(storedText)).size).toBe(1000);
});

const LONG = 'x'.repeat(5000);

/** Makes events occur whose texts are long. */
const LONG_EVENTS: Record<string, (id: string) => void> = {
	userJoined: (id) => service.users.push({ id, created: service.time }),
	flowRunFailed: (id) => service.addRun({ id, finishTime: null, startTime: LONG }),
	flowStatusChanged: (id) => service.addFlow({ id, status: LONG }),
	flowPublished: (id) => service.addFlow({ publishedVersionId: id }),
	connectionNeedsAttention: (id) => service.addConnection({ id, updated: LONG }),
};

test.each(Object.entries(LONG_EVENTS))(
	'%s: records with long texts are returned once, and the texts are not stored',
	async (event, happen) => {
		// The maximum length of a project's ID.
		service.projects = ['p'.repeat(1000)];
		service.addFlow();
		const n8n = await watch(event);
		for (let count = 1; count <= 2; count++) {
			service.pass();
			happen(`${LONG}${count}`);
			expect(await n8n.poll()).toHaveLength(1);
			await n8n.restart();
			await n8n.poll();
			expect(n8n.given).toHaveLength(count);
		}
		expect(n8n.stored.length).toBeLessThan(2000);
	},
);

test('statuses that are no texts are compared without their own words', () => {
	const of = (statuses: unknown[]) =>
		fingerprintOf(flowRunFailed, { baseUrl: '', credentialId: '' }, () => statuses);
	const wordless = { toString: 1 };
	expect(of([wordless, 'FAILED'])).toBe(of(['FAILED', wordless]));
	expect(of(['FAILED', 'TIMEOUT'])).toBe(of(['TIMEOUT', 'FAILED']));
});

test.each([
	['2026-11-21T20:00:00.000Z', Date.UTC(2026, 10, 21, 20)],
	[1_795_000_000_000, 1_795_000_000_000],
	['1969-12-31T23:59:59.000Z', 0],
	['soon', 0],
	['', 0],
	[null, 0],
	[undefined, 0],
	[{}, 0],
])('%j is the time %d', (value, time) => {
	expect(toTime(value)).toBe(time);
});
