import type { INodePropertyOptions } from 'n8n-workflow';

import { actionsField } from '../../nodes/Activepieces/resources/auditEvent';
import { limits } from './harness/built';
import { byId, byUrl, ids } from './harness/byId';
import { requestPaths, requestUrls, useService } from './harness/service';
import { activeTrigger, TriggerRun } from './harness/trigger';

const LIST = { resource: 'auditEvent', operation: 'getAll' };
const ALL = { ...LIST, returnAll: true };
const ACTIONS = (actionsField('').properties[0].options as INodePropertyOptions[]).map(
	({ value }) => String(value),
);
const UNKNOWN = 'A'.repeat(21);
const SECOND = '2026-11-20T08:00:00';

describe.each(['0.79', '0.92'] as const)('audit events on release %s', (release) => {
	const context = useService({ release, data: { auditEvents: 260, flows: 6 } });
	const { records } = context;

	test('all come, although a cursor loses those of the second in which a page ends', async () => {
		const created = (index: number) => `${SECOND}.${String(index % 1000).padStart(3, '0')}Z`;
		for (let index = 0; index < 90; index++) {
			context.live.addAuditEvent({ action: 'folder.created', created: created(index * 11) });
		}
		limits.largePageSize = limits.leastPageByTime = 20;
		expect(ids(await records(ALL))).toEqual(ids(context.data.auditEvents));
		expect(requestUrls(context).some((url) => url.includes('cursor='))).toBe(false);
		// A server may store parts of a millisecond, which its times do not have.
		const last = Date.parse(context.data.auditEvents[19].created);
		const createdBefore = new Date(last + 1).toISOString();
		expect(context.requests[1].query).toMatchObject({ createdBefore });
		const limited = await records({ ...LIST, limit: 47 });
		expect(ids(limited)).toEqual(ids(context.data.auditEvents).slice(0, 47));
		context.clearRequests();
		expect(await records({ ...LIST, limit: 3 })).toHaveLength(3);
		expect(requestUrls(context)).toEqual(['GET /v1/audit-events?limit=3']);
	});

	test('pages that are too large become smaller, and none is left out', async () => {
		limits.largePageSize = limits.leastPageByTime = 20;
		const page = context.data.auditEvents.slice(0, 20);
		limits.maxResponseBytes = Math.floor(0.7 * JSON.stringify(page).length);
		expect(ids(await records(ALL))).toEqual(ids(context.data.auditEvents));
	});

	test('a page without times ends with an error, not as a complete list', async () => {
		const data = [{ id: 'event', action: 'flow.deleted', data: {} }];
		const body = { data, next: 'bmV4dA==', previous: null };
		context.fault({ path: '/v1/audit-events', times: 1, kind: { body } });
		const unlike = 'The response for the audit events does not have the expected format';
		await context.failsWith(ALL, unlike);
	});

	test('may be those of a project, which is given by its ID or its URL', async () => {
		const { auditEvents, projects } = context.data;
		for (const { id: projectId } of projects) {
			const wanted = auditEvents.filter((event) => event.projectId === projectId);
			const url = `${context.origin}/projects/${projectId}/flows`;
			for (const chosen of [byId(projectId), byUrl(url)]) {
				expect(ids(await records({ ...ALL, filters: { projectId: chosen } }))).toEqual(ids(wanted));
			}
		}
	});

	test('the private key of a signing key is in no item, simplified or not', async () => {
		const filters = { actions: ['signing.key.created'] };
		expect(JSON.stringify(context.data.auditEvents)).toContain('PRIVATE KEY');
		const raw = await records({ ...LIST, filters, simplify: false });
		expect(raw[0]).toHaveProperty('data.signingKey.displayName');
		expect(JSON.stringify(raw)).not.toContain('PRIVATE KEY');
		expect(JSON.stringify(await records({ ...LIST, filters }))).not.toContain('PRIVATE KEY');
	});

	test('tell what a person reads: action, time, user, object', async () => {
		const { flows, projects, admin } = context.data;
		const { id, created } = context.live.addAuditEvent({ action: 'flow.updated' });
		const [flow] = flows;
		const [{ id: projectId, displayName: projectName }] = projects;
		expect(await records({ ...LIST, limit: 1 })).toEqual([
			{
				...{ id, action: 'flow.updated', created, userEmail: admin.email, change: 'CHANGE_NAME' },
				...{ objectType: 'flow', objectName: flow.version.displayName, objectId: flow.id },
				...{ projectId, projectName },
			},
		]);
	});

	test('tell the object of each kind rather than its user, with the name that the project had', async () => {
		const kinds = ['flowRun', 'folder', 'connection', 'variable', 'projectRole', 'signingKey'];
		const about = (kind: string) => ({ user: {}, [kind]: { id: `a ${kind}`, name: 'Its name' } });
		const data = kinds.map((kind) => ({ id: kind, projectDisplayName: 'Then', data: about(kind) }));
		context.fault({ path: '/v1/audit-events', kind: { body: { data, next: null } } });
		const wanted = kinds.map((kind) => ({ objectType: kind, objectId: `a ${kind}` }));
		const named = { objectName: 'Its name', projectName: 'Then' };
		expect(await records(LIST)).toMatchObject(wanted.map((each) => ({ ...each, ...named })));
	});

	test('of a run tell an agent that chooses fields the names as well', async () => {
		const { flows, projects } = context.data;
		const [flow] = flows;
		const flowRun = { id: 'run', flowId: flow.id, finishTime: `${SECOND}.500Z`, status: 'FAILED' };
		const { id } = context.live.addAuditEvent({
			...{ action: 'flow.run.finished', about: 'flowRun', flowRun },
		});
		const chosen = { output: 'selectedFields', fields: 'objectName, projectName' };
		const names = { objectName: flow.version.displayName, projectName: projects[0].displayName };
		const [given] = await records({ ...LIST, limit: 1, ...chosen }, { asTool: true });
		expect(given).toEqual({ id, ...names });
	});

	const SOME = ['folder.created', 'flow.deleted', 'flow.run.finished'];
	const MANY = [...SOME, ...ACTIONS.slice(0, 20)];
	test.each([[SOME], [MANY]])('are of the chosen actions', async (actions) => {
		const chosen = context.data.auditEvents.filter(({ action }) => actions.includes(action));
		const filters = { actions };
		expect(ids(await records({ ...ALL, filters }))).toEqual(ids(chosen));
		expect(ids(await records({ ...LIST, limit: 7, filters }))).toEqual(ids(chosen.slice(0, 7)));
	});

	test('of a run tell its flow, status and project; a second event of the same end is left out', async () => {
		const { flows, projects } = context.data;
		const [flow] = flows;
		const [{ id: projectId, displayName: projectName }] = projects;
		const ended = (id: string, flowId = flow.id, finishTime = `${SECOND}.000Z`) =>
			context.live.addAuditEvent({
				...{ action: 'flow.run.finished', about: 'flowRun' },
				flowRun: { id, flowId, finishTime, status: 'FAILED' },
			});
		const first = ended('twice');
		const wanted = [
			ended('twice'),
			ended('twice', flow.id, `${SECOND}.001Z`),
			ended('other', UNKNOWN),
		];
		context.clearRequests();
		const events = await records({ ...LIST, limit: 3 });
		expect(ids(events)).toEqual(ids(wanted).reverse());
		const run = { objectType: 'flowRun', change: 'FAILED', projectId, projectName };
		expect(events).toMatchObject([
			{ ...run, objectId: 'other', objectName: UNKNOWN },
			{ ...run, objectId: 'twice', objectName: flow.version.displayName },
			{ ...run, objectId: 'twice', objectName: flow.version.displayName },
		]);
		const read = requestPaths(context).filter((path) => !path.endsWith('audit-events'));
		expect(read.sort()).toEqual(
			[`GET /v1/flows/${UNKNOWN}`, `GET /v1/flows/${flow.id}`, 'GET /v1/projects'].sort(),
		);
		expect(ids(await records({ ...LIST, limit: 4 }))).not.toContain(first.id);
		// What is only in a column fails nothing.
		context.fault({ path: /flows|projects/, kind: { status: 500 } });
		expect(await records({ ...LIST, limit: 1 })).toMatchObject([{ projectName: null }]);
	});

	test('a plan without them is named, also when the trigger is activated', async () => {
		context.service.plan.auditLogEnabled = false;
		await context.failsWith(LIST, 'The Activepieces plan does not include audit events');
		const run = new TriggerRun(context, { event: 'platformEvent' });
		await expect(run.activate()).rejects.toThrow('plan does not include audit events');
		context.service.plan.auditLogEnabled = true;
	});
});

