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

/** Every search behind a From List, with the name of its field. */
export function searchesOf({
	properties,
}: INodeTypeDescription): Array<{ method: string; field: string }> {
	const fields = new Map<string, string>();
	for (const { type, modes = [], displayName } of properties) {
		if (type !== 'resourceLocator') continue;
		for (const { typeOptions } of modes) {
			const method = typeOptions?.searchListMethod;
			if (typeof method === 'string' && !fields.has(method)) fields.set(method, displayName);
		}
	}
	return [...fields].map(([method, field]) => ({ method, field }));
}
