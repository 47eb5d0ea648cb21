/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- measures what a script would do, never runs inside n8n */
import http from 'node:http';
import axios from 'axios';
import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeParameters,
} from 'n8n-workflow';

import { byId } from '../../engine/harness/byId';
import { createEngine, type Engine } from '../../engine/harness/engine';

/** The task of a candidate: list all flows of a project or all rows of a table, or do something for each ID. */
export interface Task {
	kind: 'list' | 'rows' | 'get' | 'delete' | 'export' | 'newRows';
	baseUrl: string;
	apiKey: string;
	projectId: string;
	tableId: string;
	pageSize: number;
	/** IDs of folders to get, invitations to delete or flows to export, or texts of new rows; empty for a list */
	ids: string[];
}

/** Loads what the candidate needs; returns the function that runs a task. */
type Candidate = () => Promise<(task: Task) => Promise<{ ms: number; records: number }>>;

const ID = byId('={{ $json.id }}');

const PARAMETERS: Record<'get' | 'delete' | 'export', INodeParameters> = {
	get: { resource: 'folder', operation: 'get', folderId: ID, simplify: false },
	delete: { resource: 'userInvitation', operation: 'delete', invitationId: ID },
	export: { resource: 'flow', operation: 'export', flowId: ID },
};

/** A row of the table, from an ID. */
const COLUMNS = { Customer: '={{ $json.id }}', Amount: '={{ $json.id }}' };

function parametersOf({ kind, projectId, tableId, pageSize }: Task): INodeParameters {
	const ofTable = { resource: 'tableRecord', tableId: byId(tableId), simplify: false };
	if (kind === 'rows') return { ...ofTable, operation: 'getAll', returnAll: true };
	if (kind === 'newRows') {
		const columns = { value: COLUMNS, mappingMode: 'defineBelow', matchingColumns: [], schema: [] };
		return { ...ofTable, operation: 'create', columns };
	}
	if (kind !== 'list') return PARAMETERS[kind];
	const list = { resource: 'flow', operation: 'getAll', projectId: byId(projectId) };
	return { ...list, returnAll: true, simplify: false, options: { pageSize } };
}

/** A node in n8n's engine, timed by the engine; `more` replaces parameters of the task. */
const inEngine =
	(engine: Engine, more: INodeParameters = {}) =>
	async (task: Task) => {
		const { items, error, run } = await engine.run({
			credential: { baseUrl: task.baseUrl, apiKey: task.apiKey },
			parameters: { ...parametersOf(task), ...more },
			items: task.ids.length === 0 ? [{}] : task.ids.map((id) => ({ id })),
		});
		if (error !== undefined) throw error;
		const [{ executionTime }] = run.data.resultData.runData.Activepieces;
		return { ms: executionTime, records: items.length };
	};

/** The built node. */
const node =
	(more?: INodeParameters): Candidate =>
	async () =>
		inEngine(await createEngine(), more);

const AT_ONCE = 10;

/** Runs a task for a number of items, ten at once. */
async function pool(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < count) await work(next++);
	};
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/**
 * The minimum that a node has to do for each item: evaluate its ID, read the credential and send a
 * request with n8n's helper. It checks nothing, repeats nothing, and has no limits.
 */
const leastFor = (locator: string, method: 'GET' | 'DELETE', path: string) =>
	async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const output: INodeExecutionData[] = [];
		await pool(this.getInputData().length, async (item) => {
			const id = this.getNodeParameter(locator, item, '', { extractValue: true }) as string;
			const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('activepiecesApi', item);
			const json = (await this.helpers.httpRequestWithAuthentication.call(this, 'activepiecesApi', {
				method,
				baseURL: baseUrl,
				url: path + encodeURIComponent(id),
			})) as IDataObject;
			output[item] = { json: method === 'GET' ? json : { deleted: true }, pairedItem: { item } };
		});
		return [output];
	};

/** The same node with that minimum as its implementation. */
const smallestNode: Candidate = async () => {
	const engine = await createEngine();
	const { type } = engine.loader.getNode('activepieces');
	Object.assign(type, {
		customOperations: {
			folder: { get: leastFor('folderId', 'GET', '/v1/folders/') },
			userInvitation: { delete: leastFor('invitationId', 'DELETE', '/v1/user-invitations/') },
		},
	});
	return inEngine(engine);
};

/** A client as in a script; each request uses a new connection, as in n8n. */
const client = ({ baseUrl: baseURL, apiKey }: Task) =>
	axios.create({
		baseURL,
		proxy: false,
		headers: { Authorization: `Bearer ${apiKey}` },
		httpAgent: new http.Agent({ keepAlive: false }),
	});

interface Page {
	data: unknown[];
	next: string | null;
}

async function listWithAxios(task: Task): Promise<number> {
	const api = client(task);
	const { projectId, pageSize: limit } = task;
	const flows: unknown[] = [];
	let cursor: string | null = null;
	do {
		const params: object = { projectId, limit, cursor };
		const { data } = await api.get<Page>('/v1/flows', { params });
		flows.push(...data.data);
		cursor = data.next;
	} while (cursor);
	return flows.length;
}

/** Deletes the invitations, ten at once. */
async function deleteWithAxios(task: Task): Promise<number> {
	const api = client(task);
	const { ids } = task;
	await pool(ids.length, async (index) => await api.delete(`/v1/user-invitations/${ids[index]}`));
	return ids.length;
}

/** Reads the rows with one request. */
async function rowsWithAxios(task: Task): Promise<number> {
	const params = { tableId: task.tableId, limit: 100_000 };
	const { data } = await client(task).get<Page>('/v1/records', { params });
	return data.data.length;
}

/** Creates the rows by 50, one request after the other, with the pauses that keep them in their order. */
async function newRowsWithAxios(task: Task): Promise<number> {
	const api = client(task);
	const { tableId, ids } = task;
	const { data: fields } = await api.get<Array<{ id: string; name: string }>>('/v1/fields', {
		params: { tableId },
	});
	const wanted = fields.filter(({ name }) => name in COLUMNS);
	let created = 0;
	for (let from = 0; from < ids.length; from += 50) {
		const records = ids
			.slice(from, from + 50)
			.map((value) => wanted.map(({ id: fieldId }) => ({ fieldId, value })));
		const { data } = await api.post<unknown[]>('/v1/records', { tableId, records });
		created += data.length;
		await sleep(records.length);
	}
	return created;
}

const WITH_AXIOS: Partial<Record<Task['kind'], (task: Task) => Promise<number>>> = {
	list: listWithAxios,
	rows: rowsWithAxios,
	newRows: newRowsWithAxios,
	delete: deleteWithAxios,
};

const rawAxios: Candidate = async () => async (task) => {
	const began = performance.now();
	const records = await WITH_AXIOS[task.kind]!(task);
	return { ms: performance.now() - began, records };
};

const CANDIDATES = {
	node: node(),
	nodeSimplified: node({ simplify: true }),
	/** Reads the raw flows instead of exporting them. */
	nodeReading: node({ operation: 'get', simplify: false }),
	smallestNode,
	rawAxios,
};

export type CandidateName = keyof typeof CANDIDATES;

/** Runs the tasks that another process sends. */
async function serve(name: CandidateName): Promise<void> {
	const run = await CANDIDATES[name]();
	process.on('message', (task: Task) => {
		globalThis.gc?.();
		run(task).then(
			(result) => process.send?.(result),
			(error: Error) => process.send?.({ failure: error.message }),
		);
	});
	process.on('disconnect', () => process.exit());
	process.send?.({ ready: true });
}

if (require.main === module) void serve(process.argv[2] as CandidateName);
