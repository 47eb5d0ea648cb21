import type { INodePropertyOptions } from 'n8n-workflow';

import { actionsField } from '../../../nodes/Activepieces/resources/auditEvent';
import { limits } from '../../../nodes/Activepieces/transport/limits';
import { HAPPENINGS } from './fakeService';
import type { FakeN8n } from './fakeN8n';
import {
	DAY,
	HOUR,
	makeMany,
	MINUTE,
	renewService,
	service,
	useFakes,
	watch,
	YEAR,
} from './useFakes';

useFakes();

/** A time, this many milliseconds before now */
const ago = (ms: number) => new Date(service.now - ms).toISOString();
const RECORDS = Object.keys(HAPPENINGS).filter((event) =>
	/flow(Created|Run)|^user|^plat/.test(event),
);

const happen = (event: string, index = 0) => HAPPENINGS[event](service, service.projectOf(index));

/** Makes an event happen, dated by a clock that is many years ahead. */
function happenIn2099(event: string): string {
	service.isIn2099 = true;
	const id = happen(event);
	service.isIn2099 = false;
	return id;
}

/** Lets an event happen before each of 12 polls, one minute apart. */
async function pollEachMinute(event: string, n8n: FakeN8n) {
	const made: string[] = [];
	await n8n.polls(12, () => {
		service.pass();
		made.push(happen(event, made.length));
	});
	return made;
}

describe('clocks that differ, and stay so', () => {
	const CLOCKS = [
		{ skew: 10 * MINUTE, n8nSkew: 0, isDated: true },
		{ skew: -3 * DAY, n8nSkew: 0, isDated: true },
		{ skew: 0, n8nSkew: 10 * MINUTE, isDated: true },
		{ skew: 3 * DAY, n8nSkew: 3 * DAY, isDated: true },
		{ skew: 0, n8nSkew: 10 * MINUTE, isDated: false },
		{ skew: 0, n8nSkew: -3 * DAY, isDated: false },
	];
	// Other clocks, and lists that are empty at first, are in `histories.test.ts`.
	test.each(RECORDS)('hide no event, also after one of 2099: %s', async (event) => {
		for (const clocks of CLOCKS) {
			const isOneRight = Math.min(clocks.n8nSkew, clocks.isDated ? clocks.skew : Infinity) <= 0;
			renewService();
			Object.assign(service, clocks);
			for (let count = 0; count < 3; count++) happen(event);
			// If both clocks are ahead, nothing shows that the record is.
			if (isOneRight) happenIn2099(event);
			const n8n = await watch(event);
			const made = await pollEachMinute(event, n8n);
			// From then on, it has no effect either.
			const far = happenIn2099(event);
			await n8n.poll();
			const all = [...made, far, ...(await pollEachMinute(event, n8n))];
			const given = await n8n.idsAfterRestart();
			expect({ clocks, given: [...given].sort() }).toEqual({ clocks, given: all.sort() });
		}
	});
});

test('after many audit events, polls that find none request one page', async () => {
	const n8n = await watch('platformEvent', { 'options.maxItems': 10_000 });
	for (let count = 0; count < 5000; count++) {
		service.pass(50);
		service.addAuditEvent();
	}
	await n8n.poll();
	expect(n8n.given).toHaveLength(5000);
	await n8n.polls(2, () => service.pass(5 * MINUTE));
	service.pages = 0;
	await n8n.polls(10, () => service.pass());
	expect(service.pages).toBe(10);
	const late = service.addAuditEvent({ created: ago(4 * MINUTE) }).id;
	expect((await n8n.idsAfterRestart()).slice(5000)).toEqual([late]);
});

test('a platform without the many chosen events is not read further back than its newest event', async () => {
	makeMany(500, () => service.addAuditEvent().id, MINUTE);
	const values = (actionsField('').properties[0].options as INodePropertyOptions[]).map(
		({ value }) => value,
	);
	const actions = values.filter((value) => value !== 'flow.created');
	const n8n = await watch('platformEvent', { actions });
	expect(service.pages).toBe(2);
	service.addAuditEvent();
	const { id } = service.addAuditEvent({ action: String(actions[0]) });
	expect(await n8n.idsAfterPoll()).toEqual([id]);
});

describe('a clock', () => {
	test('of a proxy that refuses the first request of a poll is not believed', async () => {
		limits.poll.maxAttempts = 2;
		const n8n = await watch('flowCreated');
		const headers = { date: new Date(service.now + DAY).toUTCString() };
		const refusals = [{ statusCode: 502, headers, body: '<html>' }];
		service.answers.set(undefined, () => refusals.pop());
		await n8n.poll();
		expect(refusals).toEqual([]);
		const [id] = makeMany(1, () => service.addFlow({ projectId: 'project-new' }).id, MINUTE);
		service.pass(HOUR);
		service.projects.push('project-new');
		expect(await n8n.idsAfterPoll()).toEqual([id]);
	});

	const OF_PROJECTS = ['flowRunFailed', 'flowPublished', 'connectionNeedsAttention'];
	test.each(OF_PROJECTS)('of the service, minutes apart, hide no event: %s', async (event) => {
		service.skew = 4 * MINUTE;
		const n8n = await watch(event);
		service.pass();
		await n8n.poll();
		service.pass(20_000);
		service.projects.push('project-new');
		const id = HAPPENINGS[event](service, 'project-new');
		expect(await n8n.idsAfterPoll()).toEqual([id]);
	});

	test('of n8n that is ahead before a response tells the time brings no run from before', async () => {
		service.addRun({ created: ago(MINUTE) });
		service.n8nSkew = 3 * HOUR;
		const options = { projectId: 'project-a', 'options.lookbackHours': 1 };
		const n8n = await watch('flowRunFailed', options);
		const [id] = makeMany(1, () => service.addRun().id, MINUTE);
		expect(await n8n.idsAfterPoll()).toEqual([id]);
	});
});

test('records of the future are returned once, and hide none of those that follow', async () => {
	limits.triggerSeenRecords = 20;
	service.addUser('9999-12-31T23:59:59.999Z');
	const n8n = await watch('userJoined', { 'options.maxItems': 30 });
	const made = makeMany(80, () => service.addUser(ago(-10 * YEAR)));
	await n8n.polls(5);
	expect([...n8n.ids].sort()).toEqual(made.sort());
	await n8n.restart();
	const [id] = makeMany(1, () => service.addUser(), 20 * MINUTE);
	expect((await n8n.idsAfterPoll()).slice(made.length)).toEqual([id]);
});
