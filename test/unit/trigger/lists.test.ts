import fc from 'fast-check';
import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { BodyTooLargeError } from '../../../nodes/Activepieces/transport/http/connectionError';
import { limits } from '../../../nodes/Activepieces/transport/limits';
import { OldestItems } from '../../../nodes/Activepieces/trigger/newRecords';
import { EVENTS_OF_PROJECTS, MAKE_EVENT } from './fakeService';
import { DAY, HOUR, MINUTE, service, useFakes, watch } from './useFakes';

useFakes();

const refuse = (id: string) => service.refused.set(id, 403);
const show = (id: string) => service.projects.push(id);

// Any order of these is in `histories.test.ts`.
describe.each(EVENTS_OF_PROJECTS)('projects: %s', (event) => {
	const happenIn = (projectId: string, after = MINUTE) => {
		service.pass(after);
		const id = MAKE_EVENT[event](service, { projectId });
		// A run may have taken as long as Lookback allows.
		const run = service.lists['flow-runs'].at(-1);
		if (run !== undefined) run.created = new Date(service.now - HOUR).toISOString();
		return id;
	};

	test('nothing is kept of one that is gone, except what it returned last', async () => {
		show('project-c');
		const n8n = await watch(event);
		service.projects.pop();
		happenIn('project-a');
		await n8n.poll();
		expect(n8n.stored).not.toContain('"project-c"');
	});

	test('one that cannot be read is reported, and loses nothing, also what appears late', async () => {
		limits.triggerSeenRecords = 2;
		const n8n = await watch(event, { 'options.lookbackHours': 1 });
		service.pass(DAY);
		const given = [happenIn('project-b'), happenIn('project-b')];
		await n8n.poll();
		service.pass(4 * MINUTE);
		await n8n.poll();
		refuse('project-b');
		// Earlier than both that were returned
		const late = happenIn('project-b', -4 * MINUTE - 90_000);
		const missed = happenIn('project-b', 5 * MINUTE + 90_000);
		await n8n.polls(6, () => given.push(happenIn('project-a', 10 * MINUTE)));
		expect(n8n.ids).toEqual(given);
		const name = 'The project "The project-b" (project-b) cannot be read: ';
		const message = expect.stringContaining(name);
		expect(n8n.warnings).toEqual([message, message]);
		const error = { node: {}, message };
		expect(n8n.errors).toMatchObject([error, error, error, error]);

		service.refused.clear();
		await n8n.poll();
		expect(await n8n.idsAfterRestart()).toEqual([...given, late, missed]);
		// The count starts again, and when the workflow is published.
		refuse('project-b');
		await n8n.polls(2);
		await n8n.activate('update');
		expect(n8n.errors).toHaveLength(4);
	});
});

test.each(EVENTS_OF_PROJECTS)(
	'what happens in the second in which watching starts is not lost where it cannot be read: %s',
	async (event) => {
		refuse('project-b');
		const n8n = await watch(event);
		const id = MAKE_EVENT[event](service, { projectId: 'project-b' });
		service.refused.clear();
		expect(await n8n.idsAfterPoll()).toEqual([id]);
	},
);

const answered = (body: string, statusCode = 200, headers: IDataObject = {}) => {
	return (): IN8nHttpFullResponse => {
		return { statusCode, headers: { 'content-length': '1', ...headers }, body };
	};
};
const thrown = (code: string) => () => {
	throw Object.assign(new (code === 'too large' ? BodyTooLargeError : Error)(code), { code });
};
const HTML = { 'content-type': 'text/html' };

