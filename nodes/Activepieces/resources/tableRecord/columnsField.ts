import type { IDataObject, INodeProperties, ResourceMapperField } from 'n8n-workflow';

import { options, together, type Values } from '../../descriptions/field';
import { choice, field } from '../../descriptions/kinds';
import { isBlank, toRecordName } from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/operationContext';
import { validationError } from '../../transport/errors/error';
import { cleanInput } from '../../transport/names';
import { shortName } from '../../transport/texts';
import { recordOf, textOf } from '../../transport/values';
import { toCellText, valueFormat, type ValueReading } from '../table/cellValues';
import {
	columnNamed,
	findColumns,
	OWN_FIELDS,
	type Column,
	type TableWithColumns,
} from '../table/columns';
import { addTextColumns } from '../table/newColumns';

/* The field Columns: what the editor shows of it, and the cells that an item gives in it. */

export interface Cell extends IDataObject {
	fieldId: string;
	value: string;
}

const columnsField: INodeProperties = {
	displayName: 'Columns',
	name: 'columns',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	required: true,
	description:
		'The values of the columns. Dates are ISO 8601, unless you set Numbers and Dates; a time without a zone is in the time zone of the workflow. With Map Automatically, the input needs the names of the columns.',
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

const extraFields = choice('Fields Not in the Table', 'extraFields', {
	options: [
		['Add as Text Columns', 'addText', 'Adds columns of type Text to the table'],
		['Ignore', 'ignore', 'Stores the other fields'],
		['Return an Error', 'refuse', 'Fails the item and changes nothing'],
	],
	default: 'refuse',
	description:
		'What to do with fields of the input that are not columns of the table. Only for Map Automatically.',
	displayOptions: { show: { '/columns.mappingMode': ['autoMapInputData'] } },
});

const emptyItems = choice('Items Without Values', 'emptyItems', {
	options: [
		['Return an Error', 'refuse', 'Fails the item'],
		['Skip', 'skip', 'Stores nothing for the item, and returns nothing'],
	],
	default: 'refuse',
	description: 'What to do with an item that has no value for any column, such as a blank line',
});

/** How the values of an item are read: the options of the operations that store them. */
export const readingOptions = { onExtra: extraFields, format: valueFormat };

/** The same, for operations whose items are the rows of a sheet. */
export const sheetOptions = { ...readingOptions, onEmpty: emptyItems };

const MAPPER_TYPES: Record<string, ResourceMapperField['type']> = {
	NUMBER: 'number',
	DATE: 'dateTime',
	DATETIME: 'dateTime',
	STATIC_DROPDOWN: 'options',
};

export const toMapperField = ({
	key,
	name,
	type,
	options: values,
}: Column): ResourceMapperField => ({
	id: key,
	displayName: name,
	type: MAPPER_TYPES[type] ?? 'string',
	...(type === 'STATIC_DROPDOWN' && {
		options: values.map((value) => ({ name: value, value })),
	}),
	required: false,
	defaultMatch: false,
	canBeUsedToMatch: true,
	display: true,
});

/** What an item gives in the field, and how it is read. */
interface Given {
	columns: IDataObject;
	options: Values<typeof readingOptions> & Partial<Values<typeof sheetOptions>>;
}

type ColumnValue = [column: Column, value: unknown];

function columnValues(
	columns: Column[],
	given: Array<[name: string, value: unknown]>,
	advice = '',
) {
	const names = given.map(([name]) => name);
	return findColumns(columns, names, advice).map((column, i): ColumnValue => [column, given[i][1]]);
}

function valuesByHand(
	context: OperationContext,
	{ value }: IDataObject,
	columns: Column[],
): ColumnValue[] {
	const saved = recordOf(recordOf(context.raw('columns', {})).value);
	// The editor saves null for a column that nobody filled in.
	const isGiven = (name: string, each: unknown) =>
		each !== undefined && !(each === null && (saved[name] ?? null) === null);
	const given = Object.entries(recordOf(value)).filter(([name, each]) => isGiven(name, each));
	if (!context.isTool) return columnValues(columns, given);
	// n8n makes a model give each column, so that one to keep comes as an empty text.
	const ofModel = given
		.filter(([, each]) => each !== '')
		.map(([name, each]): [string, unknown] => [name, isBlank(each) ? '' : each]);
	return columnValues(columns, ofModel);
}

function valuesOfInput(
	input: IDataObject | undefined,
	{ onExtra }: Given['options'],
	columns: Column[],
	isUpdate: boolean,
) {
	if (input === undefined) {
		throw validationError(
			'Map Automatically cannot be used here',
			'Set Mapping Column Mode to Map Each Column Manually.',
		);
	}
	const advice = ` To leave out such fields, set the option ${extraFields.label} to Ignore.`;
	const given = Object.entries(input).filter(([name, value]) => {
		const known = columnNamed(columns, name);
		// Get Many returns these fields of the record itself, even if columns have these names.
		const isOwn = OWN_FIELDS.includes(cleanInput(name)) && (isUpdate || known === undefined);
		// A blank value is no reason for a new column: n8n names those of a sheet without a header `__EMPTY`.
		const isLeftOut = onExtra === 'ignore' || (onExtra === 'addText' && isBlank(value));
		const isExtra = known === undefined && isLeftOut;
		return value !== undefined && !isOwn && !isExtra;
	});
	return columnValues(columns, given, advice);
}

/**
 * The columns by which the record of an item is found.
 *
 * @throws {ValidationError} if there is none
 */
export function matchingOf({ matchingColumns: names }: IDataObject, columns: Column[]): Column[] {
	if (Array.isArray(names) && names.length > 0) return findColumns(columns, names.map(textOf));
	throw validationError('Columns to Match On is empty', 'Choose at least one column.');
}

const REMOVE = 'before this node, for example with a Filter node.';
const REMOVE_BLANK_LINE = `If the input item is a blank line of a sheet, remove it ${REMOVE}`;

/** The service itself creates a record without values. */
function assertNotBlank(values: ColumnValue[], matching: Column[]): void {
	if (values.every(([, value]) => isBlank(value))) {
		throw validationError('The input item has only empty values', REMOVE_BLANK_LINE);
	}
	// An expression for a field that is missing may give blanks: they would match any record with blanks.
	const given = values.filter(([, value]) => !isBlank(value)).map(([column]) => column);
	const missing = matching.find((column) => !given.includes(column));
	if (missing === undefined) return;
	throw validationError(
		`The column "${shortName(missing.name)}" has no value to match on`,
		`Every input item needs a value for each of the Columns to Match On. Remove the others ${REMOVE}`,
	);
}

interface CellsToRead {
	/** For a record that is there, and may be emptied */
	isUpdate?: boolean;
	/** The columns that need a value */
	matching?: Column[];
}

const isAutoMapped = ({ mappingMode }: IDataObject) => mappingMode === 'autoMapInputData';

/**
 * The cells that an item gives. The service ignores a column that it does not know, and fails for a column
 * that comes twice (recorded).
 *
 * @throws {ValidationError} for a column that the table does not have, a value that does not fit its column,
 * and when the item gives no value
 */
function toCells(
	context: OperationContext,
	columns: Column[],
	{ columns: given, options: reading }: Given,
	{ isUpdate = false, matching = [] }: CellsToRead,
) {
	const isAutomatic = isAutoMapped(given);
	const values = isAutomatic
		? valuesOfInput(context.json, reading, columns, isUpdate)
		: valuesByHand(context, given, columns);
	if (values.length === 0) {
		throw isAutomatic
			? validationError(
					'The input item has no value for any column of the table',
					`Map Automatically needs fields with the names of the columns. ${REMOVE_BLANK_LINE}`,
				)
			: validationError(
					'Values to Send is empty',
					`Enter the value of at least one column. ${REMOVE_BLANK_LINE}`,
				);
	}
	const filled = values.map(([column]) => column);
	const twice = filled.find((column, i) => filled.indexOf(column) < i);
	if (twice !== undefined) {
		throw validationError(
			`The column "${shortName(twice.name)}" has two values`,
			'Remove one of them: it may have the ID of the column, or differ only in blanks.',
		);
	}
	if (!isUpdate) assertNotBlank(values, matching);
	const valueReading: ValueReading = {
		format: reading.format,
		timezone: context.getTimezone(),
		correct: `Correct it in the input item${isAutomatic ? '' : ', or under Values to Send'}`,
	};
	return values.map(([column, value]): Cell => ({
		fieldId: column.id,
		value: toCellText(column, value, valueReading),
	}));
}

/** Whether an item is a blank line of a sheet: also an Update, which can empty values, gets none from it. */
function isBlankItem(context: OperationContext, { columns: given }: Given): boolean {
	const values = isAutoMapped(given) ? context.json : recordOf(given.value);
	return values !== undefined && Object.values(values).every(isBlank);
}

/** The names of the fields of an item that are to become columns of text. */
function newNames(
	{ json = {} }: OperationContext,
	columns: Column[],
	{ columns: given, options: { onExtra } }: Given,
): string[] {
	if (onExtra !== 'addText' || !isAutoMapped(given)) return [];
	const all = [...columns];
	for (const [name, value] of Object.entries(json)) {
		const isOwn = OWN_FIELDS.includes(cleanInput(name));
		if (isOwn || isBlank(value) || columnNamed(all, name) !== undefined) continue;
		all.push(textColumn(toRecordName('The name of a field', name, 'column')));
	}
	return all.slice(columns.length).map((column) => column.name);
}

const textColumn = (name: string): Column => ({
	id: name,
	key: name,
	name,
	type: 'TEXT',
	options: [],
});

/**
 * The cells that an item gives; none for a blank line that is to be skipped. Fields that are to become columns are added
 * to the table first, once all values of the item are known to fit.
 */
export async function readCells(
	context: OperationContext,
	table: TableWithColumns,
	given: Given,
	toRead: CellsToRead = {},
): Promise<Cell[]> {
	if (given.options.onEmpty === 'skip' && isBlankItem(context, given)) return [];
	const { columns } = table;
	const names = newNames(context, columns, given);
	if (names.length > 0) {
		const { client } = context;
		toCells(context, [...columns, ...names.map(textColumn)], given, toRead);
		// One item after the other, because the next one may have the same fields.
		await client.nodeRun.limiter(
			`columns of ${table.id}`,
			1,
		)(async () => {
			await addTextColumns(client, table, newNames(context, columns, given));
		});
	}
	return toCells(context, columns, given, toRead);
}

const columnOptions = options(sheetOptions);
const columns = field(columnsField, (_label, value) => recordOf(value));

/** The cells that an item gives, once its table is known. */
const cellsFor = (toRead: CellsToRead) =>
	together(
		{ columns, options: columnOptions },
		(given, context) => async (table: TableWithColumns) =>
			await readCells(context, table, given, toRead),
	);

export const newCells = cellsFor({});
export const changedCells = cellsFor({ isUpdate: true });

/** Not the same object as in the other operations: saved.json names a field by the operations that share it. */
export const columnsToSet = field({ ...columnsField }, (_label, value) => recordOf(value));

/** Columns with those by which the record of an item is found. */
export const matchedColumns = field(
	{
		...columnsField,
		typeOptions: {
			...columnsField.typeOptions,
			resourceMapper: {
				...columnsField.typeOptions!.resourceMapper!,
				mode: 'upsert',
				multiKeyMatch: true,
			},
		},
	},
	(_label, value) => recordOf(value),
);
