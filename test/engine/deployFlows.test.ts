import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { FIRST_AND_LAST, type FaultKind, type Service } from '../service';
import { migrate } from '../service/flowMigration';
import { TRAITS } from '../service/releases';
import { limits, tryOnce } from './harness/built';
import { byId } from './harness/byId';
import { flowFile, SLACK, slackFlow, webhookTrigger } from './harness/flowFile';
import { ofRecord, parametersOf, RETRY_ON_FAIL } from './harness/parameters';
import {
	changesSent,
	holdUntilInFlight,
	requestPaths,
	useService,
	type TestContext,
} from './harness/service';

/** The file of a flow in a repository, as Export writes it. */
const fileOf = (externalId: string, name = externalId, input: IDataObject = { text: 'hi' }) => ({
	...{ name, externalId, projectId: 'of another server', folderId: null, status: 'ENABLED' },
	flow: slackFlow(name, input),
});

const deploy = (projectId: unknown, more: INodeParameters = {}) =>
	parametersOf('flow.import', {
		...{ mode: 'upsert', projectId: byId(projectId), content: '={{ $json }}', ...more },
	});

const byName = { matchBy: 'name' };
const publish = { options: { publish: true } };
const mapped = (...values: Array<{ from: string; to: string }>) => ({
	options: { connections: { values } },
});

const changesOf = (items: IDataObject[]) => items.map(({ change }) => change);

/** Another version of a piece in the draft of a flow, as a person chooses it. */
function changeVersionOfPiece(context: TestContext, id: unknown): void {
	const { version } = context.flow(id)!;
	const trigger = JSON.stringify(version.trigger).replace('0.12.1', '0.13.0');
	version.trigger = JSON.parse(trigger) as typeof version.trigger;
}

