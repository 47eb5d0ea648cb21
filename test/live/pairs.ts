import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import type { Engine } from '../engine/harness/engine';

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

/** A list of the editor: the method behind it, and the first field that shows it. */
export interface EditorList {
	method: string;
	field: string;
	/** A locator's, or that of a field that takes several records */
	kind: 'From List' | 'list';
}

const propertiesOf = ({ loader }: Engine) =>
	(loader.getNode('activepieces').type as INodeType).description.properties;

const optionsOf = (property?: INodeProperties) =>
	(property?.options ?? []) as INodePropertyOptions[];

/** Every pair that the node offers, as its description tells n8n. */
export function pairsOf(engine: Engine): Pair[] {
	const properties = propertiesOf(engine);
	const resources = optionsOf(properties.find(({ name }) => name === 'resource'));
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap((property) => {
			const resource = String(property.displayOptions?.show?.resource?.[0]);
			const title = resources.find(({ value }) => value === resource)?.name;
			return optionsOf(property).map(({ name, value, routing }) => ({
				id: `${resource}.${String(value)}`,
				resource,
				operation: String(value),
				name: `${title} → ${name}`,
				method: String(routing?.request?.method),
			}));
		});
}

/**
 * Every list that the editor loads, once. The filters come first: a search of folders is also behind Folder
 * of Flow → Create, and would have the name of another search by that field.
 */
export function listsOf(engine: Engine): EditorList[] {
	const properties = propertiesOf(engine);
	const filters = properties
		.filter(({ name }) => name === 'filters')
		.flatMap(({ options }) => options as INodeProperties[])
		.map((filter) => ({ ...filter, displayName: `Filter ${filter.displayName}` }));
	const lists = new Map<string, EditorList>();
	for (const { displayName: field, typeOptions, modes = [] } of [...filters, ...properties]) {
		const methods: Array<[EditorList['kind'], unknown]> = [
			['list', typeOptions?.loadOptionsMethod],
			...modes.map((mode): [EditorList['kind'], unknown] => [
				'From List',
				mode.typeOptions?.searchListMethod,
			]),
		];
		for (const [kind, method] of methods) {
			if (typeof method === 'string' && !lists.has(method))
				lists.set(method, { method, field, kind });
		}
	}
	return [...lists.values()];
}
