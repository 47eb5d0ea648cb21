import fc from 'fast-check';
import { sleep, type IDataObject } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { MAKE_EVENT } from './fakeService';
import { MINUTE, renewService, service, useFakes, watch } from './useFakes';

useFakes();

const addUser = () => {
	service.pass();
	return service.addUser();
};

/**
 * Keeps back the response to the next request without a project.
 *
 * @returns a function that sends it
 */
function holdAnswer(): () => void {
	let send = () => {};
	const sent = new Promise<void>((resolve) => (send = resolve));
	service.answers.set(undefined, async (options) => {
		service.answers.clear();
		await sent;
		return await service.answer(options);
	});
	return send;
}

describe('what the process remembers beside the stored state', () => {
	const LATER = ['it has more than Max Items', 'its project cannot be read'];
	test.each(LATER)('a connection that broke before a restart: %s', async (why) => {
		const connection = service.addConnection({ projectId: 'project-b', status: 'ACTIVE' });
		const n8n = await watch('connectionNeedsAttention', { 'options.maxItems': 1 });
		const set = async (status: string) => {
			service.pass();
			Object.assign(connection, { status, updated: service.time });
			await n8n.poll();
		};
		await set('ERROR');
		await set('ACTIVE');
		service.isDown = true;
		const others = [service.addConnection({ projectId: 'project-a' }).id];
		await set('ERROR');
		service.isDown = false;
		if (why.startsWith('its')) service.refused.set('project-b', 403);
		await n8n.restart();
		service.refused.clear();
		await n8n.polls(2);
		expect(n8n.ids).toEqual([connection.id, ...others, connection.id]);
	});

	test('an older state that n8n has restored may repeat events, and loses none', async () => {
		const first = service.addConnection();
		const n8n = await watch('connectionNeedsAttention');
		const { stored } = n8n;
		const { id } = service.addConnection();
		await n8n.polls(2);
		service.pass();
		first.updated = service.time;
		for (let count = 0; count < 2; count++) {
			n8n.stored = stored;
			await n8n.activate('update');
		}
		expect(n8n.ids).toEqual([id, id, first.id, id, first.id]);
	});

	test('a process that leads again uses what n8n has stored, because another one polled in between', async () => {
		const connection = service.addConnection();
		const n8n = await watch('connectionNeedsAttention');
		await n8n.poll();
		// The other process has seen it repaired.
		service.pass();
		connection.updated = service.time;
		await n8n.activate('leadershipChange');
		expect(n8n.ids).toEqual([connection.id]);
	});

	test('a second backlog is told, although n8n stores nothing after polls without items', async () => {
		const n8n = await watch('queueBacklog', { metric: 'waiting', threshold: 10 }, true);
		for (const [waiting, told] of [
			[50, 1],
			[0, 1],
			[50, 2],
			[50, 2],
		]) {
			service.waiting = waiting;
			await n8n.poll();
			expect(n8n.given).toHaveLength(told);
		}
	});

	test('another event and back again starts over', async () => {
		const n8n = await watch('userJoined', {}, true);
		const first = addUser();
		await n8n.poll();
		n8n.parameters.event = 'flowCreated';
		await n8n.poll();
		addUser();
		n8n.parameters.event = 'userJoined';
		await n8n.poll();
		const second = addUser();
		expect(await n8n.idsAfterPoll()).toEqual([first, second]);
	});

	test('another event that is never polled, and back again, continues', async () => {
		const n8n = await watch('userJoined');
		service.isDown = true;
		n8n.parameters.event = 'flowCreated';
		await n8n.activate('update');
		service.isDown = false;
		const id = addUser();
		n8n.parameters.event = 'userJoined';
		await n8n.activate('update');
		expect(n8n.ids).toEqual([id]);
	});

	const OTHERS = ['credentialId', 'baseUrl'] as const;
	test.each(OTHERS)('another %s starts over, and a new key continues', async (field) => {
		const n8n = await watch('userJoined');
		n8n.apiKey = 'sk-rotated';
		const first = addUser();
		await n8n.activate('update');
		expect(n8n.ids).toEqual([first]);
		addUser();
		n8n[field] = 'http://another.invalid/api';
		await n8n.activate('update');
		const second = addUser();
		expect(await n8n.idsAfterPoll()).toEqual([first, second]);
	});

	test('a poll that ends after another event was published does not undo its start', async () => {
		const n8n = await watch('userJoined');
		const answer = holdAnswer();
		const polled = n8n.poll();
		// It has read its parameters by then.
		await sleep(0);
		n8n.parameters.event = 'connectionNeedsAttention';
		await n8n.activate('update');
		answer();
		await polled;
		const { id } = service.addConnection();
		expect(await n8n.idsAfterPoll()).toEqual([id]);
	});

	test('a change may be published during an outage, however often', async () => {
		const n8n = await watch('userJoined');
		service.isDown = true;
		for (let change = 0; change < 3; change++) {
			await n8n.activate('update');
			// The polls in between count.
			await n8n.poll();
		}
		expect(n8n.errors).toEqual([]);
	});

	test('two nodes with the same ID in a workflow do not share their state', async () => {
		const both = [10, 1000].map((threshold) => {
			const n8n = new FakeN8n(service, { event: 'queueBacklog', metric: 'waiting', threshold });
			n8n.name = `Above ${threshold}`;
			return n8n;
		});
		for (const n8n of both) await n8n.activate('activate');
		service.waiting = 50;
		for (let count = 0; count < 5; count++) for (const n8n of both) await n8n.poll();
		expect(both.map(({ given }) => given.length)).toEqual([1, 0]);
	});
});

