import {
	type INodeProperties,
	type INodePropertyOptions,
	type INodeType,
	type NodeHint,
	updateDisplayOptions,
} from 'n8n-workflow';

import { executeItems } from '../execution/executeItems';
import type { RunOperation } from '../execution/item';
import { runInRouter } from '../execution/router';
import { type ValidationError, validationError } from '../transport/error';
import { describeValue } from '../transport/values';
import type { Operation, Resource } from './operation';

/** Describes a filter and its values, for example `Status (DISABLED, ENABLED)`. */
function describeFilter({ displayName, options = [] }: INodeProperties): string {
	const values = (options as INodePropertyOptions[]).map(({ value }) => String(value));
	return values.length === 0 ? displayName : `${displayName} (${values.join(', ')})`;
}

/** Describes an operation for a model: what it returns, how much, with which fields and filters. */
function describeTool({ toolDescription, simplify, properties }: Operation): string {
	const find = (name: string) => properties.find((property) => property.name === name);
	const limit = find('limit');
	const filters = (find('filters')?.options ?? []) as INodeProperties[];
	const fields = Object.keys(simplify?.({}) ?? {});
	return [
		toolDescription,
		...(limit === undefined
			? []
			: [`Returns at most ${String(limit.default)} unless Limit or Return All is set`]),
		...(fields.length === 0 ? [] : [`Fields: ${fields.join(', ')}`]),
		...(filters.length === 0 ? [] : [`Filters: ${filters.map(describeFilter).join('; ')}`]),
	]
		.map((sentence) => `${sentence}.`)
		.join(' ');
}

/**
 * The description of the tool. n8n would make it from the operation's action alone, for example "Get many
 * flows in Activepieces", and adds its own field of this name only where a node has none. The action cannot
 * be longer, because n8n makes the tool's name from it, of which models accept up to 64 characters.
 */
export const toolDescriptionFields = (resources: Resource[]): INodeProperties[] =>
	resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation): INodeProperties => ({
			displayName: 'Description',
			name: 'toolDescription',
			type: 'string',
			typeOptions: { rows: 4 },
			required: true,
			default: describeTool(operation),
			displayOptions: {
				show: { '@tool': [true], resource: [resource], operation: [operation.value] },
			},
			description: 'What the model reads about this tool: what it does and what it returns',
		})),
	);

function unknownError(
	resources: Resource[],
	resource: unknown,
	operation: unknown,
): ValidationError {
	const known = resources.find(({ value }) => value === resource);
	const [message, choices] =
		known === undefined
			? [`The resource ${describeValue(resource)} does not exist`, resources]
			: [
					`The resource "${known.value}" has no operation ${describeValue(operation)}`,
					known.operations,
				];
	const names = choices.map(({ value }) => value).join(', ');
	return validationError(
		message,
		`Choose one of ${names}. n8n does not evaluate expressions in Resource and Operation.`,
	);
}

/**
 * What n8n's router runs for a resource or an operation that the node does not have, in a workflow that
 * was written by hand. n8n then finds none of the node's own functions, and its router would send a
 * request without a URL, which fails with "Invalid URL".
 */
export function unknownOperation(resources: Resource[]) {
	const run: RunOperation = async (item) => {
		throw unknownError(resources, item.get('resource', ''), item.get('operation', ''));
	};
	return runInRouter({ method: 'GET', path: '' }, run);
}

function operationOption(operation: Operation): INodePropertyOptions {
	const { name, value, action, description, endpoint, run, concurrency } = operation;
	return {
		name,
		value,
		action,
		description,
		routing: {
			request: { method: endpoint.method, url: endpoint.path },
			send: { paginate: true },
			operations: { pagination: runInRouter(endpoint, run, concurrency) },
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
		// Sorted by name, as n8n requires for lists of five and more.
		options: operations.map(operationOption).sort((a, b) => (a.name < b.name ? -1 : 1)),
		default: firstOperation,
	};
}

/** A resource and an operation that show a property. */
interface Pair {
	resource: string;
	operation: string;
}

/**
 * All properties without duplicates, each before those that follow it in an operation, because the editor
 * keeps this order.
 */
function inOrder(operations: Operation[]): INodeProperties[] {
	const ordered: INodeProperties[] = [];
	for (const { properties } of operations) {
		properties.forEach((property, index) => {
			if (ordered.includes(property)) return;
			const next = properties.slice(index + 1).find((later) => ordered.includes(later));
			ordered.splice(next === undefined ? ordered.length : ordered.indexOf(next), 0, property);
		});
	}
	return ordered;
}

/** The pairs that show a property. */
const pairsWith = (resources: Resource[], property: INodeProperties): Pair[] =>
	resources.flatMap(({ value: resource, operations }) =>
		operations
			.filter(({ properties }) => properties.includes(property))
			.map(({ value: operation }) => ({ resource, operation })),
	);

/** Properties that several pairs share, described once where the display options are the same. */
function withDisplayOptions(property: INodeProperties, pairs: Pair[]): INodeProperties[] {
	const resources = [...new Set(pairs.map(({ resource }) => resource))];
	const operations = [...new Set(pairs.map(({ operation }) => operation))];
	if (resources.length * operations.length === pairs.length) {
		return updateDisplayOptions({ show: { resource: resources, operation: operations } }, [
			property,
		]);
	}
	return pairs.flatMap(({ resource, operation }) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, [property]),
	);
}

/** The node's properties: resource, operation, and the fields of each pair. */
export function describeProperties(resources: Resource[]): INodeProperties[] {
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: 'flow',
		// Needed for what n8n's router does with a pair that does not exist (`unknownOperation`).
		routing: { send: { paginate: true } },
	};

	const operations = resources.map(operationProperty);

	const properties = inOrder(resources.flatMap((each) => each.operations)).flatMap((property) =>
		withDisplayOptions(property, pairsWith(resources, property)),
	);

	return [resource, ...operations, ...properties];
}

/** An object without inherited properties, so that `flow.toString` is not an operation. */
const dictionary = <T>(entries: Array<[string, T]>): Record<string, T> =>
	Object.assign(Object.create(null) as Record<string, T>, Object.fromEntries(entries));

/** The functions that n8n calls for each pair instead of its router. */
export function describeCustomOperations(
	resources: Resource[],
): NonNullable<INodeType['customOperations']> {
	return dictionary(
		resources.map(({ value, operations }) => [
			value,
			dictionary(
				operations.map((operation) => [
					operation.value,
					executeItems(
						operation.endpoint,
						operation.run,
						operation.concurrency,
						operation.groupSize,
					),
				]),
			),
		]),
	);
}

/** What a person should know before running an operation, shown where the output will be. */
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
