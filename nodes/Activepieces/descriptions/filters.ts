import type {
	IDataObject,
	IHttpRequestOptions,
	INodeProperties,
	PreSendAction,
} from 'n8n-workflow';

/** The Filters collection of a list. The fields are sent as query parameters of the same name. */
export function filters(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		options,
	};
}

/** Sends a filter as the query parameter of its name. */
export function queryFilter(property: INodeProperties): INodeProperties {
	return { ...property, routing: { send: { type: 'query', property: property.name } } };
}

/** `a, b` as `['a', 'b']`. A list from an expression is taken as it is, so values may hold commas. */
export function splitList(value: unknown): string[] {
	const values = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',');
	return values.map((each) => each.trim()).filter((each) => each !== '');
}

function asList(name: string): PreSendAction {
	return async (options: IHttpRequestOptions) => {
		const query = (options.qs ?? {}) as IDataObject;
		return { ...options, qs: { ...query, [name]: splitList(query[name]) } };
	};
}

/** A text filter that takes several values; each is sent as a key of its own. */
export function listFilter(property: INodeProperties): INodeProperties {
	return {
		...property,
		routing: {
			send: { type: 'query', property: property.name, preSend: [asList(property.name)] },
		},
	};
}
