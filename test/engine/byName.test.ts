import type { INodeParameters } from 'n8n-workflow';

import { FIRST_AND_LAST } from '../service';
import { agentTool } from './harness/agentTool';
import { limits } from './harness/built';
import { byExternalId, byId, byName, byUrl, ids, sortedIds } from './harness/byId';
import { slackFlow } from './harness/flowFile';
import { queriesOf } from './harness/locators';
import { parametersOf, RETRY_ON_FAIL } from './harness/parameters';
import { changesSent, requestPaths, useService } from './harness/service';

const getFlow = (flowId: INodeParameters) => parametersOf('flow.get', { flowId });
const listFlows = (projectId: INodeParameters, filters: INodeParameters = {}) =>
	parametersOf('flow.getAll', { projectId, filters, returnAll: true });

describe.each(FIRST_AND_LAST)('records by name, on release %s', (release) => {
	const context = useService({
		release,
		data: { projects: 3, flows: 9, foldersPerProject: 2, tablesPerProject: 2 },
	});
	const { record, records, failsWith, refuses } = context;

	test('a flow is found in any letter case and with other blanks, in all projects', async () => {
		const { id } = context.live.addFlow({ name: 'Send  Überweisung' });
		for (const name of ['Send Überweisung', ' send überweisung ', '={{ "SEND ÜBERWEISUNG" }}']) {
			expect(await record(getFlow(byName(name)))).toMatchObject({ id });
		}
		const once = new Set(requestPaths(context));
		expect([...once]).toEqual(['GET /v1/projects', 'GET /v1/flows', `GET /v1/flows/${id}`]);
	});

	test('the lists are read once for all items of a run', async () => {
		const flows = context.data.flows.slice(0, 6);
		const names = flows.map(({ version }) => ({ name: version.displayName }));
		const found = await records(getFlow(byName('={{ $json.name }}')), names);
		expect(ids(found)).toEqual(ids(flows));
		const lists = requestPaths(context).filter((path) => path === 'GET /v1/flows');
		expect(lists).toHaveLength(context.data.projects.length);
	});

	test('an ID costs no other request', async () => {
		const [{ id }] = context.data.flows;
		await record(getFlow(byId(id)));
		expect(requestPaths(context)).toEqual([`GET /v1/flows/${id}`]);
	});

	test('none and several of a name are refused, with IDs and projects', async () => {
		const [one, other] = context.data.projects;
		await failsWith(
			getFlow(byName('No such flow')),
			'No flow has the name "No such flow"',
			'Check Flow.',
		);
		const twins = [one, other].map(({ id }) =>
			context.live.addFlow({ name: 'Twin', projectId: id }),
		);
		const error = await failsWith(getFlow(byName('twin')), '2 flows have the name "twin"');
		for (const [index, { id, displayName }] of [one, other].entries()) {
			expect(error.description).toContain(`${twins[index].id} in "${displayName}" (${id})`);
		}
		expect(error.description).toMatch(/^Their IDs are .+ Set Flow to one of these IDs\./);
		expect(changesSent(context)).toEqual([]);
	});

	test('a project by its name serves each customer, and a folder by its name is one of it', async () => {
		const [, { id, displayName }] = context.data.projects;
		const own = context.data.flows.filter(({ projectId }) => projectId === id);
		const project = byName(displayName.toUpperCase());
		expect(sortedIds(await records(listFlows(project)))).toEqual(sortedIds(own));
		const folder = context.data.folders.find(({ projectId }) => projectId === id)!;
		context.clearRequests();
		const inFolder = own.filter(({ folderId }) => folderId === folder.id);
		const filters = { folderId: byName(folder.displayName) };
		expect(sortedIds(await records(listFlows(project, filters)))).toEqual(sortedIds(inFolder));
		expect(queriesOf(context, '/v1/folders').map(({ projectId }) => projectId)).toEqual([id]);
		await records(listFlows(project, { folderId: byName('no folder') }));
		expect(queriesOf(context, '/v1/flows').at(-1)?.folderId).toBe('NULL');
		const message = 'No folder in the project has the name "Nowhere"';
		await failsWith(listFlows(project, { folderId: byName('Nowhere') }), message);
	});

	test('a folder by its name among Update Fields', async () => {
		const { id, projectId } = context.live.addFlow({ name: 'To be moved' });
		const name = 'Only there';
		const folder = context.data.folders.find((each) => each.projectId === projectId)!;
		folder.displayName = name;
		const updateFields = { folderId: byName(name) };
		await record(parametersOf('flow.update', { flowId: byName('To be moved'), updateFields }));
		expect(context.flow(id)?.folderId).toBe(folder.id);
	});

	test('a field without a name is read as before', async () => {
		const empty = 'Flow is empty';
		await refuses(getFlow(byName('={{ $json.missing }}')), empty, 'it returns no value');
		await refuses(
			listFlows(byName('={{ $json.missing }}')),
			'The expression in Project returns no value',
		);
		expect(await records(listFlows(byName('')))).toHaveLength(context.data.flows.length);
	});

	test('a later try of Retry On Fail changes the record of the first one, which has another name by then', async () => {
		const { id } = context.live.addFlow({ name: 'Once' });
		const kind = { reset: 'beforeHeaders' } as const;
		context.fault({ path: `/v1/flows/${id}`, after: 1, times: 1, done: true, kind });
		const rename = { flowId: byName('Once'), updateFields: { displayName: 'Twice' } };
		const given = { settings: RETRY_ON_FAIL };
		const renamed = await records(parametersOf('flow.update', rename), given);
		expect(renamed).toMatchObject([{ id, name: 'Twice' }]);
		expect(changesSent(context)).toHaveLength(1);
	});
});

