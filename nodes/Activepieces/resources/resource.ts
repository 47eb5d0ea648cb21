import {
	type IDataObject,
	type INodeProperties,
	type INodePropertyOptions,
	type NodeHint,
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
	/** Shown beside the node before it runs, at most 120 characters */
	hint?: string;
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
	// n8n saves no operation that is the default one, so the first has to stay the first.
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

/** Resource and operation of a pair that shows a field. */
interface Place {
	resource: string;
	operation: string;
}

/** Which pairs show each field, in the order of their first appearance. */
function placesOf(resources: Resource[]): Map<INodeProperties, Place[]> {
	const places = new Map<INodeProperties, Place[]>();
	for (const { value: resource, operations } of resources) {
		for (const { value: operation, fields } of operations) {
			for (const field of fields) {
				places.set(field, [...(places.get(field) ?? []), { resource, operation }]);
			}
		}
	}
	return places;
}

/**
 * A field that several pairs share, described once where that says the same: n8n's router looks at every
 * property twice for every input item, so each one less makes bulk runs faster.
 */
function shownAt(field: INodeProperties, places: Place[]): INodeProperties[] {
	const resources = [...new Set(places.map(({ resource }) => resource))];
	const operations = [...new Set(places.map(({ operation }) => operation))];
	if (resources.length * operations.length === places.length) {
		return updateDisplayOptions({ show: { resource: resources, operation: operations } }, [field]);
	}
	return places.flatMap(({ resource, operation }) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, [field]),
	);
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

	const fields = [...placesOf(resources)].flatMap(([field, places]) => shownAt(field, places));

	return [resource, ...operations, ...fields];
}

/** What a person should know about an operation before running it, in the place where the output will be. */
export function describeHints(resources: Resource[]): NodeHint[] {
	return resources.flatMap(({ value: resource, operations }) =>
		operations.flatMap(({ value: operation, hint, endpoint }): NodeHint[] =>
			hint === undefined
				? []
				: [
						{
							message: hint,
							type: endpoint.method === 'DELETE' ? 'warning' : 'info',
							displayCondition: `={{ $parameter["resource"] === "${resource}" && $parameter["operation"] === "${operation}" }}`,
							whenToDisplay: 'beforeExecution',
							location: 'outputPane',
						},
					],
		),
	);
}
