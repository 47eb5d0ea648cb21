import {
	type IDataObject,
	type INodeProperties,
	type INodePropertyOptions,
	updateDisplayOptions,
} from 'n8n-workflow';

import { perItem, type Work } from '../transport/perItem';
import type { Endpoint } from '../transport/request';

/** One resource and operation pair: what it asks for, what it sends and what it gives. */
export interface Operation {
	/** Display name, for example "Get Many" */
	name: string;
	/** Saved in workflows */
	value: string;
	/** Sentence case with the resource, as the node panel shows it */
	action: string;
	description: string;
	/** As the contract writes it; `test/contract` checks both directions */
	endpoint: Endpoint;
	/** Shown for this pair only; `displayOptions` are derived */
	fields: INodeProperties[];
	/** Gives the records of one input item */
	run: (work: Work) => Promise<IDataObject[]>;
}

export interface Resource {
	name: string;
	/** Saved in workflows */
	value: string;
	operations: Operation[];
}

function operationOption({
	name,
	value,
	action,
	description,
	endpoint,
	run,
}: Operation): INodePropertyOptions {
	return {
		name,
		value,
		action,
		description,
		routing: {
			request: { method: endpoint.method, url: endpoint.path },
			// Lets n8n call the function below instead of sending the request by itself.
			send: { paginate: true },
			operations: { pagination: perItem(run) },
		},
	};
}

function operationProperty({ value, operations }: Resource): INodeProperties {
	const firstOperation = operations[0].value;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: operations.map(operationOption),
		default: firstOperation,
	};
}

/** The node's properties: which resource, which operation, and the fields of each pair. */
export function describeResources(resources: Resource[]): INodeProperties[] {
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: 'flow',
	};

	const operations = resources.map(operationProperty);

	const fields = resources.flatMap((each) =>
		each.operations.flatMap((operation) =>
			updateDisplayOptions(
				{ show: { resource: [each.value], operation: [operation.value] } },
				operation.fields,
			),
		),
	);

	return [resource, ...operations, ...fields];
}
