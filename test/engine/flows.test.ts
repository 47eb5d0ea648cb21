import { sleep, type INodeParameters } from 'n8n-workflow';

import { FIRST_AND_LAST } from '../service';
import type { NewFlow } from '../service/liveChanges';
import type { FlowRecord } from '../service/records';
import { limits, waitReally } from './harness/built';
import { byId } from './harness/byId';
import { ofRecord, parametersOf } from './harness/parameters';
import {
	cancelAt,
	changesSent,
	endSilences,
	useService,
	type TestContext,
} from './harness/service';
import { signInCredential } from './harness/signIn';

const RAW = { simplify: false };
const setStatus = (id: unknown, status: string) =>
	ofRecord('flow.setStatus', id, { status, ...RAW });
const publish = (id: unknown) => ofRecord('flow.publish', id, RAW);
const create = (projectId: unknown, displayName: string, more: INodeParameters = {}) =>
	parametersOf('flow.create', { projectId: byId(projectId), displayName, ...more });
const update = (id: unknown, updateFields: INodeParameters) =>
	ofRecord('flow.update', id, { updateFields });
const remove = (id: unknown) => ofRecord('flow.delete', id);

const ENABLE = { type: 'CHANGE_STATUS', request: { status: 'ENABLED' } };
const NO_FOLDER = { mode: 'list', value: 'NULL', __rl: true };
const UNKNOWN = 'A'.repeat(21);
const ONE_FLOW = /^\/v1\/flows\/\w+$/;

/** The changes that the service has received. */
const changes = (context: TestContext) => context.posts().map(({ body }) => body);

/** Restores the flow changes for other tests. */
const useWorker = (context: TestContext) =>
	beforeEach(() => {
		Object.assign(context.service.worker, { state: 'running', hook: 'works', settleAfter: 1 });
		context.service.settleFlowChanges();
	});

describe.each(FIRST_AND_LAST)('Enable or Disable, and Publish, on release %s', (release) => {
	const context = useService({ release, data: { flows: 12 } });
	const isQueued = release === '0.79';
	useWorker(context);

	const { record, failsWith } = context;

	test.each(['DISABLED', 'ENABLED'] as const)('a flow is set to %s', async (status) => {
		const { id } = context.live.addFlow({ published: true, enabled: status === 'DISABLED' });
		context.service.worker.settleAfter = 3;
		const done = { id, status, operationStatus: 'NONE' };
		expect(await record(setStatus(id, status))).toMatchObject(done);
		expect(context.flow(id)?.status).toBe(status);
		expect(changes(context)).toEqual([{ type: 'CHANGE_STATUS', request: { status } }]);
		expect(context.requests).toHaveLength(isQueued ? 6 : 2);
		// It has the status already: nothing is sent.
		expect(await record(setStatus(id, status))).toMatchObject(done);
		expect(changes(context)).toHaveLength(1);
	});

	test('a draft is published and the flow enabled, a newer draft as well, and nothing is sent without one', async () => {
		const { id, version } = context.live.addFlow();
		const flow = { id, status: 'ENABLED', operationStatus: 'NONE', publishedVersionId: version.id };
		expect(await record(publish(id))).toMatchObject(flow);
		const sent = { type: 'LOCK_AND_PUBLISH', request: { status: 'ENABLED' } };
		expect(changes(context)).toEqual([sent]);
		expect(await record(publish(id))).toMatchObject(flow);
		expect(changes(context)).toHaveLength(1);
		const { version: draft } = context.live.editFlow(id, 'Second draft');
		const second = { status: 'ENABLED', publishedVersionId: draft.id };
		expect(await record(publish(id))).toMatchObject({ ...second, version: { id: draft.id } });
		const disabled = context.live.addFlow({ published: true }).id;
		expect(await record(publish(disabled))).toMatchObject({ status: 'ENABLED' });
	});

	const EMPTY = /^Flow "New" \(\w+\) has no trigger$/;
	const INVALID = /^The latest version of flow "New" \(\w+\) is not valid$/;
	test.each<[(id: string) => INodeParameters, NewFlow, RegExp]>([
		[(id) => setStatus(id, 'ENABLED'), {}, /^Flow "New" \(\w+\) has never been published$/],
		[(id) => setStatus(id, 'ENABLED'), { trigger: 'empty', published: true }, EMPTY],
		[publish, { trigger: 'empty' }, EMPTY],
		[publish, { valid: false }, INVALID],
	])('what cannot run is not enabled or published, and nothing is sent: %#', async (...row) => {
		const [parametersFor, seed, message] = row;
		const { id } = context.live.addFlow({ name: 'New', ...seed });
		await failsWith(parametersFor(id), message, 'Nothing was changed');
		expect(changes(context)).toEqual([]);
	});

	test('a flow whose draft has no trigger is enabled when an earlier version is published', async () => {
		const { id } = context.live.addFlow({ published: true });
		const { version } = context.live.editFlow(id, 'Draft');
		version.trigger = { ...version.trigger, type: 'EMPTY' };
		expect(await record(setStatus(id, 'ENABLED'))).toMatchObject({ status: 'ENABLED' });
		expect(changes(context)).toEqual([ENABLE]);
	});

	test('a trigger that does not start is reported, even if the version is published meanwhile', async () => {
		context.service.worker.hook = 'fails';
		const off = context.live.addFlow({ name: 'Off', published: true });
		const draft = context.live.addFlow({ name: 'Draft' });
		const could = '^Activepieces could not enable the flow ".+"';
		const saysOf = (id: string) =>
			new RegExp(isQueued ? `${could} \\(${id}\\)$` : `trigger of .+${id}`);
		const why = isQueued ? ['trigger'] : ['trigger', 'the stand-in refuses'];
		await failsWith(setStatus(off.id, 'ENABLED'), saysOf(off.id), why);
		const published = isQueued
			? /^Its latest version is published\. /
			: /^Its latest version is published\. The flow is disabled\. (?!.*Nothing was changed)/;
		await failsWith(publish(draft.id), saysOf(draft.id), ['trigger', published]);
		// The outcome is known when the change is over, not only after a minute.
		expect(context.requests.length).toBeLessThan(12);
	});
});

