import type { IDataObject, INodeProperties, ResourceMapperField } from 'n8n-workflow';

import { choices, collectionField, optionsField } from '../../descriptions/fields';
import { nameOf } from '../../descriptions/locator';
import { getOutputMode, type Simplify } from '../../descriptions/output';
import { getOption } from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client/client';
import type { Endpoint } from '../../transport/client/request';
import { isListRefused, validationError } from '../../transport/errors/error';
import { fetchUnpagedList } from '../../transport/lists/pages';
import { TABLES_WITHOUT_KEYS } from '../../transport/errors/responseMessages';
import { requestRecord } from '../../transport/client/record';
import { cleanInput, seenText, shortName, someOf } from '../../transport/text';
import { isRecord, recordOf, textOf } from '../../transport/values';
import { type TableTarget, tableTarget } from '../table/table';
import { type ColumnKind, fromCellText, toCellText } from './cellValues';

/** Returns the columns as an array, the oldest first, without pages (recorded). */
const LIST_FIELDS: Endpoint = { method: 'GET', path: '/v1/fields', rules: [TABLES_WITHOUT_KEYS] };

const GET_TABLE: Endpoint = {
	method: 'GET',
	path: '/v1/tables/{id}',
	rules: [TABLES_WITHOUT_KEYS],
};

/** A column of a table, which Activepieces calls a field. */
export interface Column extends ColumnKind {
	id: string;
	/**
	 * Its name in n8n. It is the ID for several columns with the same name (recorded), and for a name that n8n
	 * drops from the values of Columns
	 */
	key: string;
}

/** A value to store */
export interface Cell extends IDataObject {
	fieldId: string;
	value: string;
}

const DROPPED_BY_N8N = ['__proto__', 'constructor', 'prototype'];

function optionsOf({ data }: IDataObject): string[] {
	const options = isRecord(data) && Array.isArray(data.options) ? data.options : [];
	return options.filter(isRecord).map(({ value }) => textOf(value));
}

/** The columns of a table, which all input items share. */
export async function fetchColumns(client: ApiClient, table: TableTarget): Promise<Column[]> {
	const request = { endpoint: LIST_FIELDS, query: { tableId: table.id }, subject: table.subject };
	const read = async (): Promise<Column[]> => {
		const { data } = await fetchUnpagedList(client, request);
		// 0.73 lists any unknown table as empty (recorded).
		if (data.length === 0) await requestRecord(client, { endpoint: GET_TABLE, ...table.target });
		const names = data.map(({ name }) => textOf(name));
		const others = ['', ...DROPPED_BY_N8N];
		return data.map((field, i): Column => {
			const id = textOf(field.id);
			const isUnique = [...others, ...names].filter((name) => name === names[i]).length === 1;
			return {
				id,
				key: isUnique ? names[i] : id,
				name: nameOf(field, 'name'),
				type: textOf(field.type),
				options: optionsOf(field),
			};
		});
	};
	return await client.once(`columns ${table.id}`, read, isListRefused);
}

export const cellOf = ({ cells }: IDataObject, { id }: Column) => recordOf(recordOf(cells)[id]);

/** The fields of a simplified record that are no columns. A column with such a name is in the raw record only. */
const OWN_FIELDS = ['id', 'created', 'updated'];

/**
 * A record with a field for each column. The service changes `updated` of a cell, never that of its record
 * (recorded), so the simplified record has the latest of them.
 */
export const simplifyTableRecord =
	(columns: Column[]): Simplify =>
	(record) => {
		const times = columns.map((column) => textOf(cellOf(record, column).updated));
		const values = columns
			.filter(({ key }) => !OWN_FIELDS.includes(key))
			.map((column) => [column.key, fromCellText(column, cellOf(record, column).value)]);
		return {
			id: record.id ?? null,
			...(Object.fromEntries(values) as IDataObject),
			created: record.created ?? null,
			// ISO times in UTC, which sort as text
			updated: [textOf(record.updated), ...times].sort().at(-1) || null,
		};
	};

export const columnsField: INodeProperties = {
	displayName: 'Columns',
	name: 'columns',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	required: true,
	description:
		'The values of the columns. Dates are ISO 8601; a time without a zone is in the time zone of the workflow. With Map Automatically, the input needs the names of the columns.',
	// There are no columns to load before a table is chosen.
	displayOptions: { hide: { tableId: [''] } },
	typeOptions: {
		loadOptionsDependsOn: ['tableId.value'],
		resourceMapper: {
			resourceMapperMethod: 'getTableColumns',
			mode: 'add',
			fieldWords: { singular: 'column', plural: 'columns' },
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: true,
		},
	},
};

export const extraFields = optionsField('Fields Not in the Table', 'extraFields', {
	options: choices(
		['Ignore', 'ignore', 'Stores the other fields'],
		['Refuse', 'refuse', 'Fails the item and changes nothing'],
	),
	default: 'refuse',
	description:
		'What to do with fields of the input that are no columns of the table. Only for Map Automatically.',
});

export const columnOptions = collectionField('Options', 'options', 'Add option', [extraFields]);

const MAPPER_TYPES: Record<string, ResourceMapperField['type']> = {
	NUMBER: 'number',
	DATE: 'dateTime',
	DATETIME: 'dateTime',
	STATIC_DROPDOWN: 'options',
};

export const toMapperField = ({ key, name, type, options }: Column): ResourceMapperField => ({
	id: key,
	displayName: name,
	type: MAPPER_TYPES[type] ?? 'string',
	...(type === 'STATIC_DROPDOWN' && {
		options: options.map((value) => ({ name: value, value })),
	}),
	required: false,
	defaultMatch: false,
	canBeUsedToMatch: true,
	display: true,
});

