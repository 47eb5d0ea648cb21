import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { HAPPENINGS } from './fakeService';
import { DAY, HOUR, MINUTE, service, useFakes, watch } from './useFakes';

useFakes();

const EVENTS = [
	'connectionNeedsAttention',
	'flowCreated',
	'flowStatusChanged',
	'flowPublished',
	'flowRunFailed',
	'flowRunSucceeded',
];

describe.each(EVENTS)('%s', (event) => {
	const start = () => new FakeN8n(service, { event, statuses: ['FAILED'] });
	const happen = (projectId: string) => HAPPENINGS[event](service, projectId);
	const hide = (id: string) => {
		service.projects = service.projects.filter((each) => each !== id);
	};
	const happenIn = (projectId: string) => {
		service.pass();
		return happen(projectId);
	};

	test('a project that becomes visible after months gives none of its old records', async () => {
		const n8n = await watch(event);
		for (let month = 0; month < 3; month++) {
			happenIn('project-c');
			service.pass(5 * DAY);
			await n8n.poll();
		}
		service.projects.push('project-c');
		await n8n.poll();
		await n8n.poll();
		expect(n8n.given).toEqual([]);

		const id = happenIn('project-c');
		await n8n.poll();
		await n8n.restart();
		expect(n8n.ids).toEqual([id]);
	});

	test('what n8n had not stored of a project when it restarted may come', async () => {
		const n8n = await watch(event);
		const id = happenIn('project-c');
		service.pass(DAY);
		await n8n.poll();
		service.projects.push('project-c');
		await n8n.poll();
		expect(n8n.given).toEqual([]);
		// The last poll that n8n has stored is that of the activation.
		await n8n.restart();
		await n8n.poll();
		expect(n8n.ids).toEqual([id]);
	});

	test('a project that was made since the last poll gives what is in it', async () => {
		const n8n = await watch(event);
		service.pass(DAY);
		await n8n.poll();
		const id = happenIn('project-c');
		service.projects.push('project-c');
		await n8n.poll();
		await n8n.poll();
		expect(n8n.ids).toEqual([id]);
	});

	test('a project that one list leaves out loses nothing and repeats nothing', async () => {
		limits.triggerSeenRecords = 2;
		const n8n = await watch(event);
		const given = [happenIn('project-b'), happenIn('project-b')];
		await n8n.poll();
		hide('project-b');
		const missed = happenIn('project-b');
		for (let count = 0; count < 8; count++) {
			service.pass(10 * MINUTE);
			given.push(happenIn('project-a'));
			await n8n.poll();
		}
		service.projects.push('project-b');
		await n8n.poll();
		await n8n.restart();
		expect(n8n.ids).toEqual([...given, missed]);
	});

	test('a project that cannot be read does not silence the others, and loses nothing', async () => {
		limits.triggerSeenRecords = 2;
		const n8n = await watch(event);
		const given = [happenIn('project-b')];
		await n8n.poll();
		service.refused.set('project-b', 403);
		const missed = happenIn('project-b');
		for (let count = 0; count < 6; count++) {
			service.pass(10 * MINUTE);
			given.push(happenIn('project-a'));
			await n8n.poll();
		}
		expect(n8n.ids).toEqual(given);
		expect(n8n.warnings).toHaveLength(limits.triggerToleratedFailures);
		expect(n8n.warnings[0]).toContain('"project-b"');
		expect(n8n.errors.map(({ message }) => message)).toEqual(
			Array.from({ length: 4 }, () => expect.stringContaining('"project-b"')),
		);
		await n8n.poll();
		expect(n8n.errors).toHaveLength(5);

		service.refused.clear();
		await n8n.poll();
		await n8n.restart();
		expect(n8n.ids).toEqual([...given, missed]);
		expect(n8n.errors).toHaveLength(5);
		// It counts from the beginning again.
		service.refused.set('project-b', 403);
		await n8n.poll();
		expect(n8n.errors).toHaveLength(5);
	});

	test('a record that shows up late in a project that cannot be read is not lost', async () => {
		limits.triggerSeenRecords = 2;
		const n8n = await watch(event);
		service.pass(DAY);
		const given = [happenIn('project-b')];
		await n8n.poll();
		service.refused.set('project-b', 403);
		service.now -= 30_000;
		const late = happen('project-b');
		service.pass(30_000);
		for (let count = 0; count < 6; count++) {
			service.pass(10 * MINUTE);
			given.push(happenIn('project-a'));
			await n8n.poll();
		}
		service.refused.clear();
		await n8n.poll();
		expect(n8n.ids).toEqual([...given, late]);
	});

	test('a project that could not be read when watching began gives what happened since', async () => {
		const n8n = start();
		happenIn('project-b');
		service.pass();
		service.refused.set('project-b', 403);
		await n8n.activate('activate');
		const id = happenIn('project-b');
		service.pass(DAY);
		await n8n.poll();
		service.refused.clear();
		await n8n.poll();
		expect(n8n.ids).toEqual([id]);
	});

	test('when no project can be read, it is an error like any other', async () => {
		// Global connections are read beside them.
		const n8n = await watch(event, { scope: 'project' });
		for (const id of service.projects) service.refused.set(id, 403);
		await n8n.poll();
		expect(n8n.errors).toHaveLength(1);
		expect(n8n.warnings).toEqual([]);
		service.refused.clear();
		const id = happenIn('project-a');
		await n8n.poll();
		expect(n8n.ids).toEqual([id]);
	});

	describe('the week after which a project is forgotten', () => {
		test('counts from when it is missing, not from when it could not be read', async () => {
			const n8n = await watch(event);
			service.refused.set('project-b', 403);
			const made: string[] = [];
			for (let count = 0; count < 16; count++) {
				service.pass(DAY / 2);
				made.push(happen('project-b'));
				await n8n.poll();
			}
			hide('project-b');
			service.pass();
			await n8n.poll();
			service.projects.push('project-b');
			service.refused.clear();
			service.pass();
			await n8n.pollToEnd();
			// Of runs, those of the last seven days and Lookback.
			const expected = event === 'flowRunFailed' ? made.slice(-15) : made;
			expect(n8n.ids.slice(-expected.length)).toEqual(expected);
		});

		test('counts from when it is missing, not from when its events were pending', async () => {
			const n8n = await watch(event, { 'options.maxItems': 2 });
			hide('project-b');
			await n8n.poll();
			const made: string[] = [];
			for (let count = 0; count < 14; count++) {
				service.pass(HOUR);
				made.push(happen('project-b'));
			}
			await n8n.poll();
			service.projects.push('project-b');
			for (let count = 0; count < 4; count++) {
				service.pass(DAY);
				await n8n.poll();
			}
			service.pass(4 * DAY);
			hide('project-b');
			await n8n.poll();
			service.projects.push('project-b');
			service.pass();
			await n8n.pollToEnd();
			expect(n8n.ids).toEqual(made);
		});

		test('begins anew each time when it is listed', async () => {
			const n8n = await watch(event);
			const made: string[] = [];
			for (let count = 0; count < 4; count++) {
				hide('project-b');
				service.pass(3 * DAY);
				await n8n.poll();
				service.pass(3 * DAY);
				made.push(happen('project-b'));
				await n8n.poll();
				service.projects.push('project-b');
				service.refused.set('project-b', 403);
				service.pass();
				await n8n.poll();
				service.refused.clear();
			}
			await n8n.pollToEnd();
			expect(n8n.ids.slice(-1)).toEqual(made.slice(-1));
			expect(new Set(n8n.ids).size).toBe(n8n.given.length);
			if (event !== 'flowRunFailed') expect(n8n.ids).toEqual(made);
		});

		test.each([-8 * DAY, 8 * DAY])(
			'does not pass by one poll at which the clock of n8n is %d ms ahead',
			async (skew) => {
				for (const isAtTheBeginning of [true, false]) {
					const n8n = await watch(event);
					let n8nSkew = 0;
					jest.spyOn(Date, 'now').mockImplementation(() => service.now + n8nSkew);
					service.pass(HOUR);
					hide('project-b');
					if (!isAtTheBeginning) await n8n.poll();
					service.pass(HOUR);
					const id = happen('project-b');
					n8nSkew = skew;
					await n8n.poll();
					n8nSkew = 0;
					for (let count = 0; count < 3; count++) {
						service.pass(HOUR);
						await n8n.poll();
					}
					service.projects.push('project-b');
					service.pass(HOUR);
					await n8n.pollToEnd();
					expect(n8n.ids).toEqual([id]);
				}
			},
		);
	});

	test('a project that is gone is forgotten after a week, and only the latest are remembered', async () => {
		limits.triggerMissingProjects = 2;
		service.projects.push('project-c', 'project-d', 'project-e');
		const n8n = await watch(event);
		for (const id of ['project-b', 'project-c', 'project-d']) {
			hide(id);
			service.pass();
			await n8n.poll();
		}
		happenIn('project-a');
		await n8n.poll();
		const remembered = () =>
			['b', 'c', 'd', 'e'].filter((letter) => n8n.stored.includes(`"project-${letter}"`));
		expect(remembered()).toEqual(['c', 'd', 'e']);
		service.pass(8 * DAY);
		happenIn('project-a');
		await n8n.poll();
		expect(remembered()).toEqual(['e']);
	});
});