describe.each(['0.85', '0.92'] as const)('a flow of %s whose piece is missing', (release) => {
	const context = useService({ release, data: { flows: 1 } });
	const { failsWith } = context;

	test('is said to lack it, and what became of its versions', async () => {
		const missing =
			/^A piece of flow "\w+" is not installed on this Activepieces server, or not in/;
		const without = (flow: FlowRecord) => {
			const [{ name: pieceName }] = context.data.pieces;
			const settings = { pieceName, pieceVersion: '99.0.0', triggerName: 'new' };
			Object.assign(flow.version.trigger, { type: 'PIECE_TRIGGER', settings });
			return flow.id;
		};
		const says = ['Activepieces says: Trigger not found for piece', 'Install the piece'];
		const off = without(context.live.addFlow({ published: true }));
		await failsWith(setStatus(off, 'ENABLED'), missing, [...says, 'Nothing was changed.']);
		const empty = context.live.addFlow({ published: true, trigger: 'empty' });
		const { version: draft } = context.live.editFlow(empty.id, 'Draft');
		draft.trigger = { ...draft.trigger, type: 'PIECE_TRIGGER' };
		const noTrigger = /^The published version of flow "\w+" has no trigger$/;
		await failsWith(setStatus(empty.id, 'ENABLED'), noTrigger, 'Publish a version');
		const published = /^Its latest version is published\. The flow is disabled\. (?!.*Nothing)/;
		await failsWith(publish(without(context.live.addFlow())), missing, [...says, published]);
	});
});

