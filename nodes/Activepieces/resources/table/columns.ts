import type { IDataObject } from 'n8n-workflow';

import { fetched } from '../../descriptions/field';
import { nameOf } from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import type { ApiClient } from '../../transport/api/client';
import type { Endpoint } from '../../transport/client/request';
import { refusal, validationError } from '../../transport/errors/error';
import { seenText } from '../../transport/names';
import { shortName, someOf } from '../../transport/texts';
import { isRecord, recordOf, textOf } from '../../transport/values';
import { fromCellText, type ColumnKind } from './cellValues';
import { tableOfRecord, type TableTarget } from './table';

/** Returns the columns as an array, the oldest first, without pages (recorded). */
export const LIST_FIELDS: Endpoint = { method: 'GET', path: '/v1/fields' };

export const GET_TABLE: Endpoint = { method: 'GET', path: '/v1/tables/{id}' };

/** A column of a table, which Activepieces calls a field. */
export interface Column extends ColumnKind {
	id: string;
	/**
	 * Its name in n8n. It is the ID for several columns with the same name (recorded), and for a name that n8n
	 * drops from the values of Columns
	 */
	key: string;
}

const DROPPED_BY_N8N = ['__proto__', 'constructor', 'prototype'];

export function optionsOf({ data }: IDataObject): string[] {
	const options = isRecord(data) && Array.isArray(data.options) ? data.options : [];
	return options.filter(isRecord).map(({ value }) => textOf(value));
}

/** @throws {ActivepiecesError} if the service does not have the table */
export const assertTable = async (client: ApiClient, { target }: TableTarget) =>
	await client.requestRecord({ endpoint: GET_TABLE, ...target });

const toColumn = (field: IDataObject, isUnique: boolean): Column => ({
	id: textOf(field.id),
	key: textOf(isUnique ? field.name : field.id),
	name: nameOf(field, 'name'),
	type: textOf(field.type),
	options: optionsOf(field),
});

/** Adds a new column to those of its table. */
export function addTo(columns: Column[], field: IDataObject): void {
	columns.push(toColumn(field, !DROPPED_BY_N8N.includes(textOf(field.name))));
}

/** The columns of a table, which all input items share. */
export async function fetchColumns(client: ApiClient, table: TableTarget): Promise<Column[]> {
	const request = { endpoint: LIST_FIELDS, query: { tableId: table.id }, subject: table.subject };
	const read = async (): Promise<Column[]> => {
		const data = await client.fetchUnpagedList(request);
		const names = data.map(({ name }) => textOf(name));
		const taken = new Set(['', ...DROPPED_BY_N8N]);
		const repeated = new Set<string>();
		for (const name of names) {
			if (taken.has(name)) repeated.add(name);
			taken.add(name);
		}
		return data.map((field, i) => toColumn(field, !repeated.has(names[i])));
	};
	return await client.cached(`columns ${table.id}`, read);
}

/** @throws {ActivepiecesError} if the table has lost one of the columns since they were read */
export async function assertColumns(client: ApiClient, table: TableTarget, columns: Column[]) {
	const query = { tableId: table.id };
	const request = { endpoint: LIST_FIELDS, query, subject: table.subject };
	const ids = (await client.fetchUnpagedList(request)).map(({ id }) => id);
	const lost = columns.find(({ id }) => !ids.includes(id));
	if (lost === undefined) return;
	throw refusal(
		`The column "${shortName(lost.name)}" was deleted while the node was running`,
		'Change Conditions before you run the node again.',
	);
}

export const cellOf = ({ cells }: IDataObject, { id }: Column) => recordOf(recordOf(cells)[id]);

/** The fields of a simplified record that are no columns. A column with such a name is in the raw record only. */
export const OWN_FIELDS = ['id', 'created', 'updated'];

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

/**
 * The same with what the node says of a record, such as what an upsert did with it; beside the record, if a column has
 * that name.
 */
export const simplifyMarked =
	(columns: Column[], mark: 'change' | 'dryRun'): Simplify =>
	({ [mark]: value, ...record }) => {
		const simple = simplifyTableRecord(columns)(record);
		if (value === undefined) return simple;
		if (Object.hasOwn(simple, mark)) return { [mark]: value, record: simple };
		const { id, ...others } = simple;
		return { id, [mark]: value, ...others };
	};

export type TableWithColumns = TableTarget & { columns: Column[] };

/** The table that holds a record, with its columns. */
export const tableWithColumns = fetched(
	{ table: tableOfRecord },
	async ({ table }, { client }) => ({
		...table,
		columns: await fetchColumns(client, table),
	}),
);

/** How a record of the table is simplified. */
export const simplifyByColumns = ({ table }: { table: { columns: Column[] } }) =>
	simplifyTableRecord(table.columns);

/**
 * The column that a name or an ID means: the one with exactly this name, or else the only one that looks alike.
 *
 * @throws {ValidationError} if several columns look alike
 */
export function columnNamed(columns: Column[], name: string): Column | undefined {
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

/** The columns that the names mean; `advice` follows what the error says of those that the table lacks. */
export function findColumns(columns: Column[], names: string[], advice = ''): Column[] {
	const found = names.map((name) => columnNamed(columns, name));
	const missing = names.filter((_name, i) => found[i] === undefined);
	if (missing.length === 0) return found as Column[];
	const quoted = (all: string[]) => someOf(all.map((name) => `"${shortName(name)}"`));
	throw validationError(
		`The table has no column ${quoted(missing)}`,
		`Activepieces would ignore ${missing.length > 1 ? 'them' : 'it'}. The columns are ${
			quoted(columns.map(({ name }) => name)) || 'none'
		}.${advice}`,
	);
}