test.each<[string, () => IN8nHttpFullResponse]>([
	...[400, 404, 422, 500].map((status): [string, () => IN8nHttpFullResponse] => [
		`answer ${status}`,
		answered(JSON.stringify({ statusCode: status, message: 'Refused' }), status),
	]),
	['answer 503 from a proxy', answered('<html>', 503, HTML)],
	['answer a page of a proxy', answered('<html>', 200, HTML)],
	['do not answer in time', thrown('ECONNABORTED')],
	['close the connection', thrown('ECONNRESET')],
])('many projects that %s do not suppress the others', async (how, answer) => {
	const more = { 'close the connection': 0, 'answer 400': 1 }[how] ?? 7;
	service.projects = Array.from({ length: 5 + more }, (_, index) => `project-${index + 10}`);
	const n8n = await watch('flowCreated');
	for (const id of service.projects) service.answers.set(id, answer);
	await n8n.polls(3);
	expect(n8n.errors).toHaveLength(/50[03]|answer in time|close/.test(how) ? 1 : 3);
	show('project-fine');
	n8n.warnings = [];
	n8n.errors = [];
	service.pass();
	const missed = MAKE_EVENT.flowCreated(service, { projectId: 'project-10' });
	const id = MAKE_EVENT.flowCreated(service, { projectId: 'project-fine' });
	expect(await n8n.idsAfterPoll()).toEqual([id]);
	const warning = /"The project-\d+".+?(?: (\d+) more cannot be read\.)? The trigger still/;
	// Those that found the service down count as well.
	const lines = [...n8n.warnings, ...n8n.errors.map(({ message }) => message)];
	const named = lines.map((line) => warning.exec(line)?.[1]);
	expect(named).toEqual([more === 0 ? undefined : String(more)]);
	service.answers.clear();
	expect(await n8n.idsAfterPoll()).toEqual([id, missed]);
});

test.each(['CERT_HAS_EXPIRED', 'too large'])('%s is an error at once', async (code) => {
	const n8n = await watch('userJoined');
	service.answers.set(undefined, thrown(code));
	await n8n.poll();
	expect(n8n.errors).toMatchObject([{ failure: { cause: 'configuration-invalid' } }]);
});

test.each([401, 429])('a project that responds with %s ends the poll', async (status) => {
	const n8n = await watch('flowCreated');
	service.answers.set('project-b', answered('{"message":"Refused"}', status));
	service.pass(HOUR);
	service.addFlow();
	await n8n.poll();
	expect(n8n.given).toEqual([]);
});