describe('in the editor and for a model', () => {
	const context = useService({ data: { projects: 2, flows: 6, tablesPerProject: 1 } });
	const { record } = context;

	test('the columns are those of the table with the name, in the chosen project', async () => {
		const { credential, engine, data } = context;
		const [table, other] = data.tables;
		other.name = table.name;
		const fields = (projectId: INodeParameters) => ({
			credential,
			parameters: parametersOf('tableRecord.create', { projectId, tableId: byName(table.name) }),
		});
		const { displayName } = data.projects.find(({ id }) => id === table.projectId)!;
		const shown = await engine.mapColumns('getTableColumns', fields(byName(displayName)));
		expect(shown.fields.length).toBeGreaterThan(0);
		const { length } = data.tables.filter(({ name }) => name === table.name);
		const several = `${length} tables have the name "${table.name}"`;
		// An expression may have no value in the editor.
		for (const empty of ['', '={{ $json.missing }}']) {
			const inAll = engine.mapColumns('getTableColumns', fields(byName(empty)));
			await expect(inAll).rejects.toThrow(several);
		}
	});

	test('a list follows the project in each of its modes, and names the one that it does not know', async () => {
		const { tables, folders, projects } = context.data;
		const [{ id, displayName }] = projects;
		projects[0].externalId = 'customer-1';
		const page = byUrl(`${context.origin}/projects/${id}`);
		const given = [byId(id), byName(displayName), byExternalId('customer-1'), page];
		for (const projectId of given) {
			const parameters = parametersOf('tableRecord.getAll', { projectId });
			const own = (records: typeof tables | typeof folders) =>
				sortedIds(records.filter((each) => each.projectId === id));
			const { results } = await context.search('searchTables', { parameters });
			expect(results.map(({ value }) => value).sort()).toEqual(own(tables));
			const found = await context.search('searchFoldersOrNone', { parameters });
			expect(found.results.map(({ value }) => value).sort()).toEqual(
				['NULL', ...own(folders)].sort(),
			);
		}
		const parameters = parametersOf('table.clear', { projectId: byName('Marketting') });
		const search = context.search('searchTables', { parameters });
		await expect(search).rejects.toThrow('No project has the name "Marketting"');
	});

	test('a model gives a name by an expression, and one in By ID is refused', async () => {
		const [{ id, version }] = context.data.flows;
		const [asTool, items] = [true, [{ flow: version.displayName }]];
		const named = getFlow(byName('={{ $json.flow }}'));
		expect(await record(named, { asTool, items })).toMatchObject({ id });
		const withName = getFlow(byId('={{ $json.flow }}'));
		const { message } = await context.failure(withName, { asTool, items });
		expect(message).toContain(`must be an Activepieces ID, not "${version.displayName}"`);
	});
});

