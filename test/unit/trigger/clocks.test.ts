import type { INodePropertyOptions } from 'n8n-workflow';

import { actionsField } from '../../../nodes/Activepieces/resources/auditEvent';
import { limits } from '../../../nodes/Activepieces/transport/limits';
import { MAKE_EVENT } from './fakeService';
import { DAY, HOUR, makeMany, MINUTE, service, useFakes, watch } from './useFakes';

useFakes();

/** A time, this many milliseconds before now */
const ago = (ms: number) => new Date(service.now - ms).toISOString();

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

	test('of responses, a day ahead, hides no event after a record of the future', async () => {
		service.skew = DAY;
		service.addUser(ago(-HOUR));
		const n8n = await watch('userJoined');
		const [id] = makeMany(1, () => service.addUser(), MINUTE);
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
		const id = MAKE_EVENT[event](service, { projectId: 'project-new' });
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
