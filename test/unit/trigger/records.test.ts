import { limits } from '../../../nodes/Activepieces/transport/limits';
import { MAKE_EVENT } from './fakeService';
import { DAY, HOUR, makeMany, MINUTE, service, useFakes, watch } from './useFakes';

useFakes();

/** A time, this many milliseconds before now */
const ago = (ms: number) => new Date(service.now - ms).toISOString();
const addUser = () => service.addUser();

const OF_LISTS = ['userJoined', 'flowRunFailed', 'flowPublished'];
test.each(OF_LISTS)('rows without an ID are no items: %s', async (event) => {
	const n8n = await watch(event);
	for (const id of [undefined, null, '', {}, true]) {
		service.pass();
		MAKE_EVENT[event](service);
		for (const list of Object.values(service.lists)) {
			Object.assign(list.at(-1) ?? {}, { id });
		}
		await n8n.poll();
	}
	expect(n8n.given).toEqual([]);
});

describe('the space of what is known', () => {
	test('is bounded for records of now, and none is repeated', async () => {
		limits.triggerSeenRecords = 10;
		limits.triggerMaxEntries = 100;
		const n8n = await watch('userJoined', { 'options.maxItems': 5000 });
		const made = makeMany(500, addUser, 10);
		await n8n.poll();
		await n8n.restart();
		expect(await n8n.idsAfterPoll()).toEqual(made);
		expect(made.filter((id) => n8n.stored.includes(id))).toHaveLength(100);
	});

	test('is freed once no records of a time appear any more', async () => {
		limits.triggerSeenRecords = 2;
		const n8n = await watch('userJoined', { 'options.maxItems': 5000 });
		const made = makeMany(100, addUser, MINUTE);
		// A record that is dated in the future makes none of them older.
		const future = service.addUser('2030-01-01T00:00:00.000Z');
		await n8n.poll();
		expect(await n8n.idsAfterRestart()).toEqual([...made, future]);
		expect(made.filter((id) => n8n.stored.includes(id))).toEqual(made.slice(-6));
	});

	test.each([1, 1000])('is bounded for canceled runs: %d per poll', async (maxItems) => {
		limits.triggerMaxEntries = 8;
		const cancelMany = (count: number, projectId = 'project-a') =>
			makeMany(count, () => {
				const startTime = service.time;
				return service.addRun({ status: 'CANCELED', finishTime: null, projectId, startTime }).id;
			});
		const n8n = await watch('flowRunFailed', { 'options.maxItems': maxItems });
		service.refused.set('project-b', 403);
		service.pass();
		const missed = cancelMany(6, 'project-b');
		await n8n.poll();
		service.pass();
		const made = cancelMany(20);
		await n8n.polls(22, () => service.pass());
		await n8n.restart();
		expect([...(await n8n.idsAfterPoll())].sort()).toEqual(made.sort());
		expect(made.filter((id) => n8n.stored.includes(id))).toHaveLength(8);
		// Nothing withholds those of a project that could not be read.
		service.refused.clear();
		await n8n.pollToEnd();
		expect(new Set(n8n.ids)).toEqual(new Set([...made, ...missed]));
	});

	test('is bounded for values: those of deleted flows are forgotten, the others continue', async () => {
		limits.triggerMaxValues = 6;
		const n8n = await watch('flowStatusChanged');
		for (let index = 0; index < 20; index++) {
			service.addFlow({ projectId: service.projectOf(index), status: 'ENABLED' });
		}
		await n8n.poll();
		const isStored = ({ id }: { id: string }) => n8n.stored.includes(id);
		const deleted = service.lists.flows.splice(0, 15);
		const [disabled, ...others] = service.lists.flows;
		disabled.status = 'DISABLED';
		await n8n.poll();
		expect(deleted.filter(isStored)).toHaveLength(2);
		// That of a new flow needs none.
		expect([isStored(disabled), others.every(isStored)]).toEqual([false, true]);
		await n8n.restart();
		await n8n.poll();
		expect(n8n.given).toHaveLength(21);
	});
});

test('a flow that is older than its project was visible, and was published since, is returned after a restart', async () => {
	const flow = service.addFlow({ projectId: 'project-c' });
	service.pass(DAY);
	const n8n = await watch('flowPublished');
	service.pass(HOUR);
	Object.assign(flow, { publishedVersionId: 'version', updated: service.time });
	service.projects.push('project-c');
	expect(await n8n.idsAfterRestart()).toEqual([flow.id]);
});

const HOURS = { flowRunFailed: 24, flowRunSucceeded: 1 };
test.each(Object.entries(HOURS))('%s reads %d hours by default', async (event, hours) => {
	MAKE_EVENT[event](service);
	await watch(event);
	// The runs that may appear late are read too.
	expect(service.askedSince.get('project-a')).toBe(ago(hours * HOUR + 5 * MINUTE));
});

test('of a platform with more users than a list may have only possibly new ones are read', async () => {
	limits.defaultPageSize = 10;
	limits.maxRecordsPerItem = 100;
	makeMany(500, addUser, HOUR);
	const n8n = await watch('userJoined');
	const made = makeMany(30, addUser, HOUR);
	service.pages = 0;
	await n8n.poll();
	expect(service.pages).toBeLessThanOrEqual(5);
	expect(await n8n.idsAfterRestart()).toEqual(made);
	expect(n8n.errors).toEqual([]);
});

test.each([
	['below Clear At, not at it', 5, [11, 5, 11, 4, 11], [1, 1, 1, 1, 2]],
	['at the threshold without Clear At', '', [11, 12, 10, 11, 3, 11], [1, 1, 1, 2, 2, 3]],
])('an alarm about the queue ends %s', async (_how, clearAt, levels, wanted) => {
	const parameters = { metric: 'waiting', threshold: 10, 'options.clearAt': clearAt };
	const n8n = await watch('queueBacklog', parameters);
	const given: number[] = [];
	for (const waiting of levels) {
		service.waiting = waiting;
		await n8n.poll();
		given.push(n8n.given.length);
	}
	expect(given).toEqual(wanted);
});

test('an alarm about the queue is given again after a restart, with which the end of the last one is lost', async () => {
	const n8n = await watch('queueBacklog', { metric: 'waiting', threshold: 10 });
	service.waiting = 11;
	await n8n.poll();
	// A poll without items is not stored.
	service.waiting = 3;
	await n8n.poll();
	service.waiting = 12;
	await n8n.restart();
	expect(n8n.given.map(({ count }) => count)).toEqual([11, 12]);
});

test('events during a long first poll are not lost', async () => {
	limits.maxConcurrency = 1;
	limits.defaultPageSize = 3;
	makeMany(8, () => service.addFlow({ projectId: 'project-b', created: ago(DAY) }).id);
	const made: string[] = [];
	// The list of projects and that of project A have been read.
	const happens = () => {
		made.push(service.addFlow().id);
		service.pass(30 * MINUTE);
	};
	service.meanwhile = { pages: 2, happens };
	const n8n = await watch('flowCreated');
	expect(made).toHaveLength(1);
	expect(await n8n.idsAfterPoll()).toEqual(made);
});