describe('the stored state', () => {
	type Stored = Record<string, { activepieces: IDataObject }>;
	/** What anybody may have written in place of a part. */
	const odd = [null, '', 'text', 0, -1, 1e308, true, [], {}, [null], [[]], ['a'], { a: 1 }];
	const anything = fc.oneof(fc.constantFrom<unknown>(...odd), fc.jsonValue({ maxDepth: 3 }));

	/** Every place in a value, as a list of keys. */
	function locatorFieldsIn(value: unknown): string[][] {
		const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
		return [
			[],
			...parts.flatMap(([key, part]) => locatorFieldsIn(part).map((rest) => [key, ...rest])),
		];
	}

	function replaceAt(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
		if (key === undefined) return by;
		const part = (value as IDataObject)[key];
		const changed = { ...(value as object), [key]: replaceAt(part, rest, by) };
		return Array.isArray(value) ? Object.values(changed) : changed;
	}

	test.each(Object.keys(MAKE_EVENT))('of any shape is no error, and goes on: %s', async (event) => {
		const happen = () => {
			service.pass();
			return MAKE_EVENT[event](service);
		};
		const property = fc.asyncProperty(anything, fc.nat(), async (part, place) => {
			renewService();
			happen();
			const n8n = await watch(event);
			happen();
			await n8n.poll();
			const { activepieces } = (JSON.parse(n8n.stored) as Stored).Trigger;
			const places = locatorFieldsIn(activepieces);
			const state = replaceAt(activepieces, places[place % places.length], part);
			n8n.stored = JSON.stringify({ Trigger: { activepieces: state } });
			await n8n.restart();
			await n8n.poll();
			expect(n8n.errors).toEqual([]);
			// Whatever it was: a later poll finds a valid state.
			happen();
			await n8n.poll();
			const valid = { version: 2, fingerprint: activepieces.fingerprint };
			expect(JSON.parse(n8n.stored)).toMatchObject({ Trigger: { activepieces: valid } });
		});
		await fc.assert(property, { numRuns: 15 });
	});

	test.each<[string, (state: IDataObject) => unknown]>([
		['without a version, as before 0.1', (state) => ({ ...state, version: undefined })],
		['of a later version', (state) => ({ ...state, version: 3 })],
		['without the part of the event', (state) => ({ ...state, event: {} })],
		['of something else', (state) => ({ ...state, fingerprint: 'another' })],
		['that is a text', () => 'state'],
	])('%s starts over', async (_name, change) => {
		const n8n = await watch('userJoined');
		const { activepieces } = (JSON.parse(n8n.stored) as Stored).Trigger;
		n8n.stored = JSON.stringify({ Trigger: { activepieces: change(activepieces) } });
		addUser();
		await n8n.restart();
		expect(n8n.given).toEqual([]);
		const id = addUser();
		await n8n.polls(2);
		expect(n8n.ids).toEqual([id]);
		expect(n8n.errors).toEqual([]);
	});

	type Happen = () => void;
	const SITUATIONS: Array<(n8n: FakeN8n, happen: Happen) => Promise<void>> = [
		async () => {},
		async (n8n, happen) => await n8n.polls(5, happen),
		// Items are left to the next poll.
		async (n8n, happen) => {
			for (let count = 0; count < 5; count++) happen();
			await n8n.poll();
		},
	];
	/** How an earlier release, which took the time of the server for that of records, wrote a state. */
	function writeAsBefore(n8n: FakeN8n, startedAt: number): void {
		const stored = JSON.parse(n8n.stored) as Stored;
		const state = stored.Trigger.activepieces.event as Record<string, unknown[]>;
		expect(Object.keys(state).sort()).toEqual(['lists', 'polled', 'raisedAt', 'seen']);
		delete state.raisedAt;
		const until = startedAt - limits.triggerLatenessMs;
		const isOld = (value: unknown) => typeof value === 'number' && value <= until;
		state.lists = state.lists.map((of) => (Array.isArray(of) ? [until, of[1] as unknown] : of));
		state.seen = state.seen.map((of) =>
			Array.isArray(of) ? of.filter((_, index) => !isOld(of[index - (index % 2) + 1])) : of,
		);
		n8n.stored = JSON.stringify(stored);
	}
	/** The events of records that such a release had; no other one has states of it */
	const EARLIER = [
		...['flowCreated', 'flowRunFailed', 'flowRunSucceeded', 'platformEvent'],
		...['userInvitationCreated', 'userJoined'],
	];
	test.each(EARLIER)('of an earlier release is read: %s', async (event) => {
		for (const minutes of [0, 3, -10])
			for (const happened of SITUATIONS) {
				renewService();
				service.skew = minutes * MINUTE;
				const made: string[] = [];
				const happen = () => {
					service.pass();
					made.push(MAKE_EVENT[event](service, { projectId: service.projectOf(made.length) }));
				};
				MAKE_EVENT[event](service);
				const startedAt = service.now + service.skew;
				const n8n = await watch(event, { 'options.maxItems': 2 });
				await happened(n8n, happen);
				writeAsBefore(n8n, startedAt);
				happen();
				await n8n.restart();
				await n8n.polls(8, () => service.pass());
				happen();
				await n8n.pollToEnd();
				expect([...n8n.ids].sort()).toEqual(made.sort());
			}
	});

	test.each(Object.keys(MAKE_EVENT))('knows IDs that every object has: %s', async (event) => {
		service.projects.push('constructor', '__proto__');
		for (const id of ['constructor', '__proto__']) {
			const n8n = await watch(event);
			service.pass();
			service.id = () => id;
			MAKE_EVENT[event](service);
			await n8n.pollToEnd();
			await n8n.restart();
			expect(n8n.errors).toEqual([]);
			expect(n8n.ids).toEqual([id]);
		}
	});
});

