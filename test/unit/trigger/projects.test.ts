import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { HAPPENINGS } from './fakeService';
import { DAY, HOUR, MINUTE, service, useFakes, watch } from './useFakes';

useFakes();

const hide = (id: string) => {
	service.projects = service.projects.filter((each) => each !== id);
};
const show = (...ids: string[]) => service.projects.push(...ids);
const refuse = (id: string) => service.refused.set(id, 403);
const EVENTS = Object.keys(HAPPENINGS).filter((event) => event !== 'userJoined');

describe.each(EVENTS)('%s', (event) => {
	const happenIn = (projectId: string, after = MINUTE) => {
		service.pass(after);
		return HAPPENINGS[event](service, projectId);
	};

	test('a project that becomes visible after months gives none of its old records', async () => {
		const n8n = await watch(event);
		await n8n.polls(3, () => {
			happenIn('project-c');
			service.pass(5 * DAY);
		});
		show('project-c');
		await n8n.polls(2);
		expect(n8n.given).toEqual([]);

		const id = happenIn('project-c');
		await n8n.poll();
		expect(await n8n.idsAfterRestart()).toEqual([id]);
	});

	test('what n8n had not stored of a project when it restarted may come', async () => {
		const n8n = await watch(event);
		const id = happenIn('project-c');
		service.pass(DAY);
		await n8n.poll();
		show('project-c');
		await n8n.poll();
		expect(n8n.given).toEqual([]);
		// The last poll that n8n has stored is that of the activation.
		await n8n.restart();
		expect(await n8n.idsAfterPoll()).toEqual([id]);
	});

	test('a project that was made since the last poll gives what is in it', async () => {
		const n8n = await watch(event);
		service.pass(DAY);
		await n8n.poll();
		const id = happenIn('project-c');
		show('project-c');
		await n8n.polls(2);
		expect(n8n.ids).toEqual([id]);
	});

	test('a project that cannot be read does not silence the others, and loses nothing, also what shows up late', async () => {
		limits.triggerSeenRecords = 2;
		const n8n = await watch(event);
		service.pass(DAY);
		const given = [happenIn('project-b')];
		await n8n.poll();
		refuse('project-b');
		const late = happenIn('project-b', -30_000);
		const missed = happenIn('project-b', 90_000);
		await n8n.polls(6, () => given.push(happenIn('project-a', 10 * MINUTE)));
		expect(n8n.ids).toEqual(given);
		expect(n8n.warnings).toHaveLength(limits.triggerToleratedFailures);
		const message = expect.stringContaining('"project-b"');
		expect(n8n.warnings[0]).toEqual(message);
		expect(n8n.errors).toMatchObject([{ message }, { message }, { message }, { message }]);
		await n8n.poll();
		expect(n8n.errors).toHaveLength(5);

		service.refused.clear();
		await n8n.poll();
		expect(await n8n.idsAfterRestart()).toEqual([...given, late, missed]);
		// The count starts again.
		refuse('project-b');
		await n8n.poll();
		expect(n8n.errors).toHaveLength(5);
	});

	test('a project that was unread once is asked for no more than the others from then on', async () => {
		const n8n = await watch(event);
		refuse('project-b');
		await n8n.poll();
		service.refused.clear();
		await n8n.polls(3, () => service.pass(DAY));
		expect(service.askedSince.get('project-b')).toBe(service.askedSince.get('project-a'));
	});

	test('a project that could not be read when watching began gives what happened since', async () => {
		happenIn('project-b');
		service.pass();
		refuse('project-b');
		const n8n = await watch(event);
		const id = happenIn('project-b');
		service.pass(DAY);
		await n8n.poll();
		service.refused.clear();
		expect(await n8n.idsAfterPoll()).toEqual([id]);
	});

	test('when no project can be read, it is an error like any other', async () => {
		// Global connections are read as well.
		const n8n = await watch(event, { scope: 'project' });
		service.projects.forEach(refuse);
		await n8n.poll();
		expect(n8n.errors).toHaveLength(1);
		expect(n8n.warnings).toEqual([]);
		service.refused.clear();
		const id = happenIn('project-a');
		expect(await n8n.idsAfterPoll()).toEqual([id]);
	});

	test('a project that is missing from one list counts as new, and nothing is repeated', async () => {
		const n8n = await watch(event);
		service.pass(HOUR);
		const given = happenIn('project-b');
		await n8n.poll();
		hide('project-b');
		happenIn('project-b');
		service.pass(HOUR);
		await n8n.poll();
		show('project-b');
		const id = happenIn('project-b');
		await n8n.polls(2);
		expect(await n8n.idsAfterRestart()).toEqual([given, id]);
		expect(n8n.stored).toContain('project-b');
	});

	test('nothing is kept of a list that is gone, except what it returned last', async () => {
		show('project-c');
		const n8n = await watch(event);
		hide('project-c');
		happenIn('project-a');
		await n8n.poll();
		expect(n8n.stored).not.toContain('"project-c"');
	});
});

