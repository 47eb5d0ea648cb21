/* eslint-disable @n8n/community-nodes/no-restricted-imports -- measures what a script would do, never runs inside n8n */
import http from 'node:http';

import axios from 'axios';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { createEngine, type Engine } from '../engine/harness/engine';

/** The task of a candidate: list all flows of a project, or send one request for each ID. */
export interface Task {
	kind: 'list' | 'get' | 'delete' | 'export';
	baseUrl: string;
	apiKey: string;
	projectId: string;
	pageSize: number;
	/** IDs of folders to get, invitations to delete or flows to export; empty for a list */
	ids: string[];
}

export interface RunResult {
	ms: number;
	records: number;
}

/** Loads what the candidate needs; returns the function that runs a task. */
type Candidate = () => Promise<(task: Task) => Promise<RunResult>>;

const ID = byId('={{ $json.id }}');

const PARAMETERS: Record<Exclude<Task['kind'], 'list'>, INodeParameters> = {
	get: { resource: 'folder', operation: 'get', folderId: ID, simplify: false },
	delete: { resource: 'userInvitation', operation: 'delete', invitationId: ID },
	export: { resource: 'flow', operation: 'export', flowId: ID },
};

/** Reads the raw flow of each item. */
const READING = { resource: 'flow', operation: 'get', flowId: ID, simplify: false };

function parametersOf({ kind, projectId, pageSize }: Task, simplify: boolean): INodeParameters {
	if (kind !== 'list') return PARAMETERS[kind];
	const list = { resource: 'flow', operation: 'getAll', projectId: byId(projectId) };
	return { ...list, returnAll: true, simplify, options: { pageSize } };
}

/** A node in n8n's engine, timed by the engine. */
const inEngine =
	(engine: Engine, simplify: boolean, parameters = parametersOf) =>
	async (task: Task): Promise<RunResult> => {
		const { items, error, run } = await engine.run({
			credential: { baseUrl: task.baseUrl, apiKey: task.apiKey },
			parameters: parameters(task, simplify),
			items: task.kind === 'list' ? [{}] : task.ids.map((id) => ({ id })),
		});
		if (error !== undefined) throw error;
		const [{ executionTime }] = run.data.resultData.runData.Activepieces;
		return { ms: executionTime, records: items.length };
	};

const node =
	(simplify: boolean): Candidate =>
	async () =>
		inEngine(await createEngine(), simplify);

/** The built node, which reads the flows instead of exporting them. */
const nodeReading: Candidate = async () => inEngine(await createEngine(), false, () => READING);

const AT_ONCE = 10;

/** Runs a task for a number of items, ten at once. */
async function pool(count: number, work: (index: number) => Promise<void>): Promise<void> {
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
	return inEngine(engine, false);
};

/** A client as in a script; each request uses a new connection, as in n8n. */
function client({ baseUrl, apiKey }: Task) {
	return async <T>(method: string, url: string, params?: object) => {
		const { data } = await axios.request<T>({
			method,
			baseURL: baseUrl,
			url,
			params,
			proxy: false,
			headers: { Authorization: `Bearer ${apiKey}` },
			httpAgent: new http.Agent({ keepAlive: false }),
		});
		return data;
	};
}

async function listWithAxios(task: Task): Promise<number> {
	const send = client(task);
	const flows: unknown[] = [];
	let cursor: string | null | undefined;
	do {
		const { projectId, pageSize: limit } = task;
		const page = await send<{ data: unknown[]; next: string | null }>('GET', '/v1/flows', {
			projectId,
			limit,
			cursor: cursor ?? undefined,
		});
		flows.push(...page.data);
		cursor = page.next;
	} while (cursor);
	return flows.length;
}

/** Sends requests, ten in flight, until there are no more IDs. */
async function poolWithAxios(task: Task): Promise<number> {
	const send = client(task);
	const [method, path] =
		task.kind === 'get' ? ['GET', '/v1/folders/'] : ['DELETE', '/v1/user-invitations/'];
	await pool(task.ids.length, async (index) => {
		await send(method, path + task.ids[index]);
	});
	return task.ids.length;
}

const rawAxios: Candidate = async () => async (task) => {
	const began = performance.now();
	const records = await (task.kind === 'list' ? listWithAxios(task) : poolWithAxios(task));
	return { ms: performance.now() - began, records };
};

export const CANDIDATES = {
	node: node(false),
	nodeSimplified: node(true),
	nodeReading,
	smallestNode,
	rawAxios,
};

export type CandidateName = keyof typeof CANDIDATES;
