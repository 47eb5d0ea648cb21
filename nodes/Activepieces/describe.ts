/** What n8n shows of the operations: their properties, their tools and their hints. */
import {
	updateDisplayOptions,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type NodeHint,
} from 'n8n-workflow';

import { runInRouter } from './execution/router';
import type { Operation, Resource } from './resources/operation';
import { capitalize } from './transport/texts';

interface Pair {
	resource: string;
	operation: Operation;
}

const pairsOf = (resources: Resource[]): Pair[] =>
	resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => ({ resource, operation })),
	);

/**
 * A field with its values, which are also in the records; a collection with the fields of its rows, with the
 * names of their options, such as those of an operator.
 */
function describeFilter(
	{ displayName, type, options = [] }: INodeProperties,
	optionPart: 'name' | 'value' = 'value',
): string {
	const [rows] = options as INodePropertyCollection[];
	const values =
		type === 'fixedCollection'
			? [`each with ${rows.values.map((each) => describeFilter(each, 'name')).join(', ')}`]
			: (options as INodePropertyOptions[]).map((option) => String(option[optionPart]));
	return values.length === 0 ? displayName : `${displayName} (${values.join(', ')})`;
}

/** Describes an operation for a model: what it returns, how much, with which fields and filters. */
function describeTool({ toolDescription, simplify, properties }: Operation): string {
	const find = (name: string) => properties.find((property) => property.name === name);
	const filters = (find('filters')?.options ?? []) as INodeProperties[];
	const fields = Object.keys(simplify?.({}) ?? {});
	return [
		toolDescription,
		// The person may have changed it, or left it to the model.
		...(find('limit') === undefined ? [] : ['Returns no more records than its Limit']),
		...(fields.length === 0 ? [] : [`Fields: ${fields.join(', ')}`]),
		// A model can fill in only those that the person has added.
		...(filters.length === 0
			? []
			: [
					`Filters, if this tool has them: ${filters.map((filter) => describeFilter(filter)).join('; ')}`,
				]),
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
	pairsOf(resources).map(({ resource, operation }) => ({
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
	}));

/** As the node panel shows an operation, for example `Get many flow runs` */
export function actionOf({ name, action }: Operation, resource: string): string {
	const derived = capitalize(`${name} ${resource}`.toLowerCase());
	return action ?? (name === 'Get Many' ? `${derived}s` : derived);
}

function operationProperty({ name: noun, value: resource, operations }: Resource): INodeProperties {
	const defaultOperation = operations[0].value;
	const options = operations.map((operation): INodePropertyOptions => {
		const { name, value, description, endpoint } = operation;
		return {
			name,
			value,
			action: actionOf(operation, noun),
			description,
			routing: {
				request: { method: endpoint.method, url: endpoint.path },
				send: { paginate: true },
				operations: { pagination: runInRouter(operation) },
			},
		};
	});
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		// Sorted by name, as n8n requires for lists of five and more.
		options: options.sort((a, b) => (a.name < b.name ? -1 : 1)),
		default: defaultOperation,
	};
}

/**
 * All properties without duplicates, in a topological order: each before those that follow it in an
 * operation, because the editor keeps this order.
 */
function inOrder(pairs: Pair[]): INodeProperties[] {
	const ordered = new Set<INodeProperties>();
	const lists = pairs.map(({ operation }) => operation.properties);
	// What an operation shows before a property comes before it. No cycle: a test holds each operation's order.
	function place(property: INodeProperties): void {
		if (ordered.has(property)) return;
		for (const list of lists) list.slice(0, Math.max(list.indexOf(property), 0)).forEach(place);
		ordered.add(property);
	}
	lists.flat().forEach(place);
	return [...ordered];
}

/**
 * A property with its display options, once for all resources that have it in the same operations: display
 * options show a field for every combination of their values.
 */
function withDisplayOptions(property: INodeProperties, pairs: Pair[]): INodeProperties[] {
	const operations = new Map<string, string[]>();
	for (const { resource, operation } of pairs) {
		if (!operation.properties.includes(property)) continue;
		operations.set(resource, [...(operations.get(resource) ?? []), operation.value]);
	}
	const resources = new Map<string, string[]>();
	for (const [resource, values] of operations) {
		const key = JSON.stringify(values.sort());
		resources.set(key, [...(resources.get(key) ?? []), resource]);
	}
	return [...resources].flatMap(([key, resource]) => {
		const show = { resource, operation: JSON.parse(key) as string[] };
		return updateDisplayOptions({ show }, [property]);
	});
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
		// Needed for what n8n's router does with a pair that does not exist (`unknownOperation` in `customOperations.ts`).
		routing: { send: { paginate: true } },
	};

	const pairs = pairsOf(resources);
	const properties = inOrder(pairs).flatMap((property) => withDisplayOptions(property, pairs));
	return [resource, ...resources.map(operationProperty), ...properties];
}

/** What a person should know before running an operation, shown where the output will be. */
export const describeHints = (resources: Resource[]): NodeHint[] =>
	pairsOf(resources)
		.filter(({ operation }) => operation.hint !== undefined)
		.map(({ resource, operation: { value, hint = '', endpoint, isIrreversible } }) => ({
			message: hint,
			type: endpoint.method === 'DELETE' || isIrreversible === true ? 'warning' : 'info',
			displayCondition: `={{ $parameter["resource"] === "${resource}" && $parameter["operation"] === "${value}" }}`,
			whenToDisplay: 'beforeExecution',
			location: 'outputPane',
		}));
