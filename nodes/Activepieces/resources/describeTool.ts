import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Operation, Resource } from './operation';

/** Describes a filter and its values, for example `Status (DISABLED, ENABLED)`. */
function describeFilter({ displayName, options = [] }: INodeProperties): string {
	const values = (options as INodePropertyOptions[]).map(({ value }) => String(value));
	return values.length === 0 ? displayName : `${displayName} (${values.join(', ')})`;
}

/** Describes an operation for a model: what it returns, how much, with which fields and filters. */
export function describeTool({ toolDescription, simplify, properties }: Operation): string {
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