describe.each(['0.79', '0.92'] as const)('the event Audit Event on release %s', (release) => {
	const context = useService({ release, data: { flows: 6, projects: 3 } });
	const add = (action: string, more = {}) => context.live.addAuditEvent({ action, ...more });
	const EVENT = { event: 'platformEvent' };
	const watch = async (more = {}) => await activeTrigger(context, { ...EVENT, ...more });

	test('returns each event once, by one request whatever the number of projects', async () => {
		add('flow.deleted');
		const run = await watch();
		context.clearRequests();
		expect(await run.poll()).toEqual([]);
		expect(requestUrls(context)).toEqual([expect.stringMatching(/^GET \/v1\/audit-events\?/)]);
		const both = [add('flow.deleted'), add('folder.created')];
		expect(ids(await run.poll())).toEqual(ids(both));
		expect(await run.poll()).toEqual([]);
		// Dated before the last poll, and written after it.
		const late = add('flow.created', { created: both[0].created });
		expect(ids(await run.poll())).toEqual([late.id]);
		await run.restart();
		expect(await run.poll()).toEqual([]);
	});

	test('of chosen actions and of one project', async () => {
		const [first, second] = context.data.projects;
		const actions = ['flow.deleted', 'folder.deleted'];
		const run = await watch({ actions, projectId: byId(second.id) });
		add('flow.deleted', { projectId: first.id });
		add('flow.created', { projectId: second.id });
		const wanted = add('folder.deleted', { projectId: second.id });
		expect(ids(await run.poll())).toEqual([wanted.id]);
	});

	test('of more than 20 chosen actions, which 0.79 refuses, and has a test event of them', async () => {
		const actions = ACTIONS.filter((action) => action !== 'flow.created').slice(0, 24);
		const run = await watch({ actions });
		const wanted = add(actions[22]);
		add('flow.created');
		expect(ids(await run.poll())).toEqual([wanted.id]);
		const test = new TriggerRun(context, { ...EVENT, actions });
		expect(ids(await test.fetchTestEvent())).toEqual([wanted.id]);
	});

	test('tells the flow, the status and the project of a run', async () => {
		const run = await watch();
		add('flow.run.finished', { about: 'flowRun', flowRun: { id: 'one', status: 'FAILED' } });
		const objectName = context.data.flows[0].version.displayName;
		const projectName = context.data.projects[0].displayName;
		const wanted = { objectName, projectName, change: 'FAILED' };
		expect(await run.poll()).toMatchObject([wanted]);
		const test = new TriggerRun(context, { ...EVENT, actions: ['flow.run.finished'] });
		expect(await test.fetchTestEvent()).toMatchObject([wanted]);
	});

	test('returns the end of a run once, although 0.86 writes it twice, and again after a retry', async () => {
		const run = await watch();
		const end = (finishTime: string, action = 'flow.run.finished') =>
			add(action, { about: 'flowRun', flowRun: { id: 'run', finishTime } });
		end(`${SECOND}.000Z`);
		end(`${SECOND}.000Z`);
		expect(await run.poll()).toHaveLength(1);
		end(`${SECOND}.000Z`);
		expect(await run.poll()).toEqual([]);
		end(`${SECOND}.000Z`, 'flow.run.retried');
		end('2026-11-20T08:05:00.000Z');
		expect(await run.poll()).toHaveLength(2);
	});

	test('keeps the private key of a signing key out of items and state', async () => {
		const run = await watch({ simplify: false });
		const { id } = add('signing.key.created', { about: 'signingKey' });
		const items = await run.poll();
		expect(ids(items)).toEqual([id]);
		expect(JSON.stringify([items, run.stored])).not.toContain('PRIVATE KEY');
	});

	test('has the newest event as its test event, and says when there is none', async () => {
		const old = add('variable.deleted', { created: '2020-01-01T00:00:00.000Z' });
		const { id } = add('flow.deleted');
		const test = async (more = {}) =>
			await new TriggerRun(context, { ...EVENT, ...more }).fetchTestEvent();
		expect(ids(await test())).toEqual([id]);
		expect(ids(await test({ actions: ['variable.deleted'] }))).toEqual([old.id]);
		const none = test({ actions: ['user.signed.up'] });
		await expect(none).rejects.toThrow('The audit log has no such event');
	});
});
