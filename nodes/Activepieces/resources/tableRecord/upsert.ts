import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { choices, collectionField, optionsField } from '../../descriptions/fields';
import { outputFields } from '../../descriptions/output';
import { getOption } from '../../descriptions/parameters';
import { createGroup } from '../../execution/group';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client/client';
import { requestRecord } from '../../transport/client/record';
import { limits } from '../../transport/limits';
import { shortName } from '../../transport/text';
import { recordOf, textOf } from '../../transport/values';
import type { Operation } from '../operation';
import { outputRecord } from '../recordOperation';
import { refusal } from '../refusals';
import { tableFields, type TableTarget } from '../table/table';
import { meaningOf } from './cellValues';
import { cellOf, type Column, readTable, simplifyTableRecord } from './columns';
import { type Cell, columnsField, extraFields, readCells, readMatching } from './columnsField';
import { expectStored, fetchRecords } from './tableRecord';
import { clientOf, CREATE_RECORDS, createRecords, type RecordPart, UPDATE_RECORD } from './writes';

/** What the table has for one combination of values to match on. */
interface Match {
	records: IDataObject[];
	/** Whether an item of the run had these values */
	isStored: boolean;
}

interface UpsertPart extends RecordPart {
	match: Match;
	/** Called if an earlier item of the run had the same values to match on */
	replaces: () => void;
}

const severalMatches = optionsField('If Several Records Match', 'severalMatches', {
	options: choices(
		['Refuse', 'refuse', 'Fails the item and changes nothing'],
		['Update All', 'updateAll', 'Changes each of the records and returns all of them'],
	),
	default: 'refuse',
	description: 'What to do if the table has several records with the values to match on',
});

const matchedColumns: INodeProperties = {
	...columnsField,
	typeOptions: {
		...columnsField.typeOptions,
		resourceMapper: {
			...columnsField.typeOptions!.resourceMapper!,
			mode: 'upsert',
			multiKeyMatch: true,
		},
	},
};

/** Finds the records of an item among those of the table, which is read once for all input items. */
async function findMatch(
	client: ApiClient,
	table: TableTarget,
	columns: Column[],
	valueOf: (column: Column) => unknown,
): Promise<Match> {
	const keyOf = (read: typeof valueOf) =>
		JSON.stringify(columns.map((column) => meaningOf(column, read(column))));
	const read = async () => {
		const matches = new Map<string, Match>();
		for (const record of await fetchRecords(client, table, { isOutput: false })) {
			const key = keyOf((column) => cellOf(record, column).value);
			const match = matches.get(key);
			if (match === undefined) matches.set(key, { records: [record], isStored: false });
			else match.records.push(record);
		}
		return matches;
	};
	const ids = columns.map(({ id }) => id).join();
	const matches = await client.once(`records of ${table.id} by ${ids}`, read);
	const key = keyOf(valueOf);
	const match = matches.get(key) ?? { records: [], isStored: false };
	matches.set(key, match);
	return match;
}

/** The record after a change of the cells that differ; without such a cell nothing is sent. */
async function updateCells(
	client: ApiClient,
	table: TableTarget,
	record: IDataObject,
	all: Cell[],
): Promise<IDataObject> {
	const stored = recordOf(record.cells);
	const cells = all.filter(
		({ fieldId, value }) => textOf(recordOf(stored[fieldId]).value ?? '') !== value,
	);
	if (cells.length === 0) return record;
	return await requestRecord(client, {
		endpoint: UPDATE_RECORD,
		id: record.id,
		body: { tableId: table.id, cells },
		subject: { ...table.subject, noun: 'table record' },
	});
}

/** Stores the cells of several items; of those for the same record, the values of the later ones. */
async function storeParts(parts: UpsertPart[]): Promise<IDataObject[][]> {
	const client = clientOf(parts);
	const [{ table }] = parts;
	const wanted = new Map<Match, Map<string, Cell>>();
	for (const part of parts) {
		const cells = wanted.get(part.match) ?? new Map<string, Cell>();
		for (const cell of part.cells) cells.set(cell.fieldId, cell);
		wanted.set(part.match, cells);
		if (part.match.isStored) part.replaces();
		part.match.isStored = true;
	}
	const all = [...wanted].map(([match, cells]) => ({ match, cells: [...cells.values()] }));
	const fresh = all.filter(({ match }) => match.records.length === 0);
	// An item before this request may have created the record.
	for (const { match, cells } of all) {
		for (const [i, record] of match.records.entries()) {
			match.records[i] = await updateCells(client, table, record, cells);
		}
	}
	if (fresh.length > 0) {
		const cells = fresh.map((each) => each.cells);
		const created = await createRecords(client, table, cells);
		for (const [i, { match }] of fresh.entries()) match.records.push(created[i]);
	}
	return parts.map(({ match }) => match.records);
}

async function upsertRecord(context: OperationContext): Promise<IDataObject[]> {
	const { client, group = createGroup(1)() } = context;
	const onSeveral = getOption(context, severalMatches, 'options');
	const { table, columns, output } = await readTable(context);
	const cells = readCells(context, columns);
	const matching = readMatching(context, columns, cells);
	const values = new Map(cells.map(({ fieldId, value }) => [fieldId, value]));
	const match = await findMatch(client, table, matching, ({ id }) => values.get(id));
	const told = matching
		.map((column) => `${shortName(column.name)} "${shortName(values.get(column.id) ?? '')}"`)
		.join(' and ');
	const { length } = match.records;
	if (length > 1 && onSeveral === 'refuse') {
		throw refusal(
			`The table has ${length} records with ${told}`,
			`Change Columns to Match On, or set Options > ${severalMatches.displayName} to Update All.`,
		);
	}
	const part: UpsertPart = {
		...{ client, table, cells, match },
		replaces: () =>
			context.showHint(
				`Several input items have ${told}. The values of the later item are stored.`,
			),
	};
	const records =
		length > 0
			? await group.join(match, part, storeParts)
			: await group.join(
					client.once(`new records of ${table.id}`, () => ({})),
					part,
					storeParts,
					limits.recordsPerRequest,
				);
	for (const record of records) expectStored(record, cells, columns);
	const outputs = records.map(async (record) => await outputRecord(client, output, record));
	return (await Promise.all(outputs)).flat();
}

export const upsert: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update a table record',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	hint: 'Reads the table once for all input items, and changes only values that differ',
	toolDescription:
		'Immediately changes the record (row) of an Activepieces table that has the given values in the columns to match on, or creates it if there is none, and returns it',
	endpoint: CREATE_RECORDS,
	// All items, because a later one may be for the same record.
	groupSize: Infinity,
	properties: [
		...tableFields,
		matchedColumns,
		...outputFields,
		collectionField('Options', 'options', 'Add option', [extraFields, severalMatches]),
	],
	simplify: simplifyTableRecord([]),
	run: upsertRecord,
};