describe('changes that release 0.79 completes later', () => {
	const release = '0.79';
	const context = useService({ release, data: { flows: 12 } });
	const { failsWith } = context;
	useWorker(context);

	test('without a worker the node waits for a limited time and reports it', async () => {
		limits.pendingChange.maxElapsedMs = 10 * limits.pendingChange.pollMs;
		context.service.worker.state = 'stopped';
		const { id } = context.live.addFlow({ published: true });
		const late = /is not enabled after 10 seconds$/;
		await failsWith(setStatus(id, 'ENABLED'), late, ['worker', /^(?!Its latest version)/]);
		expect(changes(context)).toEqual([ENABLE]);
		// Fewer on a machine that is busy.
		expect(context.requests.length).toBeLessThanOrEqual(2 + 10);
		await failsWith(publish(context.live.addFlow().id), late, /^Its latest version is published/);
	});

	test('the wait ends in time when the flow is read slowly', async () => {
		limits.pendingChange = { maxElapsedMs: 100, pollMs: 1 };
		context.service.worker.state = 'stopped';
		const { id } = context.live.addFlow({ published: true });
		context.fault({ method: 'GET', path: ONE_FLOW, kind: { delay: 60 } });
		await failsWith(setStatus(id, 'ENABLED'), /is not enabled after/);
		// Two reads take longer than the wait, however fast the machine is.
		expect(context.requests.length).toBeLessThanOrEqual(2 + 2);
	});

	test('canceling the workflow ends the wait', async () => {
		waitReally();
		limits.pendingChange.pollMs = 30_000;
		context.service.worker.state = 'stopped';
		const { id } = context.live.addFlow({ published: true });
		const start = Date.now();
		// The node waits after reading the flow and sending the change.
		await context.run(setStatus(id, 'ENABLED'), {
			started: (cancel) => cancelAt(context, 2)(() => void sleep(100).then(cancel)),
		});
		expect(Date.now() - start).toBeLessThan(10_000);
		expect(changes(context)).toEqual([ENABLE]);
	});

	test('a change of somebody else is awaited before another one is sent', async () => {
		const flow = context.live.addFlow({ enabled: true });
		const body = { ...flow, status: 'DISABLED', operationStatus: 'ENABLING' };
		context.fault({ method: 'GET', path: ONE_FLOW, times: 2, kind: { body } });
		const disabled = { status: 'DISABLED', operationStatus: 'NONE' };
		expect(await context.record(setStatus(flow.id, 'DISABLED'))).toMatchObject(disabled);
		expect(context.requests.findIndex(({ method }) => method === 'POST')).toBe(3);
	});

	test('while a change of somebody else does not end, no other one is sent', async () => {
		const flow = context.live.addFlow({ published: true });
		flow.operationStatus = 'ENABLING';
		limits.pendingChange.maxElapsedMs = 5 * limits.pendingChange.pollMs;
		const content = '{"displayName":"A","trigger":{"type":"EMPTY"}}';
		const replaced = ofRecord('flow.import', flow.id, { mode: 'replace', content });
		const renamed = update(flow.id, { displayName: 'A' });
		for (const each of [setStatus(flow.id, 'ENABLED'), publish(flow.id), renamed, replaced]) {
			await failsWith(each, /is still being enabled$/, ['again later', 'worker']);
		}
		expect(changes(context)).toEqual([]);
	});

	test('a mark that stays when the flow has the status is not awaited', async () => {
		const flow = context.live.addFlow({ published: true });
		// As after the same change by somebody else at the same time.
		const answers = () => ({ ...flow, status: 'ENABLED', operationStatus: 'ENABLING' });
		context.fault({ method: 'GET', path: ONE_FLOW, after: 1, kind: { answers } });
		expect(await context.record(setStatus(flow.id, 'ENABLED'))).toMatchObject(ENABLE.request);
		expect(context.requests).toHaveLength(3);
	});

	test('a leftover mark of a change is not awaited', async () => {
		const flow = context.live.addFlow({ enabled: true });
		flow.operationStatus = 'ENABLING';
		const parameters = setStatus(flow.id, 'DISABLED');
		expect(await context.record(parameters)).toMatchObject({ status: 'DISABLED' });
	});

	test('a service that goes down while the node waits leaves the outcome clear', async () => {
		const { id } = context.live.addFlow({ published: true });
		context.fault({ method: 'GET', path: ONE_FLOW, after: 1, kind: { status: 502 } });
		const parts = 'The node had already sent the request';
		await failsWith(setStatus(id, 'ENABLED'), /^Activepieces is unavailable/, parts);
	});
});