describe.each(['0.79', '0.85', '0.92'] as const)('flows of files on release %s', (release) => {
	const context = useService({ release, data: { projects: 2, flows: 4 } });
	const [first, second] = [0, 1].map((index) => () => context.data.projects[index].id);
	const flowsOf = (projectId: string) =>
		context.data.flows.filter((flow) => flow.projectId === projectId).length;
	const deployed = async (file: IDataObject, how: INodeParameters = {}) =>
		await context.record(deploy(first(), how), [file]);

	test('are created once, and then changed as their files change, in each project', async () => {
		const before = flowsOf(first());
		const files = Array.from({ length: 12 }, (_, index) => fileOf(`flow-${index}`));
		const created = await context.records(deploy(first()), files);
		expect(changesOf(created)).toEqual(files.map(() => 'created'));
		expect(created.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
		expect(flowsOf(first())).toBe(before + 12);

		const changed = files.map((file, index) =>
			[3, 7, 11].includes(index) ? fileOf(file.externalId, `Renamed ${index}`) : file,
		);
		context.clearRequests();
		const updated = await context.records(deploy(first()), changed);
		expect(updated.map(({ id }) => id)).toEqual(created.map(({ id }) => id));
		expect(updated.filter(({ change }) => change === 'unchanged')).toHaveLength(9);
		const others = updated.filter(({ change }) => change === 'updated');
		expect(others.map(({ name }) => name)).toEqual(['Renamed 3', 'Renamed 7', 'Renamed 11']);
		const imports = changesSent(context).map(([, body]) => (body as IDataObject).type);
		expect(imports.filter((type) => type === 'IMPORT_FLOW')).toHaveLength(3);

		context.clearRequests();
		const again = await context.records(deploy(first()), changed);
		expect(changesOf(again)).toEqual(files.map(() => 'unchanged'));
		expect(changesSent(context)).toEqual([]);
		// The flows of the project are read once.
		expect(requestPaths(context).filter((path) => path === 'GET /v1/flows')).toHaveLength(1);

		const elsewhere = await context.records(deploy(second()), changed);
		expect(changesOf(elsewhere)).toEqual(files.map(() => 'created'));
		expect(flowsOf(first())).toBe(before + 12);
	});

	test('keep their external ID where the release creates flows with one, and else in the metadata', async () => {
		const { id } = await deployed(fileOf('kept-id'));
		const { externalId, metadata } = context.flow(id)!;
		expect(externalId === 'kept-id').toBe(release === '0.92');
		expect(metadata).toMatchObject({ n8nImport: { externalId: 'kept-id' } });
		// The export of the flow belongs to it, and to the flow of the same file on another server.
		const exported = await context.record(ofRecord('flow.export', id));
		expect(exported.externalId).toBe('kept-id');
		const raw = await context.record(ofRecord('flow.get', id, { simplify: false }));
		for (const file of [exported, raw]) {
			expect(await deployed(file)).toMatchObject({ id, change: 'unchanged' });
		}
		const other = await context.record(deploy(second()), [exported]);
		expect(other.change).toBe('created');
	});

	test.each<[string, INodeParameters, (id: unknown) => unknown]>([
		['the name of the flow', {}, (id) => context.live.editFlow(String(id), 'By hand')],
		['the version of a piece', publish, (id) => changeVersionOfPiece(context, id)],
	])(
		'are imported once, also when the service converts them, until a person changes %s',
		async (what, how, edit) => {
			const name = `Converted, then ${what}`;
			const flow = slackFlow(name, { order: '{{trigger.body.order}}' });
			const file = { ...fileOf(name), flow: { ...flow, schemaVersion: '1' } };
			const { id, change } = await deployed(file, how);
			expect(change).toBe('created');
			const expectUnchanged = async () => {
				context.clearRequests();
				const again = { id, change: 'unchanged', name, published: how === publish };
				expect(await deployed(file, how)).toMatchObject(again);
				expect(changesSent(context)).toEqual([]);
			};
			await expectUnchanged();
			edit(id);
			expect(await deployed(file, how)).toMatchObject({ id, change: 'updated', name });
			await expectUnchanged();
		},
	);
});

describe.each(FIRST_AND_LAST)('a deployment on release %s', (release) => {
	const context = useService({ release, data: { projects: 2, foldersPerProject: 1, flows: 4 } });
	const { record, records } = context;
	const project = () => context.data.projects[0].id;
	const named = (name: string) =>
		context.data.flows.filter(({ version }) => version.displayName === name);
	const deployed = async (file: IDataObject, how: INodeParameters = {}) =>
		await record(deploy(project(), how), [file]);
	const hadChanges = (id: unknown) =>
		`The draft of flow "By hand" (${String(id)}) had changes that were not published. The import replaced them`;
	/** Fails the request that publishes a flow, after the import and what is kept of it. */
	const failPublish = (before?: () => void) =>
		context.fault({
			...{ method: 'POST', path: /^\/v1\/flows\/\w{21}$/, after: 2, times: 1 },
			kind: { before, status: 500 },
		});

	test('finds flows by name as locators do, in any letter case and with any blanks', async () => {
		const { id } = context.live.addFlow({ name: 'Send  Invoices ' });
		const given = await deployed(fileOf('other', 'send invoices'), byName);
		expect(given).toMatchObject({ id, change: 'updated', name: 'send invoices' });
		// A file needs no external ID then.
		const plain = await deployed(slackFlow('Send invoices'), byName);
		expect(plain).toMatchObject({ id, change: 'updated' });
		// With a Greek sigma at the end
		const greek = context.live.addFlow({ name: 'Φάκελος' });
		expect((await deployed(fileOf('greek', 'ΦΆΚΕΛΟΣ Ι'), byName)).change).toBe('created');
		expect((await deployed(fileOf('greek', 'φάκελοσ'), byName)).id).toBe(greek.id);
	});

	test.each([
		[byName, 'name', 'Twice', 'Rename or delete all but one, or match by external ID.'],
		[{ externalId: 'twice' }, 'external ID', 'twice', 'Delete all but one.'],
	])('changes none of several flows: %j', async (how, what, value, advice) => {
		const flows = [1, 2].map(() => context.live.addFlow({ name: 'Twice' }));
		for (const flow of flows) flow.externalId = 'twice';
		const labels = flows.map(({ id }) => `flow "Twice" (${id})`);
		await context.failsWith(
			deploy(project(), how),
			`The project has ${named('Twice').length} flows with the ${what} "${value}"`,
			[labels[0], labels[1], advice, /Nothing was changed\.$/],
			[fileOf('x', 'Twice')],
		);
		expect(changesSent(context)).toEqual([]);
		for (const { id } of named('Twice')) await record(ofRecord('flow.delete', id));
	});

	test('takes the external ID of the field before that of the file, and needs one of them', async () => {
		const { id, externalId } = context.live.addFlow({ name: 'Here' });
		const file = fileOf('of-file', 'Here');
		expect((await deployed(file, { externalId })).id).toBe(id);
		expect((await deployed(file)).id).not.toBe(id);
		const advice = 'Enter one in External ID, or set Match By to Name.';
		const none = [slackFlow('Here')];
		await context.failsWith(deploy(project()), 'The file has no external ID', advice, none);
		const empty = deploy(project(), { externalId: '={{ $json.nothing }}' });
		await context.failsWith(empty, 'The expression in External ID returns no value', [], [file]);
		expect(named('Here')).toHaveLength(2);
	});

	const refusalOf = (name: string, label: string) =>
		`The file "${name}" is of the same flow as that of item index 0: ${label}`;
	const REMOVE_ONE =
		'The second file would replace the first. Remove one of them, or give each an external ID and a name of its own.';

	test.each([
		[{}, fileOf('shared', 'First'), fileOf('shared', 'Second')],
		[byName, fileOf('a', 'Same name'), fileOf('b', 'same name')],
	])('of two files of one flow, the second is refused: %j', async (how, one, other) => {
		const items = [one, other, fileOf(`third ${one.name}`)];
		const { error } = await context.run(deploy(project(), how), { items });
		const [{ id }] = named(one.name);
		expect(error?.message).toBe(refusalOf(other.name, `flow "${one.name}" (${id})`));
		const ends = `${REMOVE_ONE} Nothing was changed for this item. 1 of 3 items were completed`;
		expect(error?.description).toBe(`${ends}.`);
		const again = await context.run(deploy(project(), how), { items });
		expect(again.error?.description).toBe(`${ends} without a change.`);
		const more = { items, onError: 'continueRegularOutput' as const };
		const { items: output } = await context.run(deploy(project(), how), more);
		expect(output.map(({ json }) => json.change)).toEqual(['unchanged', undefined, 'created']);
		expect(named(one.name)).toHaveLength(1);
		expect(named(other.name)).toHaveLength(0);
	});

	test('the first of two files of one flow is named as people name it', async () => {
		const data = Buffer.from(JSON.stringify(fileOf('in-two-files', 'Orders'))).toString('base64');
		const binary = { data: { mimeType: 'application/json', data, fileName: 'orders.json' } };
		const source = { inputSource: 'binary', binaryPropertyName: 'data' };
		const { error } = await context.run(deploy(project(), source), { items: [{}, {}], binary });
		expect(error?.message).toMatch(/is of the same flow as that of "orders\.json": flow "Orders"/);
	});

	test('two files that name one flow by different external IDs are of one flow, and so is a flow that is named twice', async () => {
		const { id } = context.live.addFlow({ name: 'Two IDs' });
		const flow = context.flow(id)!;
		flow.metadata = { n8nImport: { externalId: 'of-its-file' } };
		const files = [fileOf('of-its-file', 'Once'), fileOf(flow.externalId, 'Again')];
		const asDraft = ofRecord('flow.import', id, { mode: 'replace', content: '={{ $json }}' });
		for (const parameters of [deploy(project()), asDraft]) {
			const { message } = await context.failure(parameters, files);
			expect(message).toBe(refusalOf('Again', `flow "Once" (${id})`));
			expect(flow.version.displayName).toBe('Once');
		}
	});

	test('the second one is refused in each try, and one that is tried again is not', async () => {
		const items = [fileOf('tried', 'First try'), fileOf('tried', 'Overwritten')];
		const { error } = await context.run(deploy(project()), { items, settings: RETRY_ON_FAIL });
		const [{ id }] = named('First try');
		expect(error?.message).toBe(refusalOf('Overwritten', `flow "First try" (${id})`));
		context.fault({ method: 'POST', path: '/v1/flows', times: 1, kind: { status: 422 } });
		const again = { items: [fileOf('again')], settings: RETRY_ON_FAIL };
		expect(await records(deploy(project()), again)).toMatchObject([{ change: 'created' }]);
	});

	test('no flow is created beside one of its name that belongs to no file: by name it is taken over', async () => {
		const made = context.live.addFlow({ name: 'Made by hand' });
		const { id } = await deployed(fileOf('lost-id', 'Lost its ID'));
		context.flow(id)!.metadata = { of: 'somebody' };
		context.flow(id)!.externalId = 'of another server';
		for (const [name, flowId] of [
			['Made by hand', made.id],
			['Lost its ID', String(id)],
		]) {
			const file = fileOf(`file of ${name}`, name.toUpperCase());
			context.clearRequests();
			await context.failsWith(
				deploy(project()),
				`The project has a flow "${name}" (${flowId}) already, which belongs to no file`,
				/^To bring it to the state of the file, set Match By to Name: the flow keeps its ID, .* Nothing was changed\.$/,
				[file],
			);
			expect(changesSent(context)).toEqual([]);
			expect((await deployed(file, byName)).id).toBe(flowId);
			expect(await deployed(file)).toMatchObject({ id: flowId, change: 'unchanged' });
		}
		expect(context.flow(id)!.metadata).toMatchObject({ of: 'somebody' });
	});

	test('what others keep in the metadata of a flow stays there', async () => {
		const { id } = await deployed(fileOf('shared-metadata'), publish);
		Object.assign(context.flow(id)!.metadata!, { team: { name: 'Sales' } });
		for (const name of ['Second', 'Third']) {
			await deployed(fileOf('shared-metadata', name), publish);
			expect(context.flow(id)!.metadata).toMatchObject({
				team: { name: 'Sales' },
				n8nImport: { externalId: 'shared-metadata', enabled: true },
			});
		}
	});

	test('one file goes to several projects', async () => {
		const items = [0, 1].map((index) => ({
			...fileOf('many'),
			to: context.data.projects[index].id,
		}));
		const given = await records(deploy('={{ $json.to }}'), items);
		expect(changesOf(given)).toEqual(['created', 'created']);
	});

	test.each(['made', 'changed', 'left as it is'])(
		'a flow that was first found by its name, and %s then, is found by the external ID of its file later',
		async (how) => {
			const name = `Found later, ${how}`;
			let file: IDataObject = fileOf(`found-later-${how.length}`, name);
			if (how !== 'made') {
				const there = context.live.addFlow({ name });
				const { flow } = await record(ofRecord('flow.export', there.id));
				if (how === 'left as it is') file = { ...file, flow };
			}
			const { id, change } = await deployed(file, byName);
			expect(change).toBe({ made: 'created', changed: 'updated' }[how] ?? 'unchanged');
			context.clearRequests();
			for (const later of [{}, byName]) {
				expect(await deployed(file, later)).toMatchObject({ id, change: 'unchanged' });
			}
			expect(changesSent(context)).toEqual([]);
			expect(named(name)).toHaveLength(1);
		},
	);

	test('a flow found by its name keeps an external ID that it has from another file', async () => {
		const { id } = await deployed(fileOf('has-one', 'Has one'));
		expect((await deployed(fileOf('other-one', 'Has one'), byName)).id).toBe(id);
		expect((await deployed(fileOf('has-one', 'Has one'))).id).toBe(id);
		expect((await deployed(fileOf('other-one', 'Has two'))).id).not.toBe(id);
	});

	test('no two flows keep one external ID', async () => {
		const { id } = await deployed(fileOf('renamed', 'Old name'));
		expect((await deployed(fileOf('renamed', 'New name'), byName)).change).toBe('created');
		expect((await deployed(fileOf('renamed', 'Old name'))).id).toBe(id);
	});

	test('puts new flows into a folder by its name, which it makes once, and leaves others where they are', async () => {
		const options = { options: { folderName: 'Invoices' } };
		const folders = () => context.data.folders.filter((each) => each.displayName === 'Invoices');
		const files = [fileOf('a-1'), fileOf('a-2')];
		const given = await records(deploy(project(), options), files);
		expect(folders()).toHaveLength(1);
		const [{ id: folderId }] = folders();
		for (const { id } of given) expect(context.flow(id)?.folderId).toBe(folderId);
		const [{ id }] = given;
		await deployed(fileOf('a-1', 'Other'), { options: { folderName: 'Elsewhere' } });
		expect(context.flow(id)?.folderId).toBe(folderId);
	});

	test('says once what all files of a run lack, and then the change after the name', async () => {
		const files = Array.from({ length: 6 }, (_, index) =>
			fileOf(`lacks-${index}`, `Lacks ${index}`, {
				auth: `{{connections['${index % 2 === 0 ? 'none' : 'nor this'}']}}`,
			}),
		);
		const { hints, items } = await context.run(deploy(project()), files);
		expect(hints).toEqual([
			'6 flows need connections that their project does not have: none, nor this. Their runs fail until you create connections with these external IDs, or choose others in their steps',
		]);
		expect(Object.keys(items[0].json).slice(0, 2)).toEqual(['name', 'change']);
	});

	/** The steps of a flow that call others, in the forms of all releases of the pieces. */
	const calling = (...externalIds: string[]) => {
		const [flow, flowId, tool] = externalIds;
		const piece = { pieceName: '@activepieces/piece-subflows', pieceVersion: '0.4.11' };
		const input = { flow: { externalId: flow }, flowId, tools: [{ externalFlowId: tool }] };
		return { ...slackFlow('', input, piece), schemaVersion: '10' };
	};
	const callsOf = (flow: unknown) => {
		const { nextAction } = (flow as { trigger: { nextAction: IDataObject } }).trigger;
		const { input } = nextAction.settings as { input: IDataObject };
		const { flow: called, flowId, tools } = input as Record<string, IDataObject>;
		return [called.externalId, flowId, (tools as unknown as IDataObject[])[0].externalFlowId];
	};

	test('flows that call flows call those of the project, whatever the order of their files', async () => {
		const caller = (name: string, ...ids: string[]) => ({
			...fileOf(name),
			flow: { ...calling(...ids), displayName: name },
		});
		const files = [
			caller('grandparent', 'parent', '{{trigger.body.id}}', 'child'),
			caller('parent', 'child', 'child', 'child'),
			fileOf('child'),
		];
		const { items, hints, error } = await context.run(deploy(project(), publish), files);
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		expect(items.map(({ json }) => json)).toMatchObject(
			files.map(({ name }) => ({ name, change: 'created', status: 'ENABLED', missingFlows: [] })),
		);
		const [grandparent, parent, child] = items.map(({ json }) => context.flow(json.id)!);
		expect(callsOf(parent.version)).toEqual(Array(3).fill(child.externalId));
		const [called, expression, tool] = callsOf(grandparent.version);
		expect([called, tool]).toEqual([parent.externalId, child.externalId]);
		expect(expression).toMatch(/^\{\{.*body\.id\}\}$/);
		context.clearRequests();
		expect(changesOf(await records(deploy(project(), publish), files))).toEqual([
			...['unchanged', 'unchanged', 'unchanged'],
		]);
		expect(changesSent(context)).toEqual([]);
		// To a third project.
		const exported = await record(ofRecord('flow.export', grandparent.id));
		expect(callsOf(exported.flow)).toEqual(['parent', expression, 'child']);
		expect(await deployed(exported, publish)).toMatchObject({ change: 'unchanged' });
	});

	test('flows that were made by hand are called by the files that take them over', async () => {
		const files = ['Inner', 'Outer'].map((name) => ({
			...fileOf(`${name}-id`, name),
			flow: { ...(name === 'Outer' ? calling('Inner-id') : slackFlow('')), displayName: name },
		}));
		const byHand = files.map(({ name }) => context.live.addFlow({ name, projectId: project() }));
		const taken = await records(deploy(project(), { ...byName, ...publish }), files);
		expect(taken.map(({ id }) => id)).toEqual(byHand.map(({ id }) => id));
		for (const item of taken) {
			expect(item).toMatchObject({ change: 'updated', status: 'ENABLED', missingFlows: [] });
		}
	});

	test('a flow that calls one which the project lacks is named, and not published', async () => {
		const file = { ...fileOf('lonely'), flow: { ...calling('nowhere'), displayName: 'Lonely' } };
		const { items, hints } = await context.run(deploy(project()), [file]);
		const { id } = items[0].json;
		expect(items[0].json).toMatchObject({ change: 'created', missingFlows: ['nowhere'] });
		expect(hints).toEqual([
			`Flow "Lonely" (${id}) calls flows that its project does not have: nowhere. Its runs fail until you import them, and then import it again`,
		]);
		const { description } = await context.failure(deploy(project(), publish), [file]);
		expect(description).toMatch(
			/^It needs flows that its project does not have: nowhere\. Add what is missing\. Then import the flow again\./,
		);
		// Two that call each other are right in the second run.
		const pair = ['one', 'two'].map((name, index) => ({
			...{ ...fileOf(name), flow: { ...calling(['two', 'one'][index]), displayName: name } },
		}));
		const first = await records(deploy(project()), pair);
		expect(first.map(({ missingFlows }) => missingFlows)).toEqual([['two'], []]);
		const second = await records(deploy(project()), pair);
		expect(second.map(({ missingFlows }) => missingFlows)).toEqual([[], []]);
		// From 0.92 on their external IDs are those of the files.
		const caller = release === '0.79' ? 'updated' : 'unchanged';
		expect(changesOf(second)).toEqual([caller, 'unchanged']);
	});

	test('names the tables that steps use and the project lacks', async () => {
		const piece = { pieceName: '@activepieces/piece-tables', pieceVersion: '0.1.0' };
		const [table] = context.data.tables.filter(({ projectId }) => projectId === project());
		const step = (tableId: string) => slackFlow('Rows', { table_id: tableId }, piece);
		const tables = [table.externalId, '{{trigger.body.table}}', 'none'];
		const files = tables.map((id, index) => ({ externalId: `rows-${index}`, flow: step(id) }));
		const { items, hints } = await context.run(deploy(project()), files);
		const given = items.map(({ json }) => json.missingTables);
		expect(given).toEqual([[], [], ['none']]);
		expect(hints).toContain(
			`Flow "Rows" (${String(items[2].json.id)}) uses tables or columns that its project does not have: none. Its runs fail or lose values until you create them with these external IDs, and then import it again`,
		);
		const { description } = await context.failure(deploy(project(), publish), [files[2]]);
		expect(description).toContain('tables or columns that its project does not have: none. Add');
		const lists = requestPaths(context).filter((path) => path === 'GET /v1/tables');
		expect(lists).toHaveLength(2);
		context.fault({ path: '/v1/tables', kind: { status: 403 } });
		expect(await deployed(files[0])).toMatchObject({ missingTables: null });
	});

	const rowsOf = (flow: unknown) => {
		const { nextAction } = (flow as { trigger: { nextAction: IDataObject } }).trigger;
		const { input } = nextAction.settings as { input: IDataObject };
		const { filters } = input.filters as { filters: Array<{ field: IDataObject }> };
		return filters.map(({ field }) => field.id);
	};

	test.each(['0.2.17', '0.3.3'])(
		'steps of version %s of the Tables piece find the columns of the project',
		async (pieceVersion) => {
			const [table] = context.data.tables.filter(({ projectId }) => projectId === project());
			const [column] = context.data.fields.filter(({ tableId }) => tableId === table.id);
			const piece = { pieceName: '@activepieces/piece-tables', pieceVersion };
			const searching = (...ids: string[]) => ({
				...fileOf(`search ${pieceVersion} ${ids.length}`),
				flow: slackFlow(
					`Search ${pieceVersion} ${ids.length}`,
					{
						table_id: table.externalId,
						values: { [column.externalId]: 'Ada', gone: '' },
						filters: {
							filters: ids.map((id) => ({ field: { id, name: 'Name' }, operator: 'eq' })),
						},
					},
					piece,
				),
			});
			const file = searching(column.externalId);
			const deployedFlow = await deployed(file);
			expect(deployedFlow).toMatchObject({ change: 'created', missingTables: [] });
			const { version } = context.flow(deployedFlow.id)!;
			const own = pieceVersion === '0.2.17' ? column.id : column.externalId;
			expect(rowsOf(version)).toEqual([own]);
			context.clearRequests();
			expect(await deployed(file)).toMatchObject({ change: 'unchanged' });
			expect(changesSent(context)).toEqual([]);
			const exported = await record(ofRecord('flow.export', deployedFlow.id));
			expect(rowsOf(exported.flow)).toEqual([column.externalId]);
			expect(await deployed(exported)).toMatchObject({ change: 'unchanged' });
			const lacking = await deployed(searching(column.externalId, 'amount'));
			expect(lacking.missingTables).toEqual([`${String(table.externalId)}: amount`]);
			context.fault({ path: '/v1/fields', kind: { status: 403 } });
			expect(await deployed(file)).toMatchObject({ missingTables: null });
		},
	);

	test('names the version of a piece to which the server converts a step, if that is not installed', async () => {
		if (release === '0.79') return;
		const [table] = context.data.tables.filter(({ projectId }) => projectId === project());
		const [column] = context.data.fields.filter(({ tableId }) => tableId === table.id);
		const pieceName = '@activepieces/piece-tables';
		context.live.installPiece(pieceName, '0.2.17');
		const filters = { filters: [{ field: { id: column.externalId }, operator: 'eq' }] };
		const settings = {
			...{ pieceName, pieceVersion: '0.2.17', actionName: 'tables-find-records' },
			...{ input: { table_id: table.externalId, filters }, propertySettings: {} },
		};
		const file = {
			...fileOf('converted'),
			flow: flowFile('Converted', { type: 'PIECE', settings }),
		};
		const { description } = await context.failure(deploy(project(), publish), [file]);
		const missing = `${pieceName} 0.3.0`;
		expect(description).toContain(`pieces that this server does not have: ${missing}. Add`);
		context.clearRequests();
		expect(await deployed(file)).toMatchObject({
			...{ change: 'unchanged', missingPieces: [missing], missingTables: [] },
		});
		// Of the two pieces of the flow, each once.
		const asked = requestPaths(context).filter((path) => path.includes('/v1/pieces/'));
		expect(asked).toHaveLength(2);
		context.live.installPiece(pieceName, '0.3.0');
		expect(await deployed(file, publish)).toMatchObject({ change: 'unchanged', published: true });
	});

	test('names the columns that steps write and the table lacks', async () => {
		const [{ externalId }] = context.data.tables.filter(({ projectId }) => projectId === project());
		const table = String(externalId);
		const writing = (name: string, values: unknown, actionName: string) => {
			const piece = { pieceName: '@activepieces/piece-tables', pieceVersion: '0.3.3', actionName };
			const input = { table_id: table, values } as IDataObject;
			const settings = { ...piece, input, propertySettings: {} };
			return {
				...fileOf(name),
				flow: flowFile(name, { type: 'PIECE', settings }),
			};
		};
		const create = 'tables-create-records';
		const files = [
			writing(
				'create',
				{ values: [{ amount: '1' }, { amount: 2, state: 'open', no: '' }] },
				create,
			),
			writing('create by expression', { values: '{{trigger.body.rows}}' }, create),
			writing('change', { amount: 0, customer: null }, 'tables-update-record'),
		];
		const { items, hints } = await context.run(deploy(project()), files);
		expect(items.map(({ json }) => json.missingTables)).toEqual([
			...[[`${table}: amount`, `${table}: state`], [], [`${table}: amount`]],
		]);
		expect(hints).toContain(
			`2 flows use tables or columns that their project does not have: ${table}: amount, ${table}: state. Their runs fail or lose values until you create them with these external IDs, and then import them again`,
		);
		const { description } = await context.failure(deploy(project(), publish), [files[2]]);
		expect(description).toContain(`columns that its project does not have: ${table}: amount. Add`);
	});

	test('leaves a folder its name that differs in case', async () => {
		const [folder] = context.data.folders.filter(({ projectId }) => projectId === project());
		folder.displayName = 'Bills';
		const files = [fileOf('b-1'), fileOf('b-2')].map((file, index) => ({
			...{ ...file, to: ['bills', 'BILLS'][index] },
		}));
		const given = await records(
			deploy(project(), { options: { folderName: '={{ $json.to }}' } }),
			files,
		);
		for (const { id } of given) expect(context.flow(id)?.folderId).toBe(folder.id);
		expect(folder.displayName).toBe('Bills');
		const lists = requestPaths(context).filter((path) => path === 'GET /v1/folders');
		expect(lists).toHaveLength(1);
	});

	test('publishes what changed, and nothing twice', async () => {
		const file = fileOf('published');
		const created = await deployed(file, publish);
		expect(created).toMatchObject({ change: 'created', published: true, status: 'ENABLED' });
		context.clearRequests();
		const again = await deployed(file, publish);
		expect(again).toMatchObject({ change: 'unchanged', unpublishedChanges: false });
		expect(changesSent(context)).toEqual([]);
		const updated = await deployed(fileOf('published', 'Second'), publish);
		expect(updated).toMatchObject({ change: 'updated', unpublishedChanges: false, name: 'Second' });
		// What was imported without Publish is published by the next run.
		expect(await deployed(fileOf('draft'))).toMatchObject({ published: false });
		const now = await deployed(fileOf('draft'), publish);
		expect(now).toMatchObject({ change: 'unchanged', published: true, status: 'ENABLED' });
	});

	const disable = async (id: unknown) =>
		await record(ofRecord('flow.setStatus', id, { status: 'DISABLED' }));
	const wasDisabled = (name: string, id: unknown, isOld = false) =>
		`Flow "${name}" (${String(id)}) was disabled after it was published, by somebody or by Activepieces, and stays so${isOld ? '. The imported version is not published' : ''}. To publish and enable it, use Flow > Publish`;

	/** Requests that change a flow: the import, what is kept of it, the publication, and that it is enabled */
	const [, KEEPS, PUBLISHES, MARKS] = [0, 1, 2, 3].map((after) => ({
		...{ method: 'POST', path: /^\/v1\/flows\/\w{21}$/ },
		...{ after, times: 1 },
	}));
	/** What happens after the service has stored the published version, and before it has enabled the flow. */
	const CUTS: Array<[string, Service['worker']['hook'], FaultKind?]> = [
		['the server is killed', 'dies'],
		['the trigger is refused', 'fails'],
		['the server is killed and the connection closed', 'dies', { reset: 'beforeHeaders' }],
		['the server is killed and a proxy responds', 'dies', { status: 504, shape: 'html' }],
	];
	const mend = () => {
		context.service.worker.hook = 'works';
	};

	describe.each(CUTS)('when %s in a publication', (what, hook, kind) => {
		const cut = () => {
			context.service.worker.hook = hook;
			if (kind) context.fault({ ...PUBLISHES, done: true, kind });
		};
		afterEach(mend);

		test.each(['new', 'changed'])('the next run enables the %s flow', async (how) => {
			const name = `${how} when ${what}`;
			if (how === 'changed') await deployed(fileOf(name), publish);
			const file = fileOf(name, name, { text: 'now' });
			cut();
			const { description } = await context.failure(deploy(project(), publish), [file]);
			expect(description).not.toContain(
				'whether it was published. Its latest version is published',
			);
			const [stored] = named(name);
			expect(stored).toMatchObject({ status: 'DISABLED', publishedVersionId: stored.version.id });
			mend();
			const next = await context.run(deploy(project(), publish), [file]);
			expect(next.items[0].json).toMatchObject({ change: 'unchanged', status: 'ENABLED' });
			expect(next.hints).toEqual([]);
			context.clearRequests();
			await deployed(file, publish);
			expect(changesSent(context)).toEqual([]);
		});

		test.each([false, true])(
			'a later try enables the flow, also if nothing was kept before: %s',
			async (isLost) => {
				const name = `tried ${String(isLost)} when ${what}`;
				await deployed(fileOf(name), publish);
				cut();
				if (isLost) context.fault({ ...KEEPS, kind: { status: 500 } });
				context.fault({ ...MARKS, kind: { before: mend } });
				const given = { items: [fileOf(name, name, { text: 'now' })], settings: RETRY_ON_FAIL };
				const { items, error, hints } = await context.run(deploy(project(), publish), given);
				expect(error).toBeUndefined();
				expect(items[0].json).toMatchObject({ change: 'updated', status: 'ENABLED' });
				expect(hints).toEqual([]);
			},
		);
	});

	test('a flow that was disabled stays so, whether its file changes or not, and a hint says so', async () => {
		const { id } = await deployed(fileOf('off'), publish);
		await disable(id);
		const published = context.flow(id)!.publishedVersionId;
		for (const [name, isOld] of [
			['off', false],
			['Second', true],
			['Second', true],
		] as const) {
			const { items, hints } = await context.run(deploy(project(), publish), [fileOf('off', name)]);
			expect(items[0].json).toMatchObject({ id, name, status: 'DISABLED' });
			expect(hints).toEqual([wasDisabled(name, id, isOld)]);
			expect(context.flow(id)).toMatchObject({ publishedVersionId: published });
		}
		// Enabled again, it is published with its file.
		await record(ofRecord('flow.setStatus', id, { status: 'ENABLED' }));
		const on = { change: 'unchanged', status: 'ENABLED', unpublishedChanges: false };
		expect(await deployed(fileOf('off', 'Second'), publish)).toMatchObject(on);
		await disable(id);
		await deployed(fileOf('off', 'Third'));
		const last = await context.run(deploy(project(), publish), [fileOf('off', 'Third')]);
		expect(last.hints).toEqual([wasDisabled('Third', id, true)]);
	});

	test('a flow that the node has never published stays disabled if somebody had published it', async () => {
		const { id } = context.live.addFlow({ name: 'Of the app', published: true });
		const given = [fileOf('of-the-app', 'Of the app')];
		const { hints, items } = await context.run(deploy(project(), { ...byName, ...publish }), given);
		expect(items[0].json).toMatchObject({ id, change: 'updated', status: 'DISABLED' });
		expect(hints).toEqual([wasDisabled('Of the app', id, true)]);
	});

	test('a flow that was enabled, but is not known as that, is known by the next run', async () => {
		context.fault({ ...MARKS, kind: { status: 500 } });
		const { id } = await deployed(fileOf('unmarked'), publish);
		context.clearFaults();
		const { hints } = await context.run(deploy(project(), publish), [fileOf('unmarked')]);
		expect(hints).toEqual([]);
		await disable(id);
		expect(await deployed(fileOf('unmarked'), publish)).toMatchObject({ status: 'DISABLED' });
	});

	test('publishes no flow that lacks a connection or a piece, says which, and does so once they are there', async () => {
		const missing = { pieceName: '@activepieces/piece-none', pieceVersion: '1.0.0' };
		const flow = slackFlow('Lacking', { auth: "{{connections['later']}}" }, missing);
		const file = { externalId: 'lacking', flow };
		const expectLacks = async (what: string) => {
			const { message, description } = await context.failure(deploy(project(), publish), [file]);
			expect(message).toMatch(
				/^Flow "Lacking" \(\w{21}\) was imported, but not published, because something is missing$/,
			);
			expect(description).toBe(
				`It needs ${what}. Then publish the flow, for example with Flow > Publish.`,
			);
		};
		// Up to 0.79 an import makes a range of a version.
		const stored = `@activepieces/piece-none ${release === '0.79' ? '^' : ''}1.0.0`;
		const pieces = `pieces that this server does not have: ${stored}`;
		await expectLacks(
			`connections that its project does not have: later, and ${pieces}. Add what is missing, or map its connections in the option Connections`,
		);
		expect(named('Lacking')).toMatchObject([{ status: 'DISABLED', publishedVersionId: null }]);
		expect(await deployed(file)).toMatchObject({
			...{ change: 'unchanged', missingConnections: ['later'] },
			missingPieces: [stored],
		});
		context.live.addConnection({ externalId: 'later', projectId: project() });
		await expectLacks(`${pieces}. Add what is missing`);
		const there = slackFlow('Lacking', { auth: "{{connections['later']}}" });
		const given = await deployed({ ...file, flow: there }, publish);
		expect(given).toMatchObject({ published: true, missingConnections: [], missingPieces: [] });
	});

	test('says that a flow was imported that cannot be published', async () => {
		const file = fileOf('incomplete');
		(file.flow.trigger as { nextAction: IDataObject }).nextAction.valid = false;
		const advice = 'Complete the steps that Activepieces marks in its editor.';
		const descriptionOf = async (given: IDataObject) =>
			(await context.failure(deploy(project(), publish), [given])).description;
		expect(await descriptionOf(file)).toBe(`The flow was imported. ${advice}`);
		expect(await descriptionOf(file)).toBe(`${advice} Nothing was changed.`);
		failPublish();
		expect(await descriptionOf(fileOf('lost'))).toBe(
			'The flow was imported. Could not confirm whether it was published. Activepieces says: Internal Server Error. The cause is on the server. Check its log.',
		);
	});

	describe.each([
		['header', { headerName: 'X-Key' }, { headerValue: 'hush' }, 'Header Value'],
		['basic', {}, { username: 'ada', password: 'hush' }, 'Username and Password'],
		['hmac', { hmacHeaderName: 'X-Hmac' }, { hmacSecret: 'hush' }, 'Secret'],
	] as const)('a webhook whose file leaves out its secret (%s)', (type, left, secrets, labels) => {
		const fileWith = (authFields: IDataObject, name = `Guarded by ${type}`) => {
			const flow = slackFlow(name);
			const { nextAction } = flow.trigger as IDataObject;
			const trigger = { ...webhookTrigger(type, authFields), nextAction };
			return { ...fileOf(`guarded by ${type}`), flow: { ...flow, trigger } };
		};
		/** As the app stores it, with the form of the fields. */
		const enter = (id: unknown, fields: IDataObject) => {
			const { version } = context.flow(id)!;
			const settings = version.trigger.settings as Record<string, IDataObject>;
			const { input } = settings;
			input.authFields = { ...(input.authFields as IDataObject), ...fields };
			settings.propertySettings.authFields = { type: 'MANUAL', schema: {} };
			version.trigger.valid = true;
			version.valid = true;
		};
		const imports = async (file: IDataObject, how = publish) => {
			const { items, hints } = await context.run(deploy(project(), how), [file]);
			return [items[0].json, hints] as const;
		};

		test('is published once somebody has entered it, and keeps it', async () => {
			const file = fileWith(left);
			Object.assign(file.flow.trigger, { valid: false });
			const { description } = await context.failure(deploy(project(), publish), [file]);
			expect(description).toContain(
				`The flow was imported. The trigger "Catch Webhook" (trigger) has no ${labels}, which files of flows do not contain. Enter ${labels.includes('and') ? 'them' : 'it'} in Activepieces, and complete the other steps`,
			);
			const [{ id }] = named(`Guarded by ${type}`);
			enter(id, secrets);
			const [published, hints] = await imports(file);
			expect(published).toMatchObject({ change: 'unchanged', published: true });
			expect(hints).toEqual([]);
			context.clearRequests();
			await imports(file);
			expect(changesSent(context)).toEqual([]);
			// Another edit is told, and replaced; the secret stays.
			context.live.editFlow(String(id), 'Edited');
			const [replaced, told] = await imports(file);
			expect(replaced).toMatchObject({ change: 'updated', name: `Guarded by ${type}` });
			expect(told).toEqual([expect.stringContaining('had changes that were not published')]);
			expect(JSON.stringify(context.flow(id))).toContain('hush');
			expect((await imports(file))[0]).toMatchObject({ change: 'unchanged' });
		});

		test('is brought back to a secret that the file has', async () => {
			const file = fileWith({ ...left, ...secrets });
			const [{ id }] = await imports(file);
			context.live.editFlow(String(id), `Guarded by ${type}`);
			const other = Object.fromEntries(Object.keys(secrets).map((name) => [name, 'other']));
			enter(id, other);
			const [replaced, hints] = await imports(file);
			expect(replaced).toMatchObject({ change: 'updated' });
			expect(hints).toEqual([expect.stringContaining('had changes that were not published')]);
			expect(JSON.stringify(context.flow(id))).toContain('hush');
		});
	});

	test('names a piece whose version the server does not have, and null when it does not say', async () => {
		// Up to 0.79 an import makes a range of each version, and later ones a version of each range.
		const range = release === '0.79' ? '~' : '';
		const versions = ['0.12.1', '~0.12.0', '^0.12.0', '0.13.0', '~0.11.0'];
		const items = versions.map((pieceVersion, index) => ({
			externalId: `piece-${index}`,
			flow: slackFlow(`Piece ${index}`, {}, { ...SLACK, pieceVersion }),
		}));
		const given = await records(deploy(project()), items);
		expect(given.map(({ missingPieces }) => missingPieces)).toEqual([
			...[[], [], [], [`@activepieces/piece-slack ${range}0.13.0`]],
			[`@activepieces/piece-slack ${range}0.11.0`],
		]);
		const asked = requestPaths(context).filter((path) => path.includes('/v1/pieces/'));
		expect(asked).toHaveLength(release === '0.79' ? versions.length + 1 : 4);
		const { hints } = await context.run(deploy(project()), [items[3]]);
		expect(hints).toEqual([
			`Flow "Piece 3" (${given[3].id}) needs pieces that this server does not have: @activepieces/piece-slack ${range}0.13.0. Its runs fail until they are installed`,
		]);
		context.fault({ path: /^\/v1\/pieces\//, kind: { status: 500 } });
		const [unknown] = await records(deploy(project()), items);
		expect(unknown).toMatchObject({ change: 'unchanged', missingPieces: null });
	});

	test.each([
		['connections', '/v1/app-connections'],
		['pieces', /^\/v1\/pieces\//],
	])('publishes a flow whose %s cannot be checked, and says why', async (what, path) => {
		const name = `Unchecked ${what}`;
		const file = fileOf(name, name, { auth: "{{connections['somewhere']}}" });
		context.live.addConnection({ externalId: 'somewhere', projectId: project() });
		context.fault({ path, kind: { status: 403 } });
		const { items, hints } = await context.run(deploy(project(), publish), [file]);
		expect(items[0].json).toMatchObject({ change: 'created', published: true });
		const place = what === 'pieces' ? 'piece' : `project "${project()}"`;
		const hint = `The ${what} of the flow "${name}" could not be checked: The API key is not allowed to access the ${place}`;
		expect(hints).toEqual([hint]);
		// As Publish does
		const published = await context.run(ofRecord('flow.publish', items[0].json.id));
		expect(published.hints).toEqual(what === 'connections' ? [hint] : []);
	});

	test.each<[string, (file: IDataObject) => unknown, (id: unknown) => INodeParameters]>([
		['published', async (file) => (await deployed(file, publish)).id, () => deploy(project())],
		['never published', async (file) => (await deployed(file)).id, () => deploy(project())],
		[
			'of a flow that the node did not create',
			() => context.live.addFlow({ enabled: true }).id,
			(id) => ofRecord('flow.import', id, { mode: 'replace', content: '={{ $json }}' }),
		],
	])('a draft that somebody has changed since is replaced with a word: %s', async (...row) => {
		const [what, made, replaced] = row;
		const id = await made(fileOf(what));
		const hintsOf = async (name: string) =>
			(await context.run(replaced(id), [fileOf(what, name)])).hints;
		// The draft of the import itself was not edited.
		expect(await hintsOf('Second')).toEqual([]);
		expect(await hintsOf('Third')).toEqual([]);
		context.live.editFlow(String(id), 'By hand');
		expect(await hintsOf('Fourth')).toEqual([hadChanges(id)]);
	});

	test('hints of one kind are counted without those of other kinds', async () => {
		const names = Array.from({ length: 10 }, (_, index) => `kind-${index}`);
		const none = { pieceName: '@activepieces/piece-nobody', pieceVersion: '1.0.0' };
		const fileWith = (name: string, index: number) => ({
			...fileOf(name),
			flow: slackFlow(`${name} again`, { text: 'hi' }, index < 4 ? undefined : none),
		});
		const files = names.map((name) => fileOf(name));
		const made = await context.records(deploy(project()), files);
		for (const { id } of made.slice(0, 4)) context.live.editFlow(String(id), 'By hand');
		const { hints } = await context.run(deploy(project()), names.map(fileWith));
		expect(hints).toEqual([
			expect.stringMatching(/^6 flows need pieces that this server does not have/),
			`${hadChanges(made[0].id)}. The same applies to 3 more input items.`,
		]);
	});

	test('many hints of one kind hide none of another', async () => {
		const names = Array.from({ length: 4 }, (_, index) => `hidden-${index}`);
		const files = names.map((name) => fileOf(name));
		const made = await context.records(deploy(project()), files);
		for (const { id } of made) context.live.editFlow(String(id), 'By hand');
		context.fault({ path: /^\/v1\/pieces/, kind: { status: 403, code: 'ANY' } });
		const again = names.map((name) => fileOf(name, `${name} again`));
		const { hints } = await context.run(deploy(project()), again);
		expect(hints).toEqual(
			[/^The draft of .+ had changes that were not published/, /^The pieces of .+ be checked/].map(
				(text) =>
					expect.stringMatching(RegExp(`${text.source}.+ 3 more input items\\.$`)) as string,
			),
		);
	});

	test('a later try says what an earlier one has replaced', async () => {
		const { id } = await deployed(fileOf('tried-hint'), publish);
		context.live.editFlow(String(id), 'By hand');
		// The file is imported, and then not published.
		failPublish();
		const given = { items: [fileOf('tried-hint', 'Second')], settings: RETRY_ON_FAIL };
		const { items, hints } = await context.run(deploy(project(), publish), given);
		expect(items[0].json).toMatchObject({ id, change: 'updated', unpublishedChanges: false });
		expect(hints).toEqual([hadChanges(id)]);
	});

	test.each(['upsert', 'create'])(
		'a flow that an earlier try has created is a created one, as it is published: %s',
		async (mode) => {
			const name = `Tried ${mode}`;
			failPublish();
			const given = { items: [fileOf(name)], settings: RETRY_ON_FAIL };
			const [made] = await records(deploy(project(), { ...publish, mode }), given);
			expect(made).toMatchObject({ change: 'created', published: true, status: 'ENABLED' });
			expect(named(name)).toHaveLength(1);
		},
	);

	test('a new flow of an earlier try is not that of a file which an expression then gives', async () => {
		const item = fileOf('tried-other');
		failPublish(() => Object.assign(item, fileOf('tried-other', 'tried-other', { text: 'later' })));
		const given = { items: [item], settings: RETRY_ON_FAIL };
		const { error } = await context.run(deploy(project(), { ...publish, mode: 'create' }), given);
		expect(error?.message).toBe('Could not confirm whether the flow "tried-other" was imported');
		expect(error?.description).toContain('an expression now gives other values');
		expect(named('tried-other')).toHaveLength(1);
	});

	test('a flow with only a trigger, in an older format, is imported after a lost create', async () => {
		const name = 'Only a trigger';
		context.fault({ ...LOST[0][1], times: 1, done: true, kind: { reset: 'beforeHeaders' } });
		const flow = { ...slackFlow(name), trigger: webhookTrigger(), schemaVersion: '1' };
		const made = await deployed({ ...fileOf('only-trigger', name), flow });
		expect(made).toMatchObject({ change: 'created' });
		expect(context.flow(made.id)!.version.trigger).toMatchObject({ type: 'PIECE_TRIGGER' });
	});

	test('a later try does not take what an earlier one imported for changes of somebody', async () => {
		const { id } = await deployed(fileOf('tried-own'), publish);
		const isImport = { method: 'POST', path: `/v1/flows/${String(id)}`, times: 1, done: true };
		context.fault({ ...isImport, kind: { reset: 'beforeHeaders' } });
		const given = { items: [fileOf('tried-own', 'Second')], settings: RETRY_ON_FAIL };
		const { items, hints } = await context.run(deploy(project(), publish), given);
		expect(items[0].json).toMatchObject({ id, change: 'updated', unpublishedChanges: false });
		expect(hints).toEqual([]);
	});

	/** Loses what shows that a file was imported: the response, and reads after it. */
	const loseImport = (reads: { after: number; times: number }) => {
		tryOnce();
		limits.cleanUp.maxAttempts = 1;
		const flow = /^\/v1\/flows\/\w+$/;
		const kind: FaultKind = { reset: 'beforeHeaders' };
		context.fault({ method: 'POST', path: flow, times: 1, done: true, kind });
		context.fault({ method: 'GET', path: flow, ...reads, kind });
	};
	/** A file in the server's own format, which it does not convert. */
	const unconverted = (name: string, input?: IDataObject) => {
		const { schemaVersion } = context.data.flows[0].version;
		const file = fileOf(name, name, input);
		return { ...file, flow: { ...file.flow, schemaVersion } };
	};

	test('a flow that could not be removed after a lost import is a created one in a later try', async () => {
		loseImport({ after: 0, times: 2 });
		context.fault({ method: 'DELETE', times: 1, kind: { reset: 'beforeHeaders' } });
		const given = { items: [fileOf('tried-left')], settings: RETRY_ON_FAIL };
		const [made] = await records(deploy(project()), given);
		expect(made).toMatchObject({ change: 'created' });
		expect(named('tried-left')).toHaveLength(1);
	});

	test.each([
		['in a later try', RETRY_ON_FAIL],
		['in the next run', undefined],
	])('what a lost import stored is not taken for changes of somebody: found %s', async (...row) => {
		const [when, settings] = row;
		const name = `Lost ${when}`;
		const { id } = await deployed(unconverted(name));
		loseImport({ after: 1, times: 1 });
		const second = unconverted(name, { text: 'second' });
		const { error } = await context.run(deploy(project()), { items: [second], settings });
		context.clearFaults();
		if (settings === undefined) {
			expect(error).toBeDefined();
			// 0.79 has made ranges of the versions of pieces.
			const change = release === '0.79' ? 'updated' : 'unchanged';
			const again = await context.run(deploy(project()), [second]);
			expect(again.items[0].json).toMatchObject({ id, change });
			expect(again.hints).toEqual([]);
		}
		const third = unconverted(name, { text: 'third' });
		const { items, hints } = await context.run(deploy(project()), [third]);
		expect(items[0].json).toMatchObject({ id, change: 'updated' });
		expect(hints).toEqual([]);
	});

	test('what a lost import stored in a flow made by hand is not taken for changes, either', async () => {
		const { id } = context.live.addFlow({ name: 'Made by hand' });
		const replaced = ofRecord('flow.import', id, { mode: 'replace', content: '={{ $json }}' });
		loseImport({ after: 1, times: 1 });
		const second = unconverted('Made by hand', { text: 'second' });
		const given = { items: [second], settings: RETRY_ON_FAIL };
		expect((await records(replaced, given))[0]).toMatchObject({ id, change: 'updated' });
		context.clearFaults();
		const third = unconverted('Made by hand', { text: 'third' });
		const { items, hints } = await context.run(replaced, [third]);
		expect(items[0].json).toMatchObject({ id, change: 'updated' });
		expect(hints).toEqual([]);
	});

	test.each([
		['does not arrive', {}],
		['is answered, but the response is lost', { done: true }],
	])('what is kept of an import is kept also if its request %s once', async (what, lost) => {
		tryOnce();
		const name = `Kept, although it ${what}`;
		const { id } = await deployed(fileOf(name));
		const kept = { method: 'POST', path: `/v1/flows/${String(id)}`, after: 1, times: 1, ...lost };
		context.fault({ ...kept, kind: { reset: 'beforeHeaders' } });
		const second = fileOf(name, name, { text: 'second' });
		expect(await deployed(second, publish)).toMatchObject({ id, change: 'updated' });
		const { items, hints } = await context.run(deploy(project(), publish), [second]);
		expect(items[0].json).toMatchObject({ id, change: 'unchanged', published: true });
		expect(hints).toEqual([]);
	});

	/** What a newer release makes of a flow when it reads it. */
	const upgrade = (id: unknown) =>
		migrate(context.data, context.flow(id)!, { ...TRAITS['0.92'], schemaVersion: '99' });

	const BOTH = [{}, publish];
	test.each(BOTH)(
		'a draft that only a newer release has changed is left as it is: %j',
		async (how) => {
			const name = `Upgraded ${JSON.stringify(how)}`;
			const flow = slackFlow(name, {}, { ...SLACK, pieceVersion: '~0.12.0' });
			const file = { ...fileOf(name), flow };
			const { id } = await deployed(file, how);
			upgrade(id);
			const { items, hints } = await context.run(deploy(project(), how), [file]);
			expect(items[0].json).toMatchObject({ id, change: 'unchanged' });
			expect(hints).toEqual([]);
			context.clearRequests();
			expect(await deployed(file, how)).toMatchObject({ change: 'unchanged' });
			expect(changesSent(context)).toEqual([]);
			context.live.editFlow(String(id), 'By hand');
			expect(await deployed(file)).toMatchObject({ id, change: 'updated', name });
		},
	);

	test.each([
		[{ updatedBy: 'somebody' }, ['may have had changes that were not published']],
		[{ displayName: 'Test' }, []],
	])('a draft edited before a newer release changed it is replaced: %j', async (edit, says) => {
		const what = `Edited ${Object.keys(edit).join()}`;
		const { id } = await deployed(fileOf(what));
		// Up to 0.79 a flow is in use for a minute after an edit.
		Object.assign(context.flow(id)!.version, edit, { updated: '2026-01-01T00:00:00.000Z' });
		upgrade(id);
		const { items, hints } = await context.run(deploy(project()), [fileOf(what)]);
		expect(items[0].json).toMatchObject({ id, change: 'updated', name: what });
		expect(hints).toEqual(
			says.map((word) => `The draft of flow "${what}" (${id}) ${word}. The import replaced them`),
		);
	});

	test('an unchanged flow that is published stays so when a connection is gone', async () => {
		context.live.addConnection({ externalId: 'gone', projectId: project() });
		const file = fileOf('gone', 'Gone', { auth: "{{connections['gone']}}" });
		const { id } = await deployed(file, publish);
		context.data.projectConnections = context.data.projectConnections.filter(
			({ externalId }) => externalId !== 'gone',
		);
		context.clearRequests();
		const { items, hints } = await context.run(deploy(project(), publish), [file]);
		expect(items[0].json).toMatchObject({
			...{ id, change: 'unchanged', published: true },
			missingConnections: ['gone'],
		});
		expect(hints).toEqual([
			`Flow "Gone" (${id}) needs connections that its project does not have: gone. Its runs fail until you create connections with these external IDs, or choose others in its steps`,
		]);
		expect(changesSent(context)).toEqual([]);
	});

	test('uses other connections in place of those of the file, however the flow refers to them', async () => {
		for (const externalId of ['shop', 'crm here']) {
			context.live.addConnection({ externalId, projectId: project() });
		}
		const input = {
			auth: "{{connections['shop-test']}}",
			two: `{{connections["crm"]}} and {{ connections[ 'shop-test' ].key }}`,
			old: '{{connections.crm}} {{connections.crm-2.key}}',
			both: "{{connections['shop-test','crm']}}",
			nested: [{ deep: "{{connections['crm']}}" }],
			text: "connections['crm'] is no reference",
		};
		const file = { externalId: 'mapping', flow: slackFlow('Mapping', input) };
		const pairs = mapped({ from: 'shop-test', to: 'shop' }, { from: 'crm', to: 'crm here' });
		const given = await deployed(file, pairs);
		expect(given).toMatchObject({ missingConnections: ['crm-2'] });
		const { trigger } = context.flow(given.id)!.version;
		expect(
			(trigger as { nextAction: { settings: IDataObject } }).nextAction.settings.input,
		).toEqual({
			auth: "{{connections['shop']}}",
			two: `{{connections["crm here"]}} and {{ connections['shop' ].key }}`,
			old: "{{connections['crm here']}} {{connections.crm-2.key}}",
			both: "{{connections['shop','crm here']}}",
			nested: [{ deep: "{{connections['crm here']}}" }],
			text: "connections['crm'] is no reference",
		});
		context.clearRequests();
		expect((await deployed(file, pairs)).change).toBe('unchanged');
		expect(changesSent(context)).toEqual([]);
	});

	test('leaves a field named connections in the output of a step as it is', async () => {
		const name = '{{trigger.body.connections.crm}}';
		const text = "{{trigger.body.connections['crm'].id}} {{connections['crm']}}";
		const file = fileOf('field', 'Field', { name, text });
		const pairs = mapped({ from: 'crm', to: 'other' });
		const { id, missingConnections } = await deployed(file, pairs);
		expect(missingConnections).toEqual(['other']);
		const steps = JSON.stringify(context.flow(id)!.version.trigger);
		expect(steps.match(/connections.{7}/g)).toEqual([
			...['connections.crm}}"', "connections['crm']", "connections['other"],
		]);
	});

	test('swaps connections, leaves code as it is, and names one that the project lacks', async () => {
		const code = { code: "'{{connections.a}}'", packageJson: '{}' };
		const settings = { sourceCode: code, input: { a: "{{connections['a']}}{{connections['b']}}" } };
		const file = { externalId: 'swap', flow: flowFile('Swap', { type: 'CODE', settings }) };
		const swap = mapped({ from: 'a', to: 'b' }, { from: 'b', to: 'a' }, { from: 'x', to: 'y' });
		const { id, missingConnections } = await deployed(file, swap);
		expect(missingConnections).toEqual(['a', 'b']);
		const text = JSON.stringify(context.flow(id)!.version.trigger);
		expect(text).toContain("{{connections['b']}}{{connections['a']}}");
		expect(text).toContain("'{{connections.a}}'");
		const twice = mapped({ from: 'a', to: 'b' }, { from: 'b', to: 'a' }, { from: ' a', to: 'c' });
		const half = mapped({ from: 'a', to: ' ' });
		for (const [pairs, message, advice] of [
			[twice, /^The option Connections has "a" twice in In the File$/, 'Keep one of the two. '],
			[half, /^Connections > In the Project is empty$/, 'Choose a connection, or remove the row. '],
		] as const) {
			const says = [advice, /Nothing was sent\.$/];
			await context.failsWith(deploy(project(), pairs), message, says, [file]);
		}
	});

	const LOST: Array<[string, Omit<Parameters<TestContext['fault']>[0], 'kind'>]> = [
		['create', { method: 'POST', path: '/v1/flows' }],
		['import', { method: 'POST', path: /^\/v1\/flows\/\w+$/ }],
	];
	test.each(LOST)('makes one flow when the response to the %s is lost', async (what, fault) => {
		const name = `Lost ${what}`;
		context.fault({ ...fault, times: 1, done: true, kind: { reset: 'beforeHeaders' } });
		const given = { items: [fileOf(`lost-${what}`, name)], settings: RETRY_ON_FAIL };
		const { items, error } = await context.run(deploy(project(), publish), given);
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ name, published: true });
		expect(named(name)).toHaveLength(1);
	});

	test.each(['lost', 'never arrives'])('a create that is %s needs nobody', async (what) => {
		const isLost = what === 'lost';
		const fault = { method: 'POST', path: '/v1/flows', times: 1, done: isLost };
		context.fault({ ...fault, kind: { reset: 'beforeHeaders' } });
		const file = fileOf(`create ${what}`);
		const { items, error } = await context.run(deploy(project(), publish), [file]);
		if (isLost) {
			expect(items[0].json).toMatchObject({ change: 'created', status: 'ENABLED' });
		} else {
			const note = 'If the flow was created, the next run finds it and imports the file.';
			expect(error?.description).toMatch(new RegExp(`${note}$`));
			const tried = { items: [fileOf('tried never')], settings: RETRY_ON_FAIL };
			context.fault({ ...fault, kind: { reset: 'beforeHeaders' } });
			const later = await context.run(deploy(project(), publish), tried);
			expect(later.error?.message).toMatch(/^Could not confirm whether the flow /);
			expect(later.error?.description).not.toContain('the next run finds it');
		}
		const next = { change: isLost ? 'unchanged' : 'created', status: 'ENABLED' };
		expect(await deployed(file, publish)).toMatchObject(next);
		expect(named(file.name)).toHaveLength(1);
	});

	test('a flow whose create was lost is known to the later files of the run', async () => {
		const fault = { method: 'POST', path: '/v1/flows', times: 1, done: true };
		context.fault({ ...fault, kind: { reset: 'beforeHeaders' } });
		const caller = { ...fileOf('caller'), flow: { ...calling('called'), displayName: 'caller' } };
		const files = [fileOf('called'), caller, fileOf('called', 'Called again')];
		const options = { onError: 'continueRegularOutput' as const };
		const { items } = await context.run(deploy(project(), publish), { items: files, ...options });
		const [called, second, twice] = items.map(({ json }) => json);
		expect(called).toMatchObject({ change: 'created', status: 'ENABLED' });
		expect(second).toMatchObject({ change: 'created', status: 'ENABLED', missingFlows: [] });
		expect(twice.error).toMatch(/ is of the same flow as that of /);
		expect([...named('called'), ...named('Called again')]).toHaveLength(1);
	});

	test('an empty flow that an earlier run has left is a created one', async () => {
		context.fault({ ...LOST[1][1], kind: { status: 500 } });
		context.fault({ method: 'DELETE', kind: { status: 500 } });
		await context.failure(deploy(project()), [fileOf('left')]);
		expect(named('left')).toMatchObject([{ version: { trigger: { type: 'EMPTY' } } }]);
		context.clearFaults();
		expect(await deployed(fileOf('left'))).toMatchObject({ change: 'created' });
		expect(named('left')).toHaveLength(1);
	});

	test('a failing import does not remove its new flow that somebody has published', async () => {
		const before = () => {
			const [flow] = named('Published meanwhile');
			context.live.editFlow(flow.id, 'By hand');
			Object.assign(context.flow(flow.id)!, { publishedVersionId: flow.version.id });
		};
		context.fault({ ...LOST[1][1], times: 1, kind: { before, status: 400 } });
		const { description } = await context.failure(deploy(project()), [
			fileOf('published-meanwhile', 'Published meanwhile'),
		]);
		expect(description).toMatch(
			/ The new flow "Published meanwhile" \(\w{21}\) was not removed, because somebody has published it\.$/,
		);
		expect(named('By hand').some(({ metadata }) => metadata !== null)).toBe(true);
	});

	const FAULTS = {
		'lost on its way back': { done: true, kind: { reset: 'beforeHeaders' } },
		'lost on its way': { kind: { reset: 'beforeHeaders' } },
		'refused by a proxy': { kind: { status: 403, html: true } },
	} as const;
	test.each(Object.keys(FAULTS) as Array<keyof typeof FAULTS>)(
		'whichever request is %s, the next run has one flow of the file, published',
		async (fault) => {
			let failedRuns = 0;
			for (let after = 0; ; after++) {
				const id = `${fault} ${after}`.replaceAll(' ', '-');
				if (after % 2 === 0) await deployed(fileOf(id), publish);
				const items = [fileOf(id, id, { text: 'now' })];
				context.clearRequests();
				context.fault({ after, times: 1, ...FAULTS[fault] });
				const settings = after % 3 === 0 ? RETRY_ON_FAIL : {};
				const { error } = await context.run(deploy(project(), publish), { items, settings });
				if (error !== undefined) failedRuns++;
				const sent = context.service.requests.length;
				context.service.clearFaults();
				await deployed(items[0], publish);
				expect(named(id)).toHaveLength(1);
				const inStep = { change: 'unchanged', status: 'ENABLED', unpublishedChanges: false };
				expect(await deployed(items[0], publish)).toMatchObject(inStep);
				if (after >= sent) break;
			}
			expect(failedRuns).toBeGreaterThan(0);
		},
	);

	if (release !== '0.79') {
		// Only later releases refuse a second flow with the external ID.
		test('two runs at once make one flow', async () => {
			holdUntilInFlight(context, 2, '/v1/flows');
			const run = async () => await context.run(deploy(project()), [fileOf('at-once')]);
			const runs = await Promise.all([run(), run()]);
			for (const { error } of runs) expect(error).toBeUndefined();
			expect(named('at-once')).toHaveLength(1);
		});
	}

	test('a flow that is being deleted does not count, but may still have the external ID', async () => {
		const { id } = await deployed(fileOf('deleted'));
		context.flow(id)!.operationStatus = 'DELETING';
		const { items, error } = await context.run(deploy(project()), [fileOf('deleted')]);
		// Only releases that take an external ID refuse a second flow with it.
		if (release === '0.79') expect(items[0].json).toMatchObject({ change: 'created' });
		else {
			expect(error?.message).toBe('Another flow has the external ID "deleted" already');
			expect(error?.description).toBe(
				'It was created a moment ago, or is being deleted. Run the node again in a moment. Nothing was changed.',
			);
		}
	});
});
