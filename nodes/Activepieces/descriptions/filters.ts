import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { OperationContext } from '../execution/operationContext';
import type { ApiRequest } from '../transport/request/request';
import { isRecord } from '../transport/values/isRecord';
import { type Locator, locatorValue, locatorField, toLocatorId } from './locator';
import { readOptional } from './optional';
import { type ParameterReader, splitList, toIdText, toPositiveInteger, toText } from './parameters';
import { toUtc } from './time';

type FilterReader = Pick<OperationContext, 'getParameter' | 'getTimezone'>;

/** An optional field of a list: sent as a query parameter, unless the operation reads it itself. */
export interface Filter<T = unknown> {
	property: INodeProperties;
	/** Query parameter, if its name differs from the field's */
	parameter?: string;
	/** Converts a value that is not blank. A list without entries becomes an empty list. */
	parse: (label: string, value: unknown, context: FilterReader) => T;
}

/** A filter with one value. `parameter` is the query parameter, if its name differs from the field's. */
export const filter = (property: INodeProperties, parameter?: string): Filter<string> => ({
	property,
	parameter,
	parse: toText,
});

/** A filter with several values, each sent as a query parameter of its own. */
export const listFilter = (property: INodeProperties, parameter?: string): Filter<string[]> => ({
	property,
	parameter,
	parse: (label, value) => splitList(label, value),
});

/** A filter that selects one record. An expression may give its ID as text. */
export const locatorFilter = (locator: Locator): Filter<string> => ({
	property: locatorField(locator),
	parse: (_label, value) => toLocatorId(locator, value),
});

/** A filter with several IDs. */
export const idListFilter = (property: INodeProperties, parameter?: string): Filter<string[]> => ({
	property,
	parameter,
	parse: (label, value) => splitList(label, value, toIdText),
});

/** A filter with a count. */
export const numberFilter = (property: INodeProperties): Filter<number> => ({
	property,
	parse: (label, value) => toPositiveInteger(label, value),
});

/** A filter with a point in time, sent in UTC. */
export const timeFilter = (property: INodeProperties): Filter<string> => ({
	property,
	parse: (label, value, { getTimezone }) => toUtc(label, value, getTimezone()),
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

/**
 * The values of the Filters collection. If the whole collection is an expression, n8n empties it when it
 * loads the workflow.
 */
function getFilters({ getParameter }: ParameterReader): IDataObject {
	const values = getParameter('filters', {});
	return isRecord(values) ? values : {};
}

/** The value of a filter as the workflow saves it, with its expressions unevaluated. */
function savedFilter({ getParameter }: ParameterReader, name: string): unknown {
	const saved = getParameter('filters', {}, { rawExpressions: true });
	return isRecord(saved) ? saved[name] : undefined;
}

function readFilter<T>(
	context: FilterReader,
	{ property: { name, displayName, type }, parse }: Filter<T>,
	values: IDataObject,
): T | undefined {
	if (!Object.hasOwn(values, name)) return undefined;
	const held = (value: unknown) => (type === 'resourceLocator' ? locatorValue(value) : value);
	return readOptional({
		label: displayName,
		value: held(values[name]),
		saved: () => held(savedFilter(context, name)),
		type,
		parse: (label, value) => parse(label, value, context),
	});
}

/**
 * The value of a filter; undefined when it was left out or left empty.
 *
 * @throws {ValidationError} when the value cannot be used
 */
export const getFilter = <T>(context: FilterReader, filter: Filter<T>): T | undefined =>
	readFilter(context, filter, getFilters(context));

/** The query parameters of the filters that are set. */
function getFilterQuery(context: FilterReader, filters: Filter[]): IDataObject {
	const values = getFilters(context);
	const entries = filters
		.map(
			(each) => [each.parameter ?? each.property.name, readFilter(context, each, values)] as const,
		)
		.filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as IDataObject;
}

/** The display names of filters by their query parameters, for messages. */
const filterLabels = (filters: Filter[]): Record<string, string> =>
	Object.fromEntries(
		filters.map(({ property: { name, displayName }, parameter = name }) => [
			parameter,
			displayName,
		]),
	);

/**
 * The request for a list with the filters that are set.
 *
 * @throws {ValidationError} when a filter cannot be used
 */
export const filtered = (
	context: FilterReader,
	request: ApiRequest,
	filters: Filter[],
): ApiRequest => ({
	...request,
	query: { ...request.query, ...getFilterQuery(context, filters) },
	subject: { ...request.subject, labels: filterLabels(filters) },
});