describe('changes that a later release completes before its response', () => {
	const context = useService({ data: { flows: 6 } });
	endSilences(context);
	const { failsWith } = context;
	const late = /did not respond in time/;
	useWorker(context);

	const IN_DOUBT = ['Check that a worker is running', 'may have applied the change'];
	test.each([
		['Enable', (id: string) => setStatus(id, 'ENABLED'), { published: true }, IN_DOUBT],
		['Publish', publish, {}, [/^Its latest version is published\. /]],
	])('%s that hangs without a worker says so, and is not sent again', async (...row) => {
		const [, parametersFor, seed, parts] = row;
		const { id } = context.live.addFlow(seed);
		context.service.worker.state = 'stopped';
		await failsWith(parametersFor(id), late, parts);
		expect(changes(context)).toHaveLength(1);
	});

	test('a newer draft of an enabled flow is not reported as published without a response', async () => {
		const { id } = context.live.addFlow({ enabled: true });
		context.live.editFlow(id, 'Draft');
		const kind = { status: 504, shape: 'html' } as const;
		context.fault({ method: 'POST', path: ONE_FLOW, times: 1, kind });
		const message = 'Activepieces is unavailable (HTTP 504)';
		await failsWith(publish(id), message, /^(?!.*is published)/s);
		expect(changes(context)).toHaveLength(1);
	});
});

describe('publishing in a sensitive project', () => {
	const context = useService({ release: '0.92', data: { flows: 6 } });
	beforeAll(() => void (context.data.projects[0].sensitive = true));

	test.each([
		['disabled', {}],
		['enabled', { enabled: true }],
	])('a user without the permission is told that the %s flow waits', async (_what, seed) => {
		const { live, data } = context;
		const [{ id: projectId }] = data.projects;
		live.addMember(data.users[1].id, projectId, 'Editor');
		const { id } = live.addFlow({ name: 'Orders', ...seed });
		const { publishedVersionId } = live.editFlow(id, 'Orders');
		const credential = signInCredential(context, 1);
		await context.failsWith(
			publish(id),
			`Activepieces asks for approval: the latest version of flow "Orders" (${id}) is not published`,
			/^The signed-in user may not publish .* approve/,
			{ credential },
		);
		const waits = { publishedVersionId, version: { state: 'LOCKED' } };
		expect(context.flow(id)).toMatchObject(waits);
		// The version can be edited again, and the published one stays.
		await context.records(update(id, { displayName: 'Edited' }), { credential });
		expect(context.flow(id)).toMatchObject({ publishedVersionId, version: { state: 'DRAFT' } });
	});

	test('an admin and an API key publish', async () => {
		for (const credential of [signInCredential(context), context.credential]) {
			const { id, version } = context.live.addFlow();
			const given = await context.records(publish(id), { credential });
			expect(given).toMatchObject([{ status: 'ENABLED', publishedVersionId: version.id }]);
		}
	});
});

describe('publishing in a project with required actions', () => {
	const context = useService({ release: '0.92', data: { flows: 6 } });
	const SLACK = '@activepieces/piece-slack';
	const actions = { [SLACK]: ['send_channel_message'], 'piece-crm': ['create_deal'] };
	const { failsWith, record } = context;

	test.each([
		['ALL', /needs these actions to publish: @activepieces\/piece-slack · send_.*, piece-crm · c/],
		['ANY', /needs one of these actions to publish: @activepieces\/piece-slack · send_ch/],
	] as const)('a flow without %s of them is refused, and stays as it is', async (mode, why) => {
		Object.assign(context.data.requiredActions, { mode, actions });
		const { id } = context.live.addFlow({ name: 'Orders', enabled: true });
		const { publishedVersionId } = context.live.editFlow(id, 'Orders');
		const message = `Flow "${id}" was not published, because actions that the platform requires are missing`;
		await failsWith(publish(id), message, [why, /Add steps .* Nothing was changed/]);
		const before = { status: 'ENABLED', publishedVersionId, version: { state: 'DRAFT' } };
		expect(context.flow(id)).toMatchObject(before);
	});

	test('a flow with them is published', async () => {
		Object.assign(context.data.requiredActions, { mode: 'ANY', actions });
		const { id, version } = context.live.addFlow();
		const settings = { pieceName: SLACK, actionName: 'send_channel_message' };
		version.trigger = { ...version.trigger, nextAction: { name: 'step_1', settings } };
		expect(await record(publish(id))).toMatchObject({ publishedVersionId: version.id });
	});
});

