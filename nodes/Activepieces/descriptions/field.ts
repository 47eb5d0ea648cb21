/**
 * A field with the value that it has for an operation: described once, and read typed. An operation declares its
 * fields (`resources/operation.ts`), and reads none by its name.
 */
import { updateDisplayOptions, type IDataObject, type INodeProperties } from 'n8n-workflow';

import type { FieldReader } from '../execution/fieldReader';
import type { OperationContext } from '../execution/operationContext';
import type { ApiRequest } from '../transport/client/request';
import { validationError } from '../transport/errors/error';
import { isRecord } from '../transport/values';
import {
	type Field,
	type Filter,
	type PlainField,
	type SimpleField,
	type TargetField,
} from './kinds';
import { getOptionalId, locatorField, requestTarget, toLocatorId, type Locator } from './locator';
import { outputFields, readOutput } from './output';
import { readOptional } from './parameters';
import { recordFields } from './project';
import { collectionField } from './properties';

export type Fields = Record<string, Field>;

/** The values of fields, by their names in the operation. */
export type Values<F extends Fields> = { [Name in keyof F]: Awaited<ReturnType<F[Name]['read']>> };

export const propertiesOf = (
	fields: Record<string, Pick<Field, 'properties'>>,
): INodeProperties[] => Object.values(fields).flatMap(({ properties }) => properties);

/** Fields that are read together are read when one of them has to be. */
const turnOf = (fields: Record<string, Pick<Field, 'turn'>>): Field['turn'] =>
	Object.values(fields).find(({ turn }) => turn !== undefined)?.turn;

export async function readFields<F extends Fields>(
	context: OperationContext,
	fields: F,
): Promise<Values<F>> {
	const values: Record<string, unknown> = {};
	for (const when of ['first', undefined, 'last']) {
		for (const [name, { turn, read }] of Object.entries(fields)) {
			if (turn === when) values[name] = await read(context);
		}
	}
	return values as Values<F>;
}

/** What an item wants of the records that an operation returns itself. */
export const output: Field<ReturnType<typeof readOutput>> = {
	properties: outputFields,
	read: readOutput,
};

/**
 * A field that may be left empty, but not by an expression without a value: then there is no value.
 *
 * @param emptyMeans for the message about such an expression
 * @param path its name, if it is in a collection: `options.clearAt`
 */
export const optional = <Value>(
	{ properties, parse, turn }: Filter<Value> & Pick<Field, 'turn'>,
	emptyMeans: string,
	path = properties[0].name,
): SimpleField<Value | undefined> => ({
	properties,
	turn,
	read: (fields) =>
		readOptional(fields, {
			label: properties[0].displayName,
			name: path,
			type: properties[0].type,
			emptyMeans,
			parse: (_label, value) => parse(value, fields),
		}),
});

/**
 * The optional fields of a list, by the query parameters with which they are sent, unless the operation reads them
 * itself. A list without entries becomes an empty list.
 */
export type Filters = Record<string, Filter>;

export const filtersField = (filters: Filters) =>
	collectionField('Filters', 'filters', 'Add filter', propertiesOf(filters));

/** The value of a filter; undefined when it was left out or left empty. */
const getFilter = <Value>(fields: FieldReader, filter: Filter<Value>): Value | undefined =>
	// If all of Filters is an expression, n8n empties it when it loads the workflow.
	optional(filter, 'all', `filters.${filter.properties[0].name}`).read(fields);

export function filtered(fields: FieldReader, request: ApiRequest, filters: Filters): ApiRequest {
	const added = fields.get('filters', {});
	const query: IDataObject = { ...request.query };
	const labels: Record<string, string> = {};
	for (const [parameter, each] of Object.entries(filters)) {
		const [{ name, displayName }] = each.properties;
		labels[parameter] = displayName;
		if (!isRecord(added) || !Object.hasOwn(added, name)) continue;
		const value = getFilter(fields, each);
		if (value !== undefined) query[parameter] = value as IDataObject[string];
	}
	return { ...request, query, subject: { ...request.subject, labels } };
}

type FilterValues<F extends Filters> = { [Name in keyof F]?: ReturnType<F[Name]['parse']> };

/** The filters that an operation reads itself; one that a person has not added has no value. */
export const filterValues = <F extends Filters>(filters: F): Field<FilterValues<F>> => ({
	properties: [filtersField(filters)],
	read(context) {
		const values = Object.entries(filters).map(([name, each]) => [name, getFilter(context, each)]);
		return Object.fromEntries(values) as FilterValues<F>;
	},
});

