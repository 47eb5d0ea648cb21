import type { INodeParameters } from 'n8n-workflow';

import { restoreLimits } from '../restoreLimits';
import { limits } from './harness/built';
import { parametersOf } from './harness/parameters';
import { FIRST_AND_LAST, byId, changesSent, requestPaths, useService } from './harness/service';
import { signedIn } from './harness/signIn';

const create = (projectId: unknown, displayName: unknown, more: INodeParameters = {}) =>
	parametersOf('flow.create', {
		projectId: byId(projectId),
		displayName: displayName as string,
		...more,
	});
const update = (id: unknown, updateFields: INodeParameters) =>
	parametersOf('flow.update', { flowId: byId(id), updateFields });
const remove = (id: unknown) => parametersOf('flow.delete', { flowId: byId(id) });
restoreLimits(limits);

const NO_FOLDER = { mode: 'list', value: 'NULL', __rl: true };
const UNKNOWN = 'A'.repeat(21);

describe.each(FIRST_AND_LAST)('flows are created, updated and deleted on release %s', (release) => {
	const context = useService({
		release,
		data: { projects: 2, foldersPerProject: 2, flows: 6, flowRuns: 12 },
	});

	const { records, failure, failsWith, refuses } = context;
	const sent = () => changesSent(context);
	const foldersOf = (projectId: string) =>
		context.data.folders.filter((folder) => folder.projectId === projectId);
	const stored = (id: unknown) => context.data.flows.find((flow) => flow.id === id);

	describe('Create', () => {
		test('gives the new flow with the fields of Get Many, and sends nothing but what was set', async () => {
			const [{ id, displayName: projectName }] = context.data.projects;
			const [flow] = await records(create(id, '  Send invoices '));
			expect(flow).toEqual({
				id: expect.any(String),
				name: 'Send invoices',
				status: 'DISABLED',
				published: false,
				unpublishedChanges: false,
				projectId: id,
				projectName,
				pieces: [],
				updated: expect.any(String),
				url: `${context.origin}/projects/${id}/flows/${String(flow.id)}`,
			});
			expect(sent()).toEqual([['POST /v1/flows', { displayName: 'Send invoices', projectId: id }]]);
			const get = { resource: 'flow', operation: 'get', flowId: byId(flow.id) };
			expect(await records(get)).toEqual([flow]);
		});

		test('puts it into a folder of the project, and into none for No Folder', async () => {
			const [{ id }] = context.data.projects;
			const [folder] = foldersOf(id);
			const raw = { simplify: false };
			expect(
				await records(create(id, 'In a folder', { ...raw, folderId: byId(folder.id) })),
			).toMatchObject([{ folderId: folder.id }]);
			const [inNone] = await records(create(id, 'In none', { ...raw, folderId: NO_FOLDER }));
			expect(inNone.folderId).toBeNull();
		});

		test('refuses a folder of another project, and an unknown one', async () => {
			const [{ id }, other] = context.data.projects;
			const [foreign] = foldersOf(other.id);
			const error = await failure(create(id, 'Lost', { folderId: byId(foreign.id) }));
			expect(error.message).toBe(`The folder "${foreign.displayName}" is in another project`);
			expect(error.description).toContain('Nothing was changed');
			const unknown = await failure(create(id, 'Lost', { folderId: byId(UNKNOWN) }));
			expect(unknown.message).toBe(`Folder "${UNKNOWN}" was not found`);
			expect(sent()).toEqual([]);
		});
	});

	describe('Update', () => {
		test('renames a draft', async () => {
			const flow = context.live.addFlow({ name: 'Before' });
			expect(await records(update(flow.id, { displayName: ' After ' }))).toMatchObject([
				{ id: flow.id, name: 'After', published: false, unpublishedChanges: false },
			]);
			expect(sent()).toEqual([
				[`POST /v1/flows/${flow.id}`, { type: 'CHANGE_NAME', request: { displayName: 'After' } }],
			]);
		});

		test('says of a published flow that its new name is an unpublished change', async () => {
			const flow = context.live.addFlow({ name: 'Before', enabled: true });
			expect(await records(update(flow.id, { displayName: 'After' }))).toMatchObject([
				{ name: 'After', status: 'ENABLED', published: true, unpublishedChanges: true },
			]);
		});

		test('begins no draft for a name that the flow has already', async () => {
			const flow = context.live.addFlow({ name: 'Same', enabled: true });
			expect(await records(update(flow.id, { displayName: 'Same' }))).toMatchObject([
				{ name: 'Same', unpublishedChanges: false },
			]);
			expect(sent()).toEqual([]);
		});

		test('moves a flow to a folder of its project, and out of it, and renames it with that', async () => {
			const [{ id }] = context.data.projects;
			const [folder] = foldersOf(id);
			const flow = context.live.addFlow({ projectId: id, name: 'Moved' });
			await records(update(flow.id, { folderId: byId(folder.id), displayName: 'Both' }));
			expect(stored(flow.id)).toMatchObject({
				folderId: folder.id,
				version: { displayName: 'Both' },
			});
			await records(update(flow.id, { folderId: NO_FOLDER }));
			expect(stored(flow.id)?.folderId).toBeNull();
			const path = `POST /v1/flows/${flow.id}`;
			expect(sent()).toEqual([
				[path, { type: 'CHANGE_FOLDER', request: { folderId: folder.id } }],
				[path, { type: 'CHANGE_NAME', request: { displayName: 'Both' } }],
				[path, { type: 'CHANGE_FOLDER', request: { folderId: null } }],
			]);
		});

		test('says what was done when only the second change is refused', async () => {
			const [{ id }] = context.data.projects;
			const [folder] = foldersOf(id);
			const flow = context.live.addFlow({ projectId: id });
			context.fault({ method: 'POST', after: 1, kind: { status: 409, code: 'FLOW_IN_USE' } });
			const error = await failure(
				update(flow.id, { folderId: byId(folder.id), displayName: 'Both' }),
			);
			expect(error.message).toMatch(/^Another user is editing flow/);
			expect(error.description).toContain('The flow was moved to the folder');
			expect(error.description).not.toContain('Nothing was changed');
		});

		test('refuses a folder of another project and an unknown one, and changes nothing', async () => {
			const [{ id }, other] = context.data.projects;
			const [foreign] = foldersOf(other.id);
			const flow = context.live.addFlow({ projectId: id });
			const error = await failure(
				update(flow.id, { folderId: byId(foreign.id), displayName: 'Not this either' }),
			);
			expect(error.message).toBe(`The folder "${foreign.displayName}" is in another project`);
			const unknown = await failure(update(flow.id, { folderId: byId(UNKNOWN) }));
			expect(unknown.message).toBe(`Folder "${UNKNOWN}" was not found`);
			expect(sent()).toEqual([]);
		});

		test.each<[INodeParameters, string]>([
			[{}, 'Update Fields is empty'],
			[{ displayName: ' ' }, 'Name is empty'],
			[{ displayName: '={{ $json.missing }}' }, 'Name is empty'],
			[{ folderId: byId('') }, 'Folder is empty'],
			[{ folderId: byId('={{ $json.missing }}') }, 'Folder is empty'],
		])('refuses %j, and sends nothing', async (fields, message) => {
			await refuses(update(context.data.flows[0].id, fields), message);
		});
	});

	describe('Delete', () => {
		test('returns { deleted: true }: the flow is in no list, and its runs disappear', async () => {
			const { flowId } = context.data.flowRuns[0];
			expect(await records(remove(flowId))).toEqual([{ deleted: true }]);
			expect(requestPaths(context)).toEqual([`DELETE /v1/flows/${flowId}`]);
			expect(stored(flowId)).toBeUndefined();
			context.service.settleFlowChanges();
			expect(context.data.flowRuns.filter((run) => run.flowId === flowId)).toEqual([]);
		});

		test('waits for another delete of the flow, and succeeds with it', async () => {
			const flow = context.live.addFlow({ enabled: true });
			await records(remove(flow.id));
			expect(await records(remove(flow.id))).toEqual([{ deleted: true }]);
		});

		test('waits for a change of the flow, and then deletes it', async () => {
			const flow = context.live.addFlow({ enabled: true });
			context.fault({
				method: 'DELETE',
				times: 3,
				kind: { status: 409, code: 'FLOW_OPERATION_IN_PROGRESS' },
			});
			expect(await records(remove(flow.id))).toEqual([{ deleted: true }]);
			expect(context.requests).toHaveLength(4);
			expect(stored(flow.id)).toBeUndefined();
		});

		test('gives up when a change does not end', async () => {
			const flow = context.live.addFlow({ enabled: true });
			flow.operationStatus = 'DISABLING';
			limits.pendingChange.maxElapsedMs = 5 * limits.pendingChange.pollMs;
			await failsWith(remove(flow.id), `Another change to flow "${flow.id}" is in progress`);
			expect(context.requests).toHaveLength(1 + 5);
			expect(stored(flow.id)).toBeDefined();
		});
	});
});

describe.each(FIRST_AND_LAST)('after signing in to Community %s', (release) => {
	const context = useService({ release, edition: 'community', data: 'recorded' });

	test('a flow is created in a project of the user, renamed and deleted', async () => {
		const { records } = signedIn(context);
		const [flow] = await records(create(context.data.projects[0].id, 'Mine'));
		expect(flow).toMatchObject({ name: 'Mine', published: false });
		const { id } = flow;
		expect(await records(update(id, { displayName: 'Renamed' }))).toMatchObject([
			{ id, name: 'Renamed' },
		]);
		expect(await records(remove(id))).toEqual([{ deleted: true }]);
		expect(context.data.flows.map((each) => each.id)).not.toContain(id);
	});
});

describe('the fields in the editor', () => {
	const context = useService({ data: { projects: 2, foldersPerProject: 2, flows: 1 } });

	test('without a project, a flow is created in the only one', async () => {
		context.data.projects = context.data.projects.slice(0, 1);
		const [flow] = await context.records({ ...create('', 'Only'), projectId: byId('') });
		expect(flow).toMatchObject({ name: 'Only', projectId: context.data.projects[0].id });
	});
});