describe.each(FIRST_AND_LAST)('flows are created, updated and deleted on release %s', (release) => {
	const data = { projects: 2, foldersPerProject: 2, flows: 6, flowRuns: 12 };
	const context = useService({ release, data });

	const { record, records, failsWith } = context;
	const sent = () => changesSent(context);
	const project = () => context.data.projects[0];
	const folderOf = ({ id }: { id: string }) =>
		context.data.folders.find(({ projectId }) => projectId === id)!;

	test('Create gives the new flow with the fields of Get Many, and sends nothing but what was set', async () => {
		const { id: projectId } = project();
		const flow = await record(create(projectId, '  Send invoices '));
		expect(flow).toEqual({
			...{ id: expect.any(String), name: 'Send invoices', status: 'DISABLED', pieces: [] },
			...{ published: false, unpublishedChanges: false, projectId },
			updated: expect.any(String),
			url: `${context.origin}/projects/${projectId}/flows/${String(flow.id)}`,
		});
		expect(sent()).toEqual([['POST /v1/flows', { displayName: 'Send invoices', projectId }]]);
		expect(await record(ofRecord('flow.get', flow.id))).toEqual(flow);
	});

	test('Create puts it into a folder of the project, and into none for No Folder', async () => {
		const { id } = folderOf(project());
		const madeIn = async (folderId: INodeParameters) =>
			await record(create(project().id, 'In a folder', { ...RAW, folderId }));
		expect((await madeIn(byId(id))).folderId).toBe(id);
		expect((await madeIn(NO_FOLDER)).folderId).toBeNull();
	});

	test('a folder of another project, an unknown one and an unknown project are refused', async () => {
		const foreign = folderOf(context.data.projects[1]);
		const { id } = context.live.addFlow();
		for (const [folder, message] of [
			[foreign.id, `The folder "${foreign.displayName}" is in another project`],
			[UNKNOWN, `Folder "${UNKNOWN}" was not found`],
		]) {
			const folderId = byId(folder);
			await failsWith(create(project().id, 'Lost', { folderId }), message);
			await failsWith(update(id, { folderId, displayName: 'Not this either' }), message);
		}
		const none = create(project().id, 'Lost', { folderId: byId('={{ $json.missing }}') });
		await failsWith(none, 'The expression in Folder returns no value', 'To mean "no folder"');
		expect(sent()).toEqual([]);
		await failsWith(create(UNKNOWN, 'Lost'), /project "A+"/i, /check Project/i);
	});

	describe('Update', () => {
		test.each([
			['a draft', {}, { published: false, unpublishedChanges: false }],
			['a published flow', { enabled: true }, { published: true, unpublishedChanges: true }],
		])('renames %s to another name, maybe as an unpublished change', async (_what, seed, state) => {
			const { id } = context.live.addFlow({ name: 'Before', ...seed });
			const same = await record(update(id, { displayName: 'Before' }));
			expect(same).toMatchObject({ name: 'Before', unpublishedChanges: false });
			expect(sent()).toEqual([]);
			const renamed = await record(update(id, { displayName: ' After ' }));
			expect(renamed).toMatchObject({ id, name: 'After', ...state });
			const body = { type: 'CHANGE_NAME', request: { displayName: 'After' } };
			expect(sent()).toEqual([[`POST /v1/flows/${id}`, body]]);
		});

		test('moves a flow to a folder of its project, and out of it, and renames it with that', async () => {
			const folderId = folderOf(project()).id;
			const { id } = context.live.addFlow({ name: 'Moved' });
			await records(update(id, { folderId: byId(folderId), displayName: 'Both' }));
			expect(context.flow(id)).toMatchObject({ folderId, version: { displayName: 'Both' } });
			await records(update(id, { folderId: byId(folderId) }));
			for (let time = 0; time < 2; time++) await records(update(id, { folderId: NO_FOLDER }));
			expect(context.flow(id)?.folderId).toBeNull();
			expect(changes(context)).toEqual([
				{ type: 'CHANGE_FOLDER', request: { folderId } },
				{ type: 'CHANGE_NAME', request: { displayName: 'Both' } },
				{ type: 'CHANGE_FOLDER', request: { folderId: null } },
			]);
		});

		test.each<[INodeParameters, string]>([
			[{}, 'Update Fields is empty'],
			[{ displayName: ' ' }, 'Name is empty'],
			[{ displayName: '={{ $json.missing }}' }, 'Name is empty'],
			[{ folderId: byId('') }, 'Folder is empty'],
			[{ folderId: byId('={{ $json.missing }}') }, 'Folder is empty'],
		])('refuses %j, and sends nothing', async (fields, message) => {
			await context.refuses(update(UNKNOWN, fields), message);
		});
	});

	describe('a flow that is being deleted', () => {
		let id: string;
		beforeEach(() => {
			// The deletion does not end without a worker (seen on Cloud for months).
			context.service.worker.state = 'stopped';
			({ id } = context.live.addFlow({ name: 'Orders', enabled: true }));
			context.live.deleteFlow(id);
		});
		afterEach(() => {
			context.service.worker.state = 'running';
			context.service.settleFlowChanges();
		});

		test('has the status DELETING in the simplified output, and stays as it is in the other', async () => {
			expect(await record(ofRecord('flow.get', id))).toMatchObject({ id, status: 'DELETING' });
			const raw = { status: 'ENABLED', operationStatus: 'DELETING' };
			expect(await record(ofRecord('flow.get', id, RAW))).toMatchObject(raw);
			expect(await record(ofRecord('flow.export', id))).toMatchObject({ status: 'DELETING' });
			expect((await records(parametersOf('flow.getAll'))).map((flow) => flow.id)).not.toContain(id);
		});

		const content = '{"displayName":"A","trigger":{"type":"EMPTY"}}';
		test.each<[string, INodeParameters]>([
			['setStatus', { status: 'DISABLED' }],
			['publish', {}],
			['update', { updateFields: { displayName: 'A' } }],
			['import', { mode: 'replace', content }],
			['run', { input: '{}' }],
			['run', { input: '{}', options: { version: 'draft' }, waitForResponse: true }],
		])('is not changed or run: %s %j', async (operation, more) => {
			const says = ['Activepieces worker', /Nothing was (changed|sent)\.$/];
			const message = `Flow "Orders" (${id}) is being deleted`;
			await failsWith(ofRecord(`flow.${operation}`, id, more), message, says);
			expect(sent()).toEqual([]);
		});

		test('is deleted at once by a second Delete', async () => {
			expect(await records(remove(id))).toEqual([{ deleted: true }]);
			expect(sent()).toEqual([[`DELETE /v1/flows/${id}`]]);
		});
	});

	describe('Delete', () => {
		const busy = { status: 409, code: 'FLOW_OPERATION_IN_PROGRESS' };

		test('waits for a change of the flow', async () => {
			const { id } = context.live.addFlow({ enabled: true });
			context.fault({ method: 'DELETE', times: 3, kind: busy });
			expect(await records(remove(id))).toEqual([{ deleted: true }]);
			expect(context.requests).toHaveLength(4);
			expect(context.flow(id)).toBeUndefined();
			expect(await records(remove(id))).toEqual([{ deleted: true }]);
		});

		test('gives up when a change does not end', async () => {
			const { id } = context.live.addFlow({ enabled: true });
			context.fault({ method: 'DELETE', kind: busy });
			limits.pendingChange.maxElapsedMs = 5 * limits.pendingChange.pollMs;
			await failsWith(remove(id), `Another change to flow "${id}" is in progress`);
			expect(context.requests.length).toBeLessThanOrEqual(1 + 5);
		});
	});
});