const thrown = (code: string) => () => {
	throw Object.assign(new Error(code), { code });
};
const answered = (body: string, statusCode = 200, headers: IDataObject = {}) => {
	return () => ({ statusCode, headers: { 'content-length': '1', ...headers }, body });
};
let cursor = 0;

/** Each has a list that cannot be read in its own way. */
const TROUBLES: Array<[string, () => IN8nHttpFullResponse]> = [
	...[400, 402, 404, 409, 410, 422, 451, 500].map(
		(status): [string, () => IN8nHttpFullResponse] => [
			`answers ${status}`,
			answered(JSON.stringify({ statusCode: status, message: 'Refused' }), status),
		],
	),
	['does not answer in time', thrown('ECONNABORTED')],
	['closes the connection', thrown('ECONNRESET')],
	['answers half of a JSON text', answered('{"dat')],
	['answers a page of a proxy', answered('<html>', 200, { 'content-type': 'text/html' })],
	[
		'gives empty pages without end',
		() => answered(JSON.stringify({ data: [], next: String(cursor++) }))(),
	],
];

test.each(TROUBLES)('a project that %s does not silence the others', async (_name, answerOfB) => {
	const n8n = await watch('flowCreated');
	service.answers.set('project-b', answerOfB);
	const missed = service.addFlow({ projectId: 'project-b' }).id;
	const made: string[] = [];
	for (let count = 0; count < 5; count++) {
		service.pass(HOUR);
		made.push(service.addFlow().id);
		await n8n.poll();
	}
	expect(n8n.ids).toEqual(made);
	expect(n8n.errors).toHaveLength(3);
	expect(n8n.errors[0].message).toContain('"project-b"');
	service.answers.clear();
	await n8n.poll();
	expect(n8n.ids).toEqual([...made, missed]);
});