/** What an operation reads first: which table it is for, its columns, and how its records are returned. */
export async function readTable(context: OperationContext) {
	const table = tableTarget(context);
	const columns = await fetchColumns(context.client, table);
	return { table, columns, output: getOutputMode(context, simplifyTableRecord(columns)) };
}

/**
 * The column that a name or an ID means: the one with exactly this name, or else the only one that looks alike.
 *
 * @throws {ValidationError} if several columns look alike
 */
function columnNamed(columns: Column[], name: string): Column | undefined {
	const column = columns.find(({ key }) => key === name) ?? columns.find(({ id }) => id === name);
	if (column !== undefined) return column;
	const seen = seenText(name);
	const same = columns.filter((each) => each.name === name);
	const alike =
		same.length > 0
			? same
			: columns.filter((each) => seenText(each.name) === seen || each.id === seen);
	if (alike.length <= 1) return alike[0];
	const isSame = alike.every(({ key, id }) => key === id);
	const difference = isSame ? '' : 'Their names differ only in blanks or invisible characters. ';
	throw validationError(
		`The table has ${alike.length} columns "${shortName(name)}"`,
		`${difference}Use the ID of one of them instead: ${alike.map(({ id }) => id).join(', ')}.`,
	);
}

export function findColumn(columns: Column[], name: string, advice = ''): Column {
	const column = columnNamed(columns, name);
	if (column !== undefined) return column;
	const names = columns.map((each) => `"${shortName(each.name)}"`);
	throw validationError(
		`The table has no column "${shortName(name)}"`,
		`Activepieces would ignore it. The columns are ${someOf(names) || 'none'}.${advice}`,
	);
}

type ColumnValue = [column: Column, value: unknown];

function valuesByHand(context: OperationContext, columns: Column[]): ColumnValue[] {
	const { value } = recordOf(context.get('columns', {}));
	const saved = recordOf(recordOf(context.raw('columns', {})).value);
	// The editor saves null for a column that nobody filled in.
	const isGiven = (name: string, each: unknown) =>
		each !== undefined && !(each === null && (saved[name] ?? null) === null);
	return Object.entries(recordOf(value))
		.filter(([name, each]) => isGiven(name, each))
		.map(([name, each]) => [findColumn(columns, name), each]);
}

function valuesOfInput(context: OperationContext, columns: Column[], isUpdate: boolean) {
	if (context.json === undefined) {
		throw validationError(
			'Map Automatically cannot be used here',
			'Set Mapping Column Mode to Map Each Column Manually.',
		);
	}
	const onExtra = getOption(context, extraFields, 'options');
	const advice = ` To leave out such fields, set Options > ${extraFields.displayName} to Ignore.`;
	return Object.entries(context.json).flatMap(([name, value]): ColumnValue[] => {
		const known = columnNamed(columns, name);
		// Get Many returns these fields of the record itself, even if columns have these names.
		const isOwn = OWN_FIELDS.includes(cleanInput(name)) && (isUpdate || known === undefined);
		const isExtra = known === undefined && onExtra === 'ignore';
		if (value === undefined || isOwn || isExtra) return [];
		const column = findColumn(columns, name, advice);
		// What Get Many returns for a value that the record never had.
		return isUpdate && value === null ? [] : [[column, value]];
	});
}

/**
 * The columns by which the record of an item is found.
 *
 * @throws {ValidationError} if there is none, or the item has no value for one of them
 */
export function readMatching(context: OperationContext, columns: Column[], cells: Cell[]) {
	const { matchingColumns: names } = recordOf(context.get('columns', {}));
	if (!Array.isArray(names) || names.length === 0) {
		throw validationError('Columns to Match On is empty', 'Choose at least one column.');
	}
	return names.map((name) => {
		const column = findColumn(columns, textOf(name));
		if (cells.some(({ fieldId, value }) => fieldId === column.id && value !== '')) return column;
		throw validationError(
			`The column "${shortName(column.name)}" has no value to match on`,
			'Every input item needs a value for each of the Columns to Match On.',
		);
	});
}

/**
 * The cells that an item gives. The service ignores a column that it does not know, and fails for a column
 * that comes twice (recorded).
 *
 * @throws {ValidationError} for a column that the table does not have, a value that does not fit its column,
 * and when the item gives no value
 */
export function readCells(context: OperationContext, columns: Column[], isUpdate = false) {
	const { mappingMode } = recordOf(context.get('columns', {}));
	const isAutomatic = mappingMode === 'autoMapInputData';
	const values = isAutomatic
		? valuesOfInput(context, columns, isUpdate)
		: valuesByHand(context, columns);
	if (values.length === 0) {
		throw isAutomatic
			? validationError(
					'The input item has no value for a column of the table',
					'Map Automatically needs fields with the names of the columns.',
				)
			: validationError('Values to Send is empty', 'Enter the value of at least one column.');
	}
	const given = values.map(([column]) => column);
	const twice = given.find((column, i) => given.indexOf(column) < i);
	if (twice !== undefined) {
		throw validationError(
			`The column "${shortName(twice.name)}" has two values`,
			'Remove one of them: it may have the ID of the column, or differ only in blanks.',
		);
	}
	return values.map(([column, value]): Cell => ({
		fieldId: column.id,
		value: toCellText(column, value, context.getTimezone()),
	}));
}