describe('records by external ID', () => {
	const context = useService({ data: { projects: 2, connectionsPerProject: 2 } });
	const { record, records, failsWith } = context;

	test('a flow also by the one of the file that it was imported from', async () => {
		const [{ id, externalId }, kept] = context.data.flows;
		kept.metadata = { n8nImport: { externalId: 'of-the-file' } };
		expect(await record(getFlow(byExternalId(externalId)))).toMatchObject({ id });
		expect(await record(getFlow(byExternalId('of-the-file')))).toMatchObject({ id: kept.id });
		await failsWith(
			getFlow(byExternalId('OF-the-file')),
			'No flow has the external ID "OF-the-file"',
		);
	});

	test('a global connection', async () => {
		const [{ id, externalId }] = context.data.connections;
		const changed = await record(
			parametersOf('globalConnection.update', {
				globalConnectionId: byExternalId(externalId),
				updateFields: { displayName: 'Renamed' },
			}),
		);
		expect(changed).toMatchObject({ id, name: 'Renamed' });
	});

	test('a project', async () => {
		const [project] = context.data.projects;
		project.externalId = 'customer-1';
		const found = await records(listFlows(byExternalId('customer-1')));
		expect(new Set(found.map(({ projectId }) => projectId))).toEqual(new Set([project.id]));
	});

	test('a connection, as Create or Update takes it: each project has its own', async () => {
		const [connection] = context.data.projectConnections;
		const { externalId, projectIds } = connection;
		const change = (more: INodeParameters = {}) =>
			parametersOf('connection.update', {
				connectionId: byExternalId(externalId),
				updateFields: { displayName: 'Renamed' },
				...more,
			});
		await failsWith(change(), `2 connections have the external ID "${externalId}"`, connection.id);
		expect(changesSent(context)).toEqual([]);
		const ofProject = { projectId: byId(projectIds[0]) };
		const changed = await record(change(ofProject));
		expect(changed).toMatchObject({ id: connection.id, name: 'Renamed' });
		const options = { evenIfUsed: true };
		const remove = { ...change(ofProject), operation: 'delete', options };
		expect(await records(remove)).toEqual([{ deleted: true }]);
		expect(ids(context.data.projectConnections)).not.toContain(connection.id);
	});
});

