import type { IDataObject, INodeProperties, PreSendAction } from 'n8n-workflow';

import { splitList } from './value';

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

/** Changes the value of one query parameter before it is sent. */
const changing =
	(name: string, change: (value: unknown) => unknown): PreSendAction =>
	async (options) => {
		const query = (options.qs ?? {}) as IDataObject;
		return { ...options, qs: { ...query, [name]: change(query[name]) as IDataObject } };
	};

/** Text without the space around it, which comes from pasting. */
const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value);

const sentAs = (
	property: INodeProperties,
	change: (value: unknown) => unknown,
): INodeProperties => ({
	...property,
	routing: {
		send: {
			type: 'query',
			property: property.name,
			preSend: [changing(property.name, change)],
		},
	},
});

/** Sends a filter as the query parameter of its name. */
export const queryFilter = (property: INodeProperties) => sentAs(property, trimmed);

/** A filter that takes several values; each is sent as a key of its own. */
export const listFilter = (property: INodeProperties) => sentAs(property, splitList);