type Answer = () => IN8nHttpFullResponse;
const thrown = (code: string) => () => {
	throw Object.assign(new Error(code), { code });
};
const answered = (body: string, statusCode = 200, headers: IDataObject = {}) => {
	return () => ({ statusCode, headers: { 'content-length': '1', ...headers }, body });
};
const HTML = { 'content-type': 'text/html' };
let cursor = 0;
const endless = () => answered(JSON.stringify({ data: [], next: String(cursor++) }))();

/** The list of each cannot be read for a different reason. */
const TROUBLES: Array<[string, Answer]> = [
	...[400, 402, 404, 409, 410, 422, 451, 500].map((status): [string, Answer] => [
		`answers ${status}`,
		answered(JSON.stringify({ statusCode: status, message: 'Refused' }), status),
	]),
	...[403, 500, 502, 503, 504].map((status): [string, Answer] => [
		`answers ${status} from a proxy`,
		answered('<html>', status, HTML),
	]),
	['does not answer in time', thrown('ECONNABORTED')],
	['closes the connection', thrown('ECONNRESET')],
	['answers half of a JSON text', answered('{"dat')],
	['answers a page of a proxy', answered('<html>', 200, HTML)],
	['gives empty pages without end', endless],
];

describe.each([1, 12])('%d projects that fail, in parallel,', (count) => {
	const troubled = Array.from({ length: count }, (_, index) => `project-${index + 10}`);
	beforeEach(() => {
		service.projects = [...troubled, 'project-fine'];
	});

	test.each(TROUBLES)('do not suppress the others: each %s', async (_name, answer) => {
		const n8n = await watch('flowCreated');
		for (const id of troubled) service.answers.set(id, answer);
		const missed = service.addFlow().id;
		const made: string[] = [];
		await n8n.polls(4, () => {
			service.pass();
			made.push(service.addFlow({ projectId: 'project-fine' }).id);
		});
		expect(n8n.ids).toEqual(made);
		expect(n8n.warnings).toHaveLength(2);
		const message = expect.stringMatching(/"project-\d+"/);
		expect(n8n.errors).toMatchObject([{ message }, { message }]);
		service.answers.clear();
		expect(await n8n.idsAfterPoll()).toEqual([...made, missed]);
	});

	test('are a server that is down when none can be read', async () => {
		const n8n = await watch('flowCreated');
		for (const id of service.projects) service.answers.set(id, answered('', 503));
		await n8n.polls(3, () => service.pass());
		expect(n8n.warnings).toHaveLength(2);
		expect(n8n.errors).toMatchObject([{ failure: { cause: 'temporarily-unavailable' } }]);
	});
});

test.each([401, 429])('a project that responds with %s ends the poll', async (status) => {
	const n8n = await watch('flowCreated');
	service.answers.set('project-b', answered('{"message":"Refused"}', status));
	service.pass(HOUR);
	service.addFlow();
	await n8n.poll();
	expect(n8n.given).toEqual([]);
});

test('a server that refuses a status is asked without it, although a project is refused for another reason', async () => {
	refuse('project-a');
	service.answers.set('project-b', ({ qs }) =>
		(qs?.status as string[]).includes('LOG_SIZE_EXCEEDED')
			? answered('{"message":"Unknown status"}', 400)()
			: undefined,
	);
	const n8n = await watch('flowRunFailed', { statuses: ['FAILED', 'LOG_SIZE_EXCEEDED'] });
	service.pass(HOUR);
	const { id } = service.addRun({ projectId: 'project-b' });
	expect(await n8n.idsAfterPoll()).toEqual([id]);
});

test('a project that is refused permanently does not restart the others', async () => {
	const n8n = await watch('flowRunFailed', { 'options.lookbackHours': 1 });
	refuse('project-b');
	await n8n.polls(20, () => {
		service.pass(DAY);
		service.addRun();
	});
	expect(n8n.given).toHaveLength(20);
	const age = service.now - Date.parse(String(service.askedSince.get('project-a')));
	expect(age).toBeLessThan(DAY + 2 * HOUR);
});

test('a long name of a project does not hide why it cannot be read', async () => {
	// The maximum length of an ID; projects are named by their ID here.
	const long = 'n'.repeat(1000);
	show(long);
	const n8n = await watch('flowCreated');
	refuse(long);
	await n8n.poll();
	expect(n8n.warnings[0]).toMatch(/cannot be read: \w.*The trigger still reads the other projects/);
});
