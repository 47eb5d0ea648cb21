/* eslint-disable @n8n/community-nodes/no-restricted-imports -- takes nodes out of an installed n8n, never runs inside it */
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { INodeParameters, INodeType, IVersionedNodeType } from 'n8n-workflow';

import { installed } from '../../e2e/stage/install';
import type { Place } from '../service/messages';
import { BULK, type BulkKind } from './bulk';
import { type Contestant, DEFAULT_PAGE_SIZE, PAGE_SIZE, type Task } from './contestant';
import { createBenchEngine, type OtherTypes, type Step } from './engine';

/** Newest versions of both nodes in the n8n they come from. */
const HTTP_REQUEST = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.5 };
const SPLIT_OUT = { type: 'n8n-nodes-base.splitOut', typeVersion: 1 };

type Class<T> = new () => T;

/** n8n's own two nodes, out of an n8n whose engine has the version of ours. */
async function n8nNodes(): Promise<OtherTypes> {
	const { bin } = await installed('2.40.7');
	const load = createRequire(bin);
	const folder = join(load.resolve('n8n-nodes-base/package.json'), '../dist/nodes');
	const { HttpRequest } = load(join(folder, 'HttpRequest/HttpRequest.node.js')) as {
		HttpRequest: Class<IVersionedNodeType>;
	};
	const { SplitOut } = load(join(folder, 'Transform/SplitOut/SplitOut.node.js')) as {
		SplitOut: Class<INodeType>;
	};
	return { httpRequest: new HttpRequest(), splitOut: new SplitOut() };
}

/** The credential is the node's own, so that authentication costs both the same. */
const COMMON: INodeParameters = {
	authentication: 'predefinedCredentialType',
	nodeCredentialType: 'activepiecesApi',
};

/** Follows `next` as n8n's documentation shows it for cursors. */
const PAGINATION: INodeParameters = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: {
		parameters: [{ type: 'qs', name: 'cursor', value: '={{ $response.body.next }}' }],
	},
	paginationCompleteWhen: 'other',
	completeExpression: '={{ !$response.body.next }}',
	limitPagesFetched: false,
	requestInterval: 0,
};

function listSteps({ place }: Task, limit?: number): Step[] {
	const query = { projectId: place.projectId, ...(limit === undefined ? {} : { limit }) };
	return [
		{
			...HTTP_REQUEST,
			parameters: {
				...COMMON,
				method: 'GET',
				url: `${place.baseUrl}/v1/flows`,
				sendQuery: true,
				queryParameters: {
					parameters: Object.entries(query).map(([name, value]) => ({
						name,
						value: String(value),
					})),
				},
				options: { allowUnauthorizedCerts: true, pagination: { pagination: PAGINATION } },
			},
		},
		{ ...SPLIT_OUT, parameters: { fieldToSplitOut: 'data', options: {} } },
	];
}

/** What n8n sets when a person adds the option Batching. */
const BATCHING: INodeParameters = { batch: { batchSize: 50, batchInterval: 1000 } };

function bulkSteps(kind: BulkKind, place: Place, batching?: INodeParameters): Step[] {
	const { method, path } = BULK[kind];
	return [
		{
			...HTTP_REQUEST,
			parameters: {
				...COMMON,
				method,
				url: `=${place.baseUrl}${path}{{ $json.id }}`,
				options: {
					allowUnauthorizedCerts: true,
					...(batching === undefined ? {} : { batching }),
				},
			},
		},
	];
}

function httpRequest(title: string, pageSize: number, stepsOf: (task: Task) => Step[]): Contestant {
	return {
		title,
		pageSize,
		async prepare() {
			const run = await createBenchEngine(await n8nNodes());
			return async (task) => await run(stepsOf(task), task);
		},
	};
}

const listing = (limit?: number) => (task: Task) => listSteps(task, limit);

const bulk =
	(batching?: INodeParameters) =>
	({ kind, place }: Task) => {
		if (kind === 'list') throw new Error('Not for lists');
		return bulkSteps(kind, place, batching);
	};

export const httpRequestDefault = httpRequest(
	`HTTP Request + Split Out, pages of ${DEFAULT_PAGE_SIZE}`,
	DEFAULT_PAGE_SIZE,
	listing(),
);
export const httpRequestLarge = httpRequest(
	`HTTP Request + Split Out, pages of ${PAGE_SIZE}`,
	PAGE_SIZE,
	listing(PAGE_SIZE),
);
export const httpRequestAtOnce = httpRequest('HTTP Request, batching off', PAGE_SIZE, bulk());
export const httpRequestBatched = httpRequest(
	'HTTP Request, batches of 50 a second',
	PAGE_SIZE,
	bulk(BATCHING),
);