describe('connections', () => {
	const EVENT = 'connectionNeedsAttention';
	/** Makes a connection break later than everything before. */
	const addBroken = (projectId?: string) => {
		service.pass();
		return service.addConnection({ projectId }).id;
	};
	/** Makes the list of global connections respond with a status, optionally as a missing route. */
	const refuseGlobal = (status: number, message: string, page?: string) => {
		const body = { statusCode: status, code: 'X', params: {}, message };
		const refusal = answered(page ?? JSON.stringify(body), status);
		const answer = (url: string) => (url === '/v1/global-connections' ? refusal() : undefined);
		service.answers.set(undefined, ({ url }) => answer(url));
	};

	test.each(['all', 'global', 'project'])('of one project and scope: %s', async (scope) => {
		const n8n = await watch(EVENT, { scope, projectId: 'project-b' });
		addBroken('project-a');
		const own = addBroken('project-b');
		const shared = addBroken();
		service.addConnection({ projectIds: ['project-a'] });
		const expected = { all: [own, shared], global: [shared], project: [own] }[scope];
		expect(await n8n.idsAfterPoll()).toEqual(expected);
	});

	test.each([
		['all', 'returned once'],
		['project', 'no event of the project'],
	])('a global one that a release lists with a project, Scope %s: is %s', async (scope) => {
		const n8n = await watch(EVENT, { scope });
		const global = addBroken();
		const own = addBroken('project-a');
		const data = service.connections;
		service.answers.set('project-a', answered(JSON.stringify({ data, next: null })));
		expect(await n8n.idsAfterPoll()).toEqual(scope === 'all' ? [global, own] : [own]);
	});

	test('one that was repaired is returned again when it breaks again', async () => {
		const connection = service.addConnection({ status: 'ACTIVE' });
		const n8n = await watch(EVENT);
		for (const status of ['ERROR', 'MISSING', 'ACTIVE', 'ERROR']) {
			service.pass();
			Object.assign(connection, { status, updated: service.time });
			await n8n.poll();
		}
		expect(n8n.ids).toEqual([connection.id, connection.id]);
	});

	test.each([
		['edition', 404, 'Route not found'],
		['plan', 402, 'Refused'],
		['user', 403, 'Refused'],
	])('without global ones by %s: watches the others', async (_who, status, text) => {
		const n8n = await watch(EVENT);
		const before = addBroken();
		await n8n.poll();
		refuseGlobal(status, text);
		const given = addBroken('project-a');
		await n8n.poll();
		addBroken();
		service.pass(DAY);
		await n8n.poll();
		service.answers.clear();
		await n8n.poll();
		expect(n8n.ids).toEqual([before, given]);
		const id = addBroken();
		expect(await n8n.idsAfterPoll()).toEqual([before, given, id]);
		expect([...n8n.errors, ...n8n.warnings]).toEqual([]);
		// As the only ones that are watched they are an error.
		const ofGlobal = await watch(EVENT, { scope: 'global' });
		refuseGlobal(status, text);
		await ofGlobal.poll();
		expect(ofGlobal.errors).toHaveLength(1);
		// Without them, projects that all refuse are everything that is watched.
		for (const project of service.projects) refuse(project);
		await n8n.poll();
		expect(n8n.errors).toHaveLength(1);
	});

	test.each([
		[500, undefined],
		[403, '<html>Blocked by a firewall'],
	])('global ones with HTTP %i silence no project, nor projects them', async (status, page) => {
		const n8n = await watch(EVENT);
		refuseGlobal(status, 'Refused', page);
		const made = [addBroken('project-a')];
		const missed = addBroken();
		await n8n.poll();
		const warning =
			/Global connections cannot be read: .+\. The trigger still reads everything else, /;
		expect(n8n.warnings).toEqual([expect.stringMatching(warning)]);
		service.answers.clear();
		expect(await n8n.idsAfterPoll()).toEqual([...made, missed]);
		for (const id of service.projects) refuse(id);
		const withheld = addBroken('project-a');
		const id = addBroken();
		expect(await n8n.idsAfterPoll()).toEqual([...made, missed, id]);
		service.refused.clear();
		expect(await n8n.idsAfterPoll()).toEqual([...made, missed, id, withheld]);
		n8n.warnings = [];
		refuseGlobal(500, 'Refused');
		refuse('project-a');
		await n8n.poll();
		const ofBoth =
			/Global connections .+\. The project .+\. The trigger still reads everything else, /;
		expect(n8n.warnings).toEqual([expect.stringMatching(ofBoth)]);
		// They are counted together.
		service.answers.clear();
		await n8n.polls(2);
		refuseGlobal(500, 'Refused');
		await n8n.poll();
		const ofProject = /^The project .+ still reads everything else, /;
		expect(n8n.errors.map(({ message }) => message)).toEqual([
			expect.stringMatching(ofProject),
			expect.stringMatching(ofBoth),
		]);
	});

	test('of a project that was made since are returned although nothing dates their break', async () => {
		const n8n = await watch(EVENT);
		const connection = service.addConnection({ projectId: 'project-c', status: 'ACTIVE' });
		service.pass(DAY);
		await n8n.poll();
		show('project-c');
		await n8n.poll();
		service.pass();
		Object.assign(connection, { status: 'MISSING', updated: null });
		expect(await n8n.idsAfterPoll()).toEqual([connection.id]);
	});
});

