import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { FieldReader } from '../execution/fieldReader';
import type { ApiRequest } from '../transport/client/request';
import { isRecord } from '../transport/values';
import { collectionField, type OptionsField, textField, timeField } from './fields';
import { type Locator, locatorField, toLocatorId } from './locator';
import { readOptional, splitList, toIdText, toOption, toText, toWholeNumber } from './parameters';
import { toUtc } from './times';

/** An optional field of a list: sent as a query parameter, unless the operation reads it itself. */
export interface Filter<T = unknown> {
	property: INodeProperties;
	/** Query parameter, if its name differs from the field's */
	parameter?: string;
	/** Converts a value that is not blank. A list without entries becomes an empty list. */
	parse: (label: string, value: unknown, fields: FieldReader) => T;
}

const filterWith =
	<T>(parse: (...args: [...Parameters<Filter['parse']>, INodeProperties]) => T) =>
	(property: INodeProperties, parameter?: string): Filter<T> => ({
		property,
		parameter,
		parse: (label, value, fields) => parse(label, value, fields, property),
	});

/** A field that has options takes one of them, other fields take any text. */
const toOptionOrText = (property: INodeProperties, value: unknown): string =>
	property.options === undefined
		? toText(property.displayName, value)
		: toOption(property as OptionsField, value);

export const filter = filterWith((_label, value, _fields, property) =>
	toOptionOrText(property, value),
);

/** A filter with several values, each sent as a query parameter of its own. */
export const listFilter = filterWith((label, value, _fields, property) =>
	splitList(label, value).map((text) => toOptionOrText(property, text)),
);

export const textFilter = (...field: Parameters<typeof textField>) => filter(textField(...field));

/** A part of the name, which the service searches with LIKE. */
export const nameFilter = (name: string, records: string, placeholder: string) =>
	textFilter('Name', name, {
		placeholder,
		description: `Return only ${records} whose name contains this text. Not case-sensitive. % and _ are wildcards.`,
	});

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
export const getFilter = <T>(fields: FieldReader, { property, parse }: Filter<T>): T | undefined =>
	readOptional(fields, {
		label: property.displayName,
		// If all of Filters is an expression, n8n empties it when it loads the workflow.
		name: `filters.${property.name}`,
		type: property.type,
		parse: (label, value) => parse(label, value, fields),
	});

export function filtered(fields: FieldReader, request: ApiRequest, filters: Filter[]): ApiRequest {
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
