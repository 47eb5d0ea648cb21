import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

/** One resource and operation pair of the node, with what the editor calls it. */
export interface Pair {
	/** For example "flow.getAll" */
	id: string;
	resource: string;
	operation: string;
	/** For example "Flow → Get Many" */
	name: string;
	/** HTTP method of its endpoint */
	method: string;
}

const optionsOf = ({ options = [] }: INodeProperties) => options as INodePropertyOptions[];

/** Every pair that the node offers, as its description tells n8n. */
export function pairsOf({ properties }: INodeTypeDescription): Pair[] {
	const resources = properties.find(({ name }) => name === 'resource');
	const nameOf = (resource: string) =>
		optionsOf(resources ?? ({} as INodeProperties)).find(({ value }) => value === resource)?.name;
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap((property) => {
			const resource = String(property.displayOptions?.show?.resource?.[0]);
			return optionsOf(property).map(({ name, value, routing }) => ({
				id: `${resource}.${String(value)}`,
				resource,
				operation: String(value),
				name: `${nameOf(resource)} → ${name}`,
				method: String(routing?.request?.method),
			}));
		});
}

/** A method behind a list of the editor, with the name of the field that shows it. */
interface ListOfField {
	method: string;
	field: string;
}

/**
 * The fields of the node, after those in its filters: a search of folders is also behind Folder of Flow →
 * Create, and would have the name of another search by that field.
 */
const fieldsOf = ({ properties }: INodeTypeDescription): INodeProperties[] => [
	...properties
		.filter(({ name }) => name === 'filters')
		.flatMap(({ options }) => options as INodeProperties[])
		.map((filter) => ({ ...filter, displayName: `Filter ${filter.displayName}` })),
	...properties,
];

/** Each method once, with the first field that shows it. */
function byMethod(lists: Array<[method: unknown, field: string]>): ListOfField[] {
	const fields = new Map<string, string>();
	for (const [method, field] of lists) {
		if (typeof method === 'string' && !fields.has(method)) fields.set(method, field);
	}
	return [...fields].map(([method, field]) => ({ method, field }));
}

/** Every search behind a From List. */
export const searchesOf = (description: INodeTypeDescription): ListOfField[] =>
	byMethod(
		fieldsOf(description)
			.filter(({ type }) => type === 'resourceLocator')
			.flatMap(({ modes = [], displayName }) =>
				modes.map(({ typeOptions }): [unknown, string] => [
					typeOptions?.searchListMethod,
					displayName,
				]),
			),
	);

/** Every list of which several can be chosen. */
export const optionListsOf = (description: INodeTypeDescription): ListOfField[] =>
	byMethod(
		fieldsOf(description).map(({ typeOptions, displayName }) => [
			typeOptions?.loadOptionsMethod,
			displayName,
		]),
	);