describe('the oldest items', () => {
	test('of the projects that were read are returned, whatever others had', () => {
		const rows = fc.array(fc.record({ listId: fc.nat(3), time: fc.nat(50) }), { maxLength: 60 });
		const isRead = fc.subarray([0, 1, 2, 3]);
		const holds = fc.property(rows, isRead, fc.integer({ min: 1, max: 5 }), (found, read, max) => {
			const outputs = new OldestItems(max);
			const kept = outputs as unknown as Record<'reading' | 'items', Map<string, unknown>>;
			const all = found.map(({ listId, time }, index) => {
				const item = { id: `id-${index}`, time, listId: String(listId), json: {} };
				outputs.add(item);
				// Fewer than twice as many of each project.
				const ofLists = [...kept.reading.values()] as Array<Map<string, unknown>>;
				for (const { size } of [kept.items, ...ofLists]) expect(size).toBeLessThan(2 * max);
				return item;
			});
			for (const listId of read) outputs.listIsRead(String(listId));
			expect(kept.items.size).toBeLessThan(2 * max);
			const ofRead = all.filter(({ listId }) => read.includes(Number(listId)));
			const sorted = ofRead.sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));
			const { items, left } = outputs.result();
			expect(items.map(({ id }) => id)).toEqual(sorted.slice(0, max).map(({ id }) => id));
			const rest = sorted.slice(max).map(({ time }) => time);
			expect(Math.min(...left.values())).toBe(Math.min(...rest));
		});
		fc.assert(holds);
	});

	test('of a project that cannot be read to its end do not withhold those of others', async () => {
		const fails = answered('{}', 500);
		service.answers.set('project-b', ({ qs }) => (qs?.cursor === undefined ? undefined : fails()));
		const n8n = await watch('flowCreated', { 'options.maxItems': 5 });
		service.pass(HOUR);
		for (let count = 0; count < 1100; count++) service.addFlow({ projectId: 'project-b' });
		service.pass();
		const given = Array.from({ length: 12 }, () => service.addFlow({ projectId: 'project-a' }).id);
		await n8n.polls(3);
		expect(n8n.ids).toEqual(given);
	});
});

describe('runs in parts', () => {
	beforeEach(() => {
		limits.triggerRunsPageSize = limits.defaultPageSize = 10;
		// No list is read completely.
		limits.maxRecordsPerItem = 50;
	});

	test('a poll reads only the parts that it needs', async () => {
		service.addRun();
		const options = { 'options.lookbackHours': 1, 'options.maxItems': 12 };
		const n8n = await watch('flowRunFailed', options);
		const made = Array.from({ length: 200 }, () => {
			service.pass(20 * MINUTE);
			return service.addRun().id;
		});
		service.pages = 0;
		await n8n.poll();
		// Not the 20 pages of all.
		expect(service.pages).toBeLessThan(15);
		await n8n.pollToEnd();
		expect(n8n.ids).toEqual(made);
	});

	const BOUNDS = ['createdBefore', 'createdAfter'] as const;
	test.each(BOUNDS)('are read as one list if a proxy removes %s', async (ignored) => {
		service.addRun();
		const n8n = await watch('flowRunFailed', { 'options.lookbackHours': 1 });
		service.ignored = ignored;
		service.pass();
		const made = Array.from({ length: 40 }, () => service.addRun().id);
		service.pages = 0;
		expect(await n8n.idsAfterPoll()).toEqual(made);
		expect(service.pages).toBeLessThan(ignored === 'createdBefore' ? 12 : 60);
	});

	test('a project whose list never ends is soon given up, and reported once', async () => {
		const n8n = await watch('flowRunFailed');
		service.pass();
		const { id } = service.addRun({ projectId: 'project-b' });
		const row = service.addRun({ projectId: 'project-a' });
		let pages = 0;
		service.answers.set('project-a', ({ qs = {} }) => {
			const data = qs.createdBefore === undefined ? [row] : [];
			return answered(JSON.stringify({ data, next: `next-${pages++}` }))();
		});
		expect(await n8n.idsAfterPoll()).toEqual([id]);
		const warning = 'The response for the flow runs does not have the expected format';
		expect(n8n.warnings).toEqual([expect.stringContaining(warning)]);
		expect(pages).toBeLessThan(120);
	});
});
