import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

/** What workflows save of the node and its trigger, so that none of it may change. */
export interface Saved {
	/** The fields of each operation and event, and those in the collections of an operation */
	fields: Record<string, string>;
	/** The default of each field, which workflows leave out */
	defaults: Record<string, unknown>;
}

export const SAVED = 'test/contract/saved.json';

const namesOf = (options: INodeProperties['options'] = []) =>
	[...new Set(options.map(({ name }) => name))].sort().join(', ');

/** A tool may have another default than the node. */
const placeOf = ({ name, displayOptions }: INodeProperties, all: INodeProperties[]) => {
	const isOfTool = displayOptions?.show?.['@tool'] !== undefined;
	const isAlsoOfNode = all.some(
		(each) => each.name === name && each.displayOptions?.hide?.['@tool'],
	);
	return isOfTool && isAlsoOfNode ? `${name} (tool)` : name;
};

export function savedOf([{ properties }, trigger]: INodeTypeDescription[]): Saved {
	const fields: Saved['fields'] = {};
	for (const { name, displayOptions, options = [] } of properties) {
		if (name !== 'operation') continue;
		const resource = String(displayOptions?.show?.resource?.[0]);
		for (const { value } of options as INodePropertyOptions[]) {
			const own = properties.filter(
				({ displayOptions: { show } = {} }) =>
					show?.resource?.includes(resource) && show.operation?.includes(String(value)),
			);
			const pair = `${resource}.${String(value)}`;
			fields[pair] = namesOf(own);
			for (const { name: collection, type, options: inner } of own) {
				if (type === 'collection') fields[`${pair}.${collection}`] = namesOf(inner);
			}
		}
	}
	// The first operation is one that reads, which another test checks; descriptions of tools are texts.
	const kept = properties.filter(
		({ name }) => !['requestOptions', 'toolDescription', 'operation'].includes(name),
	);
	const defaults = kept.map((each) => {
		const place = placeOf(each, kept);
		const alike = kept.filter((other) => placeOf(other, kept) === place);
		if (new Set(alike.map((other) => JSON.stringify(other.default))).size === 1) {
			return [place, each.default];
		}
		// Operations that have fields with the same name and other defaults.
		const { resource, operation } = each.displayOptions!.show!;
		return [`${String(resource)}.${String(operation)}.${place}`, each.default];
	});
	const [events, options] = ['event', 'options'].map(
		(field) => trigger.properties.find(({ name }) => name === field)?.options as INodeProperties[],
	);
	for (const { value } of events as unknown as INodePropertyOptions[]) {
		const own = [...trigger.properties, ...options].filter(({ name, displayOptions }) => {
			const shown = displayOptions?.show?.event ?? displayOptions?.show?.['/event'];
			return name !== 'pollTimes' && shown?.includes(value) !== false;
		});
		fields[`trigger.${value}`] = namesOf(own);
		defaults.push(...own.map((each) => [`trigger.${value}.${each.name}`, each.default]));
	}
	return { fields, defaults: Object.fromEntries(defaults) as Saved['defaults'] };
}

/** @throws when something that was saved is gone, or has another default */
export function refuseChanges(before: Saved, now: Saved): void {
	const gone = Object.entries(before.fields).flatMap(([where, names]) =>
		names
			.split(', ')
			.filter((name) => !now.fields[where]?.split(', ').includes(name))
			.map((name) => `${where}: ${name}`),
	);
	const changed = Object.entries(before.defaults)
		.filter(([name, value]) => JSON.stringify(now.defaults[name]) !== JSON.stringify(value))
		.map(([name]) => `the default of ${name}`);
	const all = [...gone, ...changed];
	if (all.length === 0) return;
	throw new Error(`Workflows save these, which may not change: ${all.join('; ')} (${SAVED})`);
}
