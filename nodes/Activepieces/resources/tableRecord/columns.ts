import type { IDataObject, INodeProperties, ResourceMapperField } from 'n8n-workflow';

import { toUtc } from '../../descriptions/filters';
import { nameOf } from '../../descriptions/locator';
import { getOutputMode, type Simplify } from '../../descriptions/output';
import { writeJson } from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/item';
import type { ApiClient } from '../../transport/client';
import type { Endpoint } from '../../transport/endpoint';
import { isListRefused, validationError } from '../../transport/error';
import { fetchUnpagedList } from '../../transport/pages';
import { TABLES_WITHOUT_KEYS } from '../../transport/responseMessages';
import { requestRecord } from '../../transport/send';
import { shortName, someOf } from '../../transport/text';
import { describeValue, isRecord, recordOf, textOf } from '../../transport/values';
import { type TableTarget, tableTarget } from '../table';

/** Returns the columns as an array, the oldest first, without pages (recorded). */
const LIST_FIELDS: Endpoint = { method: 'GET', path: '/v1/fields', rules: [TABLES_WITHOUT_KEYS] };

const GET_TABLE: Endpoint = {
	method: 'GET',
	path: '/v1/tables/{id}',
	rules: [TABLES_WITHOUT_KEYS],
};

/** A column of a table, which Activepieces calls a field. */
export interface Column {
	id: string;
	/**
	 * Its name in n8n. It is the ID for several columns with the same name (recorded), and for a name that n8n
	 * drops from the values of Columns
	 */
	key: string;
	name: string;
	type: string;
	options: string[];
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
	return await client.readOnce(`columns ${table.id}`, read, isListRefused);
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
			.map((column) => [column.key, cellOf(record, column).value ?? null]);
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

const MAPPER_TYPES: Record<string, ResourceMapperField['type']> = {
	NUMBER: 'number',
	DATE: 'dateTime',
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
	canBeUsedToMatch: false,
	display: true,
});

export const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function refused({ name }: Column, expected: string, value: unknown) {
	return validationError(
		`The column "${shortName(name)}" must be ${expected}, not ${describeValue(value)}`,
		'Correct it in the input item, or under Values to Send.',
	);
}

/**
 * Converts a value to the text that the service stores: 0.79 refuses anything else, and 0.85 stores
 * `[object Object]` (recorded). The service checks no value against the type of its column (recorded).
 */
function toCellText(column: Column, value: unknown, timezone: string): string {
	const { name, type, options } = column;
	if (value === null || value === '') return '';
	const { json: written, unfit } = typeof value === 'string' ? { json: value } : writeJson(value);
	// A Date is a text in JSON.
	const json =
		typeof value !== 'string' && written?.startsWith('"') ? textOf(JSON.parse(written)) : written;
	if (json === undefined || unfit !== undefined) {
		throw refused(column, 'a value that JSON can hold', value);
	}
	if (type === 'DATE') {
		const label = `the column "${shortName(name)}"`;
		const utc = toUtc(label, value, timezone);
		// A day has no time zone.
		return /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(json) ? json.trim() : utc;
	}
	if (type === 'NUMBER') {
		if (NUMBER.test(json.trim())) return json.trim();
		throw refused(column, 'a number', value);
	}
	if (type === 'STATIC_DROPDOWN' && !options.includes(json)) {
		const names = options.map((option) => `"${shortName(option)}"`);
		throw refused(column, `one of ${someOf(names, 'or one of ')}`, value);
	}
	if (json.includes('\0')) throw refused(column, 'text without the NUL character', value);
	return json;
}

/** What an operation reads first: which table it is for, its columns, and how its records are returned. */
export async function readTable(context: OperationContext) {
	const table = tableTarget(context);
	const columns = await fetchColumns(context.client, table);
	return { table, columns, output: getOutputMode(context, simplifyTableRecord(columns)) };
}

export function findColumn(columns: Column[], name: string): Column {
	const column = columns.find(({ key }) => key === name) ?? columns.find(({ id }) => id === name);
	if (column !== undefined) return column;
	const same = columns.filter((each) => each.name === name);
	if (same.length === 1) return same[0];
	if (same.length > 0) {
		throw validationError(
			`The table has ${same.length} columns "${shortName(name)}"`,
			`Use the ID of one of them instead: ${same.map(({ id }) => id).join(', ')}.`,
		);
	}
	const names = columns.map((each) => `"${shortName(each.name)}"`);
	throw validationError(
		`The table has no column "${shortName(name)}"`,
		`Activepieces would ignore it. The columns are ${someOf(names) || 'none'}.`,
	);
}

/** The values of the columns by name, as far as the item gives some. */
function givenValues(context: OperationContext, columns: Column[], isUpdate: boolean) {
	const { mappingMode, value } = recordOf(context.get('columns', {}));
	if (mappingMode !== 'autoMapInputData') {
		const saved = recordOf(recordOf(context.raw('columns', {})).value);
		// The editor saves null for a column that nobody filled in.
		return Object.entries(recordOf(value)).filter(
			([name, each]) => each !== undefined && !(each === null && (saved[name] ?? null) === null),
		);
	}
	if (context.json === undefined) {
		throw validationError(
			'Map Automatically cannot be used here',
			'Set Mapping Column Mode of Columns to Map Each Column Manually.',
		);
	}
	// Get Many returns these fields of the record itself, even if columns have these names.
	const isOwn = (name: string) =>
		OWN_FIELDS.includes(name) && (isUpdate || columns.every(({ key }) => key !== name));
	return Object.entries(context.json).filter(([name, each]) => each !== undefined && !isOwn(name));
}

/**
 * The cells that an item gives. The service ignores a column that it does not know, and fails for a column
 * that comes twice (recorded).
 *
 * @throws {ValidationError} for a column that the table does not have, a value that does not fit its column,
 * and when the item gives no value
 */
export function readCells(context: OperationContext, columns: Column[], isUpdate = false) {
	const cells = givenValues(context, columns, isUpdate).map(([name, value]): Cell => {
		const column = findColumn(columns, name);
		return { fieldId: column.id, value: toCellText(column, value, context.getTimezone()) };
	});
	if (cells.length === 0) {
		throw validationError('Columns has no values', 'Enter the value of at least one column.');
	}
	const ids = cells.map(({ fieldId }) => fieldId);
	const twice = columns.find(({ id }) => ids.indexOf(id) !== ids.lastIndexOf(id));
	if (twice === undefined) return cells;
	throw validationError(
		`Columns has two values for the column "${shortName(twice.name)}"`,
		'Remove the one with the name or the one with the ID.',
	);
}