describe('the project, then its record', () => {
	const context = useService({
		data: {
			projects: 3,
			flows: 9,
			foldersPerProject: 2,
			tablesPerProject: 2,
			recordsPerTable: 3,
			connectionsPerProject: 2,
			variablesPerProject: 2,
		},
	});
	const { record, records, failsWith } = context;
	const missing = '={{ $json.missing }}';
	const conditions = { condition: [{ column: 'id', operator: 'exists' }] };
	const ofTable = ['clear', 'delete'].map((operation) => `table.${operation}`);
	const ofRows = [
		'getAll',
		'get',
		'create',
		'update',
		'upsert',
		'delete',
		'updateMany',
		'deleteMany',
	];
	const pairs = [...ofTable, ...ofRows.map((operation) => `tableRecord.${operation}`)];
	const onTable = (pair: string, projectId: INodeParameters, tableId: INodeParameters) => {
		const [{ id }] = context.data.tableRows;
		const columns = { mappingMode: 'defineBelow', value: { Name: 'x' }, matchingColumns: ['Name'] };
		return parametersOf(pair, { projectId, tableId, recordId: id, columns, conditions });
	};

	test.each(pairs)('%s: an expression without a project is no project', async (pair) => {
		const [{ id, name }] = context.data.tables;
		for (const empty of [byName(missing), byId(missing), byExternalId(missing)]) {
			for (const table of [byName(name), byId(id)]) {
				for (const asTool of [false, true]) {
					const failure = await context.failure(onTable(pair, empty, table), { asTool });
					const told = `${failure.message} ${failure.description}`;
					expect(told).toContain('The expression in Project returns no value');
					// It would be refused as well.
					expect(told).not.toContain('empty string');
				}
			}
		}
		expect(context.requests).toEqual([]);
	});

	test.each(['flow.create', 'flow.import'])(
		'%s: what an empty project means beside a folder',
		async (pair) => {
			const folderId = byName(context.data.folders[0].displayName);
			const content = JSON.stringify(slackFlow('New'));
			const parameters = { projectId: byId(missing), folderId, displayName: 'New', content };
			const { message, description } = await context.failure(parametersOf(pair, parameters));
			expect(message).toBe('The expression in Project returns no value');
			expect(description).toContain('To mean "the only project", leave Project empty');
		},
	);

	test('what an empty project means beside a flow to replace', async () => {
		const mode = { mode: 'replace', content: JSON.stringify(slackFlow('New')) };
		const flowId = byName(context.data.flows[0].version.displayName);
		const parameters = { projectId: byId(missing), flowId, ...mode };
		const { description } = await context.failure(parametersOf('flow.import', parameters));
		expect(description).toMatch(/To mean "all", leave Project empty\. /);
	});

	test('an empty text from a model is no project, and leaves it empty', async () => {
		const [table] = context.data.tables;
		table.name = 'Only one';
		const project = byId("={{ $fromAI('project', 'A project', 'string', '') }}");
		const parameters = onTable('table.clear', project, byName(table.name));
		const call = agentTool(context.engine, context.credential, parameters, {});
		expect(JSON.parse(await call({ project: '' }))).toEqual([{ cleared: true }]);
	});

	test.each(pairs)('%s: a customer missing in an item is no project', async (pair) => {
		const [{ id, name }] = context.data.tables;
		const items = [{ customer: '' }];
		for (const project of [byName, byId, byExternalId]) {
			for (const table of [byName(name), byId(id)]) {
				const given = onTable(pair, project('={{ $json.customer }}'), table);
				const { message } = await context.failure(given, { items });
				expect(message).toContain('The expression in Project returns an empty text');
			}
		}
		expect(context.requests).toEqual([]);
	});

	test.each(pairs)('%s: a table of another project is refused', async (pair) => {
		const { tables, projects } = context.data;
		const [table] = tables;
		const other = projects.find(({ id }) => id !== table.projectId)!;
		const page = byUrl(`${context.origin}/projects/${table.projectId}/tables/${table.id}`);
		for (const named of [byId(table.id), page]) {
			await failsWith(
				onTable(pair, byName(other.displayName), named),
				`The table "${table.id}" is not in the chosen project`,
				'Check Table and Project, or leave Project empty.',
			);
			const unknown = 'No project has the name "Marketting"';
			await failsWith(onTable(pair, byName('Marketting'), named), unknown);
		}
		expect(changesSent(context)).toEqual([]);
	});

	test('a table of the chosen project is found by its ID; without a project, nothing else is read', async () => {
		const [{ id, projectId }] = context.data.tables;
		await records(onTable('table.clear', byId(''), byId(id)));
		expect(requestPaths(context)).toEqual([`POST /v1/tables/${id}/clear`]);
		const cleared = await records(onTable('table.clear', byId(projectId), byId(id)));
		expect(cleared).toEqual([{ cleared: true }]);
	});

	test('a connection of another project is refused', async () => {
		const [{ id, projectIds }] = context.data.projectConnections;
		const other = context.data.projects.find((each) => each.id !== projectIds[0])!;
		const change = (pair: string, projectId: INodeParameters) =>
			parametersOf(pair, {
				projectId,
				connectionId: byId(id),
				updateFields: { displayName: 'Renamed' },
				options: { evenIfUsed: true },
			});
		for (const pair of ['connection.update', 'connection.delete']) {
			const message = `The connection "${id}" is not in the chosen project`;
			await failsWith(change(pair, byId(other.id)), message);
			await failsWith(change(pair, byId(missing)), 'The expression in Project returns no value');
		}
		expect(changesSent(context)).toEqual([]);
		await record(change('connection.update', byId(projectIds[0])));
	});

	const NAMED = {
		flow: ['get', 'export', 'publish', 'setStatus', 'run', 'update', 'delete'],
		folder: ['get', 'update', 'delete'],
		variable: ['delete'],
		flowTemplate: ['create'],
	};

	test.each(
		Object.entries(NAMED).flatMap(([resource, all]) => all.map((each) => [resource, each])),
	)(
		'%s.%s: of records with one name in several projects, that of the project',
		async (resource, operation) => {
			const { flows, folders, variables, projects } = context.data;
			const [type, locator, all]: [string, string, Array<{ id: string; projectId: string }>] =
				resource === 'folder'
					? ['folder', 'folderId', folders]
					: resource === 'variable'
						? ['variable', 'variableId', variables]
						: ['flow', 'flowId', flows];
			const twins = [0, 1].map((index) =>
				all.find((each) => each.projectId === projects[index].id)!,
			);
			for (const twin of twins) {
				Object.assign(twin, { name: 'Twin', displayName: 'Twin' });
				if ('version' in twin) Object.assign(twin.version as object, { displayName: 'Twin' });
			}
			const parameters = (projectId?: INodeParameters) =>
				parametersOf(`${resource}.${operation}`, {
					[locator]: byName('Twin'),
					...(projectId && { projectId }),
					displayName: 'Renamed',
					status: 'DISABLED',
					updateFields: { displayName: 'Renamed' },
				});
			await failsWith(
				parameters(),
				`2 ${type}s have the name "Twin"`,
				'Or choose the project of one in Project.',
			);
			await failsWith(parameters(byName(missing)), 'The expression in Project returns no value');
			await failsWith(
				parameters(byName(projects[2].displayName)),
				`No ${type} in the project has the name "Twin"`,
			);
			expect(changesSent(context)).toEqual([]);
			context.clearRequests();
			const given = parameters(byName(projects[1].displayName));
			await context.run(given).catch(() => undefined);
			const own = requestPaths(context).filter((path) => /[A-Za-z0-9]{21}/.test(path));
			expect(own.length).toBeGreaterThan(0);
			for (const path of own) expect(path).not.toContain(twins[0].id);
		},
	);

	test('each item has its own project: names are known by project', async () => {
		const { tables, projects } = context.data;
		const two = projects.slice(0, 2).map(({ id }) => tables.find((each) => each.projectId === id)!);
		for (const each of two) each.name = 'Stock list';
		const items = two.map(({ projectId }) => ({ project: projectId }));
		const project = byId('={{ $json.project }}');
		await records(onTable('table.delete', project, byName('stock list')), { items });
		for (const { id } of two) expect(ids(context.data.tables)).not.toContain(id);
	});

	test('By Name takes the ID of a record, unless another has it as its name', async () => {
		const [{ id, version }, other] = context.data.flows;
		const get = parametersOf('flow.get', { flowId: byName(id) });
		expect(await record(get)).toMatchObject({ id });
		other.version.displayName = id;
		expect(await record(get)).toMatchObject({ id: other.id, name: version.displayName && id });
	});

	test('Flow Names or IDs takes names, of flows in the project', async () => {
		const [one, two] = context.data.flows;
		two.projectId = one.projectId;
		one.version.displayName = 'Nightly sync';
		const runs = (flowIds: string, projectId = one.projectId) =>
			parametersOf('flowRun.getAll', { projectId: byId(projectId), filters: { flowIds } });
		await records(runs(`={{ "nightly SYNC, ${two.id}" }}`));
		expect(queriesOf(context, '/v1/flow-runs').at(-1)?.flowId).toEqual([one.id, two.id]);
		const message = 'No flow in the project has the name "Nowhere"';
		await failsWith(runs('={{ "Nowhere" }}'), message, 'Check Flow Names or IDs');
	});

	test.each([
		['externalIds', 'Flow Names or IDs'],
		['connectionExternalIds', 'Connection Names or IDs'],
	])('%s (%s) of Flow > Get Many takes names besides external IDs', async (name) => {
		const { flows, connections, projects } = context.data;
		const [{ id }] = projects;
		const [flow, connection] = [flows[0], connections[0]];
		flow.projectId = id;
		connection.projectIds = [id];
		flow.version.displayName = connection.displayName = 'Nightly sync';
		const { externalId } = name === 'externalIds' ? flow : connection;
		const list = (value: string) => listFlows(byId(id), { [name]: value });
		const sent = async (value: string) => {
			await records(list(value));
			return queriesOf(context, '/v1/flows').at(-1)?.[name];
		};
		// An external ID that no record has before a deployment
		expect(await sent('nightly SYNC, of-a-file')).toEqual([externalId, 'of-a-file']);
	});

	test('a name that gets another record during a long run means that record', async () => {
		// Each look is a later one.
		limits.knownRecordsMs = -1;
		const { data } = context;
		const name = 'Nightly';
		const flow = context.live.addFlow({ name });
		const first = context.live.addFlow({ name: 'First' });
		const remove = parametersOf('flow.delete', {
			flowId: byName('={{ $json.name }}'),
			requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 1 } } },
		});
		let successor = flow;
		const before = () => {
			flow.version.displayName = 'Keep me';
			successor = context.live.addFlow({ name });
		};
		context.fault({ method: 'DELETE', path: `/v1/flows/${first.id}`, kind: { before } });
		await records(remove, { items: [{ name: 'First' }, { name }] });
		expect(ids(data.flows)).toContain(flow.id);
		expect(ids(data.flows)).not.toContain(successor.id);
	});
});