describe('many projects in trouble, side by side', () => {
	const TROUBLED = 20;
	const troubles: Array<[string, () => IN8nHttpFullResponse]> = [
		...[403, 500, 502, 503, 504].map((status): [string, () => IN8nHttpFullResponse] => [
			`answers ${status}`,
			answered('<html>', status, { 'content-type': 'text/html' }),
		]),
		['does not answer in time', thrown('ECONNABORTED')],
		['closes the connection', thrown('ECONNRESET')],
	];

	test.each(troubles)('do not silence the others: each %s', async (_name, answer) => {
		const all = Array.from({ length: 30 }, (_, index) => `project-${index + 10}`);
		service.projects = all;
		const n8n = await watch('flowCreated');
		for (const id of all.slice(0, TROUBLED)) service.answers.set(id, answer);
		const missed = service.addFlow().id;
		const made: string[] = [];
		for (let count = 0; count < 4; count++) {
			service.pass();
			made.push(service.addFlow({ projectId: all[29] }).id);
			await n8n.poll();
		}
		expect(n8n.ids).toEqual(made);
		expect(n8n.warnings).toHaveLength(2);
		expect(n8n.errors).toHaveLength(2);
		service.answers.clear();
		await n8n.poll();
		expect(n8n.ids).toEqual([...made, missed]);
	});

	test('are a server that is down when none can be read', async () => {
		service.projects = Array.from({ length: 30 }, (_, index) => `project-${index + 10}`);
		const n8n = await watch('flowCreated');
		for (const id of service.projects) service.answers.set(id, answered('', 503));
		for (let count = 0; count < 3; count++) {
			service.pass();
			await n8n.poll();
		}
		expect(n8n.warnings).toHaveLength(2);
		expect(n8n.errors).toMatchObject([{ failure: { cause: 'temporarily-unavailable' } }]);
	});
});

test.each([401, 429])('a project that answers %s ends the poll', async (status) => {
	const n8n = await watch('flowCreated');
	service.answers.set('project-b', answered('{"message":"Refused"}', status));
	service.pass(HOUR);
	service.addFlow();
	await n8n.poll();
	expect(n8n.given).toEqual([]);
});

test('a server that refuses a status is asked without it, although a project is refused for another reason', async () => {
	const n8n = new FakeN8n(service, {
		event: 'flowRunFailed',
		statuses: ['FAILED', 'LOG_SIZE_EXCEEDED'],
	});
	service.refused.set('project-a', 403);
	service.answers.set('project-b', ({ qs }) =>
		(qs?.status as string[]).includes('LOG_SIZE_EXCEEDED')
			? answered('{"message":"Unknown status"}', 400)()
			: undefined,
	);
	await n8n.activate('activate');
	service.pass(HOUR);
	const { id } = service.addRun({ projectId: 'project-b' });
	await n8n.poll();
	expect(n8n.ids).toEqual([id]);
});

test('a project that is refused for good does not make the others be read from then on', async () => {
	const n8n = await watch('flowRunFailed', { 'options.lookbackHours': 1 });
	service.refused.set('project-b', 403);
	for (let day = 0; day < 40; day++) {
		service.pass(DAY);
		service.addRun();
		await n8n.poll();
	}
	expect(n8n.given).toHaveLength(40);
	const ageOf = (project: string) =>
		service.now - Date.parse(String(service.askedSince.get(project)));
	expect(ageOf('project-a')).toBeLessThan(DAY + 2 * HOUR);
	expect(ageOf('project-b')).toBeLessThan(limits.triggerMissingProjectMs + 2 * HOUR);
});

test('a long name of a project does not hide why it cannot be read', async () => {
	// The longest that an ID may be; projects are named by theirs here.
	const long = 'n'.repeat(1000);
	service.projects = ['project-a', long];
	const n8n = await watch('flowCreated');
	service.refused.set(long, 403);
	await n8n.poll();
	expect(n8n.warnings[0]).toMatch(/cannot be read: \w.*The trigger reads the other projects/);
});