/** The record that an item names. */
export const named = (locator: Locator): TargetField => ({
	isTarget: true,
	properties: recordFields(locator),
	read: (context) => requestTarget(context, locator),
});

function namesOf(fields: Fields): string {
	const labels = [...new Set(propertiesOf(fields).map(({ displayName }) => displayName))];
	return `${labels.slice(0, -1).join(', ')} or ${labels.at(-1)}`;
}

/** The ID of the record that an item names, if it names one. */
export const optionalId = (locator: Locator): SimpleField<string | undefined> & Filter<string> => ({
	properties: [locatorField(locator)],
	parse: (value, { client }) => toLocatorId(locator, value, client),
	read: (fields) => getOptionalId(fields, locator),
});

/** A field that n8n shows, and the node reads, only for some choices; otherwise it has no value. */
export const shownFor = <Choice extends string, Value>(
	chosen: PlainField<Choice>,
	shown: NoInfer<Choice> | Array<NoInfer<Choice>>,
	{ properties, read, turn }: Field<Value>,
): Field<Value | undefined> => ({
	turn,
	properties: updateDisplayOptions(
		{ show: { [chosen.properties[0].name]: [shown].flat() } },
		properties,
	),
	read: async (context) =>
		[shown].flat().includes(chosen.read(context)) ? await read(context) : undefined,
});

/** One value that several fields give. */
export const together = <F extends Fields, Value>(
	fields: F,
	combine: (values: Values<F>, context: OperationContext) => Value | Promise<Value>,
): Field<Value> => ({
	turn: turnOf(fields),
	properties: propertiesOf(fields),
	read: async (context) => combine(await readFields(context, fields), context),
});

/** A value that is fetched from the service by what fields give, after all other fields are read. */
export const fetched = <F extends Fields, Value>(
	fields: F,
	fetch: (values: Values<F>, context: OperationContext) => Promise<Value>,
): Field<Value> => ({ ...together(fields, fetch), turn: 'last' });

/** A field under Options, which has its default if a person has not added it. */
export const optionOf = <Value>({
	properties,
	parse,
}: Pick<PlainField<Value>, 'properties' | 'parse'>): SimpleField<Value> => ({
	properties,
	read(fields) {
		const [{ name, default: initial }] = properties;
		return parse(fields.get(`options.${name}`, initial), fields);
	},
});

/** The fields under Options. */
export function options<F extends Record<string, PlainField>>(fields: F): Field<Values<F>> {
	const all = Object.entries(fields).map(([name, each]) => ({ name, ...optionOf(each) }));
	return {
		turn: turnOf(fields),
		properties: [collectionField('Options', 'options', 'Add option', propertiesOf(fields))],
		read: (context) =>
			Object.fromEntries(all.map(({ name, read }) => [name, read(context)])) as Values<F>,
	};
}

/** n8n asks for no field that a person has not added. */
function withoutRequired(property: INodeProperties): INodeProperties {
	if (property.required !== true) return property;
	const optionalProperty = { ...property };
	delete optionalProperty.required;
	return optionalProperty;
}

/**
 * The fields that an Update can change, of which an item has at least one. Only fields that a person adds are changed;
 * one that was added without a value is not treated as left out: its reader decides what that means.
 *
 * @param names with which the message about none asks for one; by default of all fields
 */
export const updates = <F extends Record<string, PlainField>>(
	fields: F,
	names = namesOf(fields),
): Field<Partial<Values<F>>> => {
	const all = propertiesOf(fields).map(withoutRequired);
	return {
		turn: turnOf(fields),
		properties: [
			collectionField(
				'Update Fields',
				'updateFields',
				'Add field',
				all.sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
			),
		],
		read(context) {
			const given = context.get('updateFields', {});
			const added = isRecord(given) ? given : {};
			const update = Object.entries(fields).flatMap(([name, { properties, parse }]) => {
				const key = properties[0].name;
				if (!Object.hasOwn(added, key)) return [];
				return [[name, parse(context.get(`updateFields.${key}`, added[key]), context)]];
			});
			if (update.length > 0) return Object.fromEntries(update) as Partial<Values<F>>;
			throw validationError('Update Fields is empty', `Add ${names}.`);
		},
	};
};
