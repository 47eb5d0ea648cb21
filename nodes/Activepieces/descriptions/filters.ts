import {
	type IDataObject,
	type INodeProperties,
	type INodePropertyOptions,
	tryToParseDateTime,
} from 'n8n-workflow';

import type { ClientFields } from '../execution/item';
import { validationError } from '../transport/errors/error';
import type { ApiRequest } from '../transport/client/request';
import { capitalize } from '../transport/text';
import { describeValue, isRecord, textOf } from '../transport/values';
import { collectionField, textField, timeField } from './fields';
import { type Locator, locatorField, toLocatorId } from './locator';
import {
	parameterError,
	readOptional,
	splitList,
	toIdText,
	toText,
	toWholeNumber,
} from './parameters';

/** `2026-11-20`, `2026-11-20T08:00`, optionally with seconds, and with `Z` or an offset. */
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Whether the calendar has a day, because JavaScript reads 30 February as 2 March. */
function isDay(day: string): boolean {
	const time = Date.parse(`${day}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** Milliseconds since 1970; NaN for a value that is not a time. */
export function parseTime(value: unknown, timeZone: string): number {
	if (value instanceof Date) return value.getTime();
	// A DateTime of Luxon, from an expression such as {{ $now }}
	if (isRecord(value) && 'toMillis' in value) return Number(value);
	if (typeof value !== 'string') return NaN;
	const text = value.trim();
	const match = ISO.exec(text);
	if (match === null || !isDay(text.slice(0, 10))) return NaN;
	const iso = text.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
	if (match[1] !== undefined) return Date.parse(iso);
	if (Number.isNaN(Date.parse(iso))) return NaN;
	return tryToParseDateTime(iso, timeZone).toMillis();
}

/**
 * Converts a point in time to the service's format. A time without a zone, as n8n's date picker gives
 * it, is in the time zone of the workflow.
 *
 * @throws {ValidationError} for any other value, to which the service would respond with 500 (recorded)
 */
export function toUtc(label: string, value: unknown, timeZone: string): string {
	const time = parseTime(value, timeZone);
	if (!Number.isNaN(time)) return new Date(time).toISOString();
	throw validationError(
		`${capitalize(label)} must be a date, not ${describeValue(value)}`,
		`Change ${label}, for example to 2026-11-20T08:00:00Z.`,
	);
}

/** An optional field of a list: sent as a query parameter, unless the operation reads it itself. */
export interface Filter<T = unknown> {
	property: INodeProperties;
	/** Query parameter, if its name differs from the field's */
	parameter?: string;
	/** Converts a value that is not blank. A list without entries becomes an empty list. */
	parse: (label: string, value: unknown, fields: ClientFields) => T;
}

const filterWith =
	<T>(parse: (...args: [...Parameters<Filter['parse']>, INodeProperties]) => T) =>
	(property: INodeProperties, parameter?: string): Filter<T> => ({
		property,
		parameter,
		parse: (label, value, fields) => parse(label, value, fields, property),
	});

/**
 * Finds the option of a field that has options; other fields take any text. A model often gives the name of
 * an option, or other letters, and the service ignores some unknown values (recorded).
 */
function toOption(label: string, text: string, { options }: INodeProperties): string {
	if (options === undefined) return text;
	const known = options as INodePropertyOptions[];
	const isMeant = (each: unknown) => textOf(each).toLowerCase() === text.toLowerCase();
	const option = known.find(({ name, value }) => isMeant(value) || isMeant(name));
	if (option !== undefined) return textOf(option.value);
	throw parameterError(label, `one of ${known.map(({ value }) => value).join(', ')}`, text);
}

export const filter = filterWith((label, value, _fields, property) =>
	toOption(label, toText(label, value), property),
);

/** A filter with several values, each sent as a query parameter of its own. */
export const listFilter = filterWith((label, value, _fields, property) =>
	splitList(label, value).map((text) => toOption(label, text, property)),
);

export const textFilter = (...field: Parameters<typeof textField>) => filter(textField(...field));

export const textsFilter = (...field: Parameters<typeof textField>): Filter<string[]> =>
	listFilter(textField(...field));

export const idListFilter = filterWith((label, value) => splitList(label, value, toIdText));

export const numberFilter = filterWith((label, value) => toWholeNumber(label, value));

const timeFilter = filterWith((label, value, fields) => toUtc(label, value, fields.getTimezone()));

/** When a record was created; both times are included. */
export const createdFilters = (records: string) =>
	[
		['After', 'later'],
		['Before', 'earlier'],
	].map(([bound, side]) => {
		const description = `Return only ${records} created at this time or ${side}. A time without a zone is in the workflow's time zone.`;
		return timeFilter(timeField(`Created ${bound}`, `created${bound}`, { description }));
	});

export const locatorFilter = (locator: Locator): Filter<string> => ({
	property: locatorField(locator),
	parse: (_label, value, { client }) => toLocatorId(locator, value, client),
});

export const filtersField = (filters: Filter[]): INodeProperties =>
	collectionField(
		'Filters',
		'filters',
		'Add filter',
		filters.map(({ property }) => property),
	);

/** The value of a filter; undefined when it was left out or left empty. */
export const getFilter = <T>(fields: ClientFields, { property, parse }: Filter<T>): T | undefined =>
	readOptional(fields, {
		label: property.displayName,
		// If all of Filters is an expression, n8n empties it when it loads the workflow.
		name: `filters.${property.name}`,
		type: property.type,
		parse: (label, value) => parse(label, value, fields),
	});

export function filtered(fields: ClientFields, request: ApiRequest, filters: Filter[]): ApiRequest {
	const added = fields.get('filters', {});
	const query: IDataObject = { ...request.query };
	const labels: Record<string, string> = {};
	for (const each of filters) {
		const { parameter = each.property.name } = each;
		labels[parameter] = each.property.displayName;
		if (!isRecord(added) || !Object.hasOwn(added, each.property.name)) continue;
		const value = getFilter(fields, each);
		if (value !== undefined) query[parameter] = value as IDataObject[string];
	}
	return { ...request, query, subject: { ...request.subject, labels } };
}
