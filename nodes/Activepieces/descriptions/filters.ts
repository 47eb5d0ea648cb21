import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { OperationContext } from '../execution/operationContext';
import { isRecord } from '../transport/isRecord';
import { splitList } from './parameters';
import { toUtc } from './time';

type ParameterReader = Pick<OperationContext, 'getParameter' | 'getTimezone'>;

/** An optional field of a list that is sent as a query parameter. */
export interface Filter {
	property: INodeProperties;
	/** The query parameter, where it has another name than the field */
	parameter?: string;
	/** Makes of the field's value what is sent */
	toQuery: (value: unknown, context: ParameterReader) => unknown;
}

/** Text without the space around it, which comes from pasting. */
const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value);

/** A filter with one value; `parameter` is the query parameter where that has another name. */
export const filter = (property: INodeProperties, parameter?: string): Filter => ({
	property,
	parameter,
	toQuery: trimmed,
});

/** A filter that takes several values; each is sent as a key of its own. */
export const listFilter = (property: INodeProperties, parameter?: string): Filter => ({
	property,
	parameter,
	toQuery: splitList,
});

/** A filter that takes a point in time; it is sent in UTC. */
export const timeFilter = (property: INodeProperties): Filter => ({
	property,
	toQuery: (value, { getTimezone }) =>
		isSet(trimmed(value)) ? toUtc(property.displayName, value, getTimezone()) : undefined,
});

/** The Filters collection of a list. */
export function filtersField(filters: Filter[]): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		options: filters.map(({ property }) => property),
	};
}

/** An emptied field counts as not set. */
const isSet = (value: unknown): boolean =>
	value !== undefined &&
	value !== null &&
	value !== '' &&
	!(Array.isArray(value) && value.length === 0);

/** The values of the Filters collection, as the person entered them. */
export function getFilters({ getParameter }: Pick<OperationContext, 'getParameter'>): IDataObject {
	const values = getParameter('filters', {});
	return isRecord(values) ? values : {};
}

/** The query parameters of the filters that are set; what is not set is not sent. */
export function getFilterQuery(context: ParameterReader, filters: Filter[]): IDataObject {
	const values = getFilters(context);
	const entries = filters
		.map(
			({ property: { name }, parameter = name, toQuery }) =>
				[parameter, toQuery(values[name], context)] as const,
		)
		.filter(([, value]) => isSet(value));
	return Object.fromEntries(entries) as IDataObject;
}

/** The display names of filters by their query parameters, for messages. */
export const filterLabels = (filters: Filter[]): Record<string, string> =>
	Object.fromEntries(
		filters.map(({ property: { name, displayName }, parameter = name }) => [
			parameter,
			displayName,
		]),
	);
