import { createBenchEngine } from './engine';

import { PackageDirectoryLoader } from 'n8n-core';
import {
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { type Contestant, PAGE_SIZE } from './contestant';

const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many flows',
			routing: {
				request: { method: 'GET', url: '/v1/flows', qs: { limit: PAGE_SIZE } },
				send: { paginate: true },
				operations: {
					pagination: {
						type: 'generic',
						properties: {
							continue: '={{ !!$response.body.next }}',
							request: {
								// What is given here replaces the query, so it has to repeat it.
								qs: '={{ Object.assign({}, $request.qs, $response.body ? { cursor: $response.body.next } : {}) }}' as never,
							},
						},
					},
				},
				output: { postReceive: [{ type: 'rootProperty', properties: { property: 'data' } }] },
			},
		},
	],
	default: 'getAll',
};

const project: INodeProperties = {
	displayName: 'Project ID',
	name: 'projectId',
	type: 'string',
	default: '',
	routing: { send: { type: 'query', property: 'projectId' } },
};

/** The least that lists flows in n8n's declarative style, with the pagination that n8n brings. */
class GenericPages implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Generic Pages',
		name: 'genericPages',
		group: ['transform'],
		version: 1,
		description: 'Lists flows',
		defaults: { name: 'Generic Pages' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'activepiecesApi', required: true }],
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}', json: true },
		properties: [operation, project],
	};
}

export const genericPagination: Contestant = {
	title: "n8n's generic pagination",
	pageSize: PAGE_SIZE,
	async prepare() {
		const genericPages = new GenericPages();
		// Adds Request Options, as n8n does when it loads a package.
		PackageDirectoryLoader.applyDeclarativeNodeOptionParameters(genericPages);
		const run = await createBenchEngine({ genericPages });
		return async (task) => {
			const parameters = {
				operation: 'getAll',
				projectId: task.place.projectId,
				requestOptions: { allowUnauthorizedCerts: true },
			};
			return await run([{ type: 'bench.genericPages', parameters }], task);
		};
	},
};