describe('the time of a poll', () => {
	const { triggerPollMs } = limits;

	/** A poll of which a response comes only after it was given up. */
	async function pollTooLong(n8n: FakeN8n): Promise<void> {
		limits.triggerPollMs = 50;
		const answer = holdAnswer();
		expect(await n8n.poll()).toEqual([]);
		limits.triggerPollMs = triggerPollMs;
		expect(n8n.warnings).toEqual([expect.stringContaining('The poll did not finish within')]);
		expect(n8n.errors).toEqual([]);
		answer();
		await sleep(0);
	}

	test.each([
		['a list is read', 'userJoined', {}],
		['the names of projects are read', 'flowCreated', { projectId: 'project-a' }],
	])('ends like a server that is down while %s, and saves nothing', async (_, event, of) => {
		const n8n = await watch(event, of);
		service.pass();
		const id = MAKE_EVENT[event](service, { projectId: 'project-a' });
		await pollTooLong(n8n);
		expect(n8n.given).toEqual([]);
		await n8n.poll();
		expect(await n8n.idsAfterPoll()).toEqual([id]);
	});

	test('ends its requests', async () => {
		const n8n = await watch('flowCreated');
		service.askedSince.clear();
		await pollTooLong(n8n);
		// Only the list of projects, which belongs to no project.
		expect([...service.askedSince.keys()]).toEqual([undefined]);
	});
});
