import type { IDataObject } from 'n8n-workflow';

import { options, type Values } from '../../descriptions/field';
import { choice } from '../../descriptions/kinds';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/api/client';
import type { Endpoint } from '../../transport/client/request';
import { ActivepiecesError, refusal } from '../../transport/errors/error';
import type { ResponseRule } from '../../transport/errors/rule';
import { seenText } from '../../transport/names';
import { shortName } from '../../transport/texts';
import { recordOf, textOf } from '../../transport/values';
import { operation } from '../operation';
import { differsInMeaning, matchKeyOf } from '../table/cellValues';
import { cellOf, simplifyMarked, tableWithColumns, type Column } from '../table/columns';
import type { TableTarget } from '../table/table';
import { matchedColumns, matchingOf, readCells, sheetOptions, type Cell } from './columnsField';
import {
	CREATE_RECORDS,
	createRecords,
	expectStored,
	fetchRecords,
	RECORD_RULES,
	UPDATE_RECORD,
	type RecordPart,
} from './tableRecord';

/** What the table has for one combination of values to match on. */
interface Match {
	records: IDataObject[];
	/** Whether values of an item of the run were stored */
	isStored: boolean;
	/** What the last request did with each of the records */
	changes?: Change[];
	/** Whether its record may have been created, by a request without a clear result */
	isInDoubt?: boolean;
	/** Whether its records may have been changed, by a request without a clear result: the table is not what was read */
	isOutdated?: boolean;
}

type Change = 'created' | 'updated' | 'unchanged';

interface Matches {
	/** By what the values mean */
	exact: Map<string, Match>;
	/** By what a person sees of that */
	seen: Map<string, Match[]>;
}

interface UpsertPart extends RecordPart {
	match: Match;
	matching: Column[];
	columns: Column[];
	timezone: string;
}

/** What an item of a request gets. */
interface Stored {
	records: IDataObject[];
	changes: Change[];
	/** The values that were given for them, by the ID of the column */
	cells: Map<string, Cell>;
	/** Whether an earlier item of the run was for the same records */
	isLater: boolean;
}

const severalMatches = choice('If Several Records Match', 'severalMatches', {
	options: [
		['Return an Error', 'refuse', 'Fails the item and changes nothing'],
		['Update All', 'updateAll', 'Changes each of the records and returns all of them'],
	],
	default: 'refuse',
	description: 'What to do if the table has several records with the values to match on',
});

/** The node has read the record before. */
const RECORD_IS_GONE: ResponseRule = {
	unknown: 'record',
	message: (_words, { id = '' }) =>
		`Table record "${shortName(id)}" was deleted while the node was running`,
	description: ({ again }) => `${again}. It creates the record if no other one matches.`,
};

const UPDATE_FOUND_RECORD: Endpoint = {
	...UPDATE_RECORD,
	rules: [...RECORD_RULES, RECORD_IS_GONE],
};

function addMatch({ exact, seen }: Matches, key: string, seenKey: string): Match {
	const match: Match = { records: [], isStored: false };
	exact.set(key, match);
	const alike = seen.get(seenKey);
	if (alike === undefined) seen.set(seenKey, [match]);
	else alike.push(match);
	return match;
}

/**
 * Finds what matches the values of an item in the table, which is read once for all input items: the same values,
 * or else those that look alike.
 */
async function findMatches(
	client: ApiClient,
	table: TableTarget,
	columns: Column[],
	timezone: string,
	valueOf: (column: Column) => unknown,
): Promise<Match[]> {
	const keysOf = (read: typeof valueOf): [key: string, seenKey: string] => {
		const meanings = columns.map((column) => matchKeyOf(column, read(column), timezone));
		return [JSON.stringify(meanings), JSON.stringify(meanings.map(seenText))];
	};
	const read = async () => {
		const matches: Matches = { exact: new Map(), seen: new Map() };
		for (const record of await fetchRecords(client, table)) {
			const keys = keysOf((column) => cellOf(record, column).value);
			const match = matches.exact.get(keys[0]) ?? addMatch(matches, ...keys);
			match.records.push(record);
		}
		return matches;
	};
	const ids = columns.map(({ id }) => id).join();
	const matches = await client.cached(`records of ${table.id} by ${ids}`, read);
	const [key, seenKey] = keysOf(valueOf);
	const match = matches.exact.get(key);
	if (match !== undefined) return [match];
	return matches.seen.get(seenKey) ?? [addMatch(matches, key, seenKey)];
}

/** The record after a change of the cells that differ; without such a cell nothing is sent. */
async function updateCells(
	client: ApiClient,
	table: TableTarget,
	record: IDataObject,
	all: Cell[],
	differs: (cell: Cell, stored: string) => boolean,
): Promise<IDataObject> {
	const stored = recordOf(record.cells);
	const cells = all.filter((cell) => differs(cell, textOf(recordOf(stored[cell.fieldId]).value)));
	if (cells.length === 0) return record;
	return await client.requestRecord({
		endpoint: UPDATE_FOUND_RECORD,
		id: record.id,
		body: { tableId: table.id, cells },
		subject: { ...table.subject, noun: 'table record' },
	});
}

/** Stores the cells of several items; of those for the same record, the values of the later ones. */
async function storeParts(client: ApiClient, parts: UpsertPart[]): Promise<Stored[]> {
	const [{ table, matching, columns, timezone }] = parts;
	const columnsById = new Map(columns.map((column) => [column.id, column]));
	const differs = ({ fieldId, value }: Cell, stored: string) =>
		differsInMeaning(columnsById.get(fieldId)!, value, stored, timezone);
	const wanted = new Map<Match, Map<string, Cell>>();
	for (const { match, cells } of parts) {
		const all = wanted.get(match) ?? new Map<string, Cell>();
		for (const cell of cells) all.set(cell.fieldId, cell);
		wanted.set(match, all);
	}
	const fresh = [...wanted].filter(([{ records }]) => records.length === 0);
	for (const [match, all] of wanted) {
		const { records } = match;
		// Records that were found keep their text, so that items that look alike do not change it in turn.
		const cells = [...all.values()].filter(
			({ fieldId }) => !matching.some(({ id }) => id === fieldId),
		);
		match.changes = [];
		for (const [i, record] of records.entries()) {
			const isWanted = match.isOutdated ? () => true : differs;
			records[i] = await updateCells(client, table, record, cells, isWanted).catch((error) => {
				match.isOutdated ||= !(error instanceof ActivepiecesError && error.outcome === 'nothing');
				throw error;
			});
			match.changes.push(records[i] === record ? 'unchanged' : 'updated');
		}
		match.isOutdated = false;
	}
	if (fresh.length > 0) {
		const news = fresh.map(([, all]) => ({ ...parts[0], cells: [...all.values()] }));
		const created = await createRecords(client, news);
		for (const [i, [match]] of fresh.entries()) {
			match.records.push(created[i]);
			match.changes = ['created'];
		}
	}
	return parts.map(({ match }) => {
		const isLater = match.isStored;
		match.isStored = true;
		const { records, changes = [] } = match;
		return { records, changes, cells: wanted.get(match)!, isLater };
	});
}

const fields = {
	table: tableWithColumns,
	columns: matchedColumns,
	options: options({
		onExtra: sheetOptions.onExtra,
		onSeveral: severalMatches,
		onEmpty: sheetOptions.onEmpty,
		format: sheetOptions.format,
	}),
};

/**
 * The one match of an item.
 *
 * @param named `Name "Ann" and City "Rome"`: by what it is found, for messages
 * @throws {ActivepiecesError} for several that look alike, and for several records unless all are changed
 */
function onlyMatch([match, ...others]: Match[], named: string, onSeveral: string): Match {
	const { length } = match.records;
	if (others.length > 0) {
		const count = others.reduce((sum, { records }) => sum + records.length, length);
		throw refusal(
			`The table has ${count} records with ${named} that differ only in blanks or invisible characters`,
			'Correct these records in Activepieces, or use exactly the text of one of them.',
		);
	}
	if (length <= 1 || onSeveral === 'updateAll') return match;
	throw refusal(
		`The table has ${length} records with ${named}`,
		`Change Columns to Match On, or set the option ${severalMatches.label} to Update All.`,
	);
}

const TABLE_RECORD = 'table record';

/** In a later try of *Retry On Fail*, what an earlier one did whose response was lost */
function changeBefore({ ledger }: ApiClient): Change | undefined {
	if (!ledger.isInDoubt) return undefined;
	const { value } = ledger.remembered<{ isIdempotent?: boolean }>(TABLE_RECORD);
	return value && (value.isIdempotent ? 'updated' : 'created');
}

async function upsertRecord(
	{ table, ...given }: Values<typeof fields>,
	context: OperationContext,
): Promise<IDataObject[]> {
	const { client, group } = context;
	const { columns } = table;
	const matching = matchingOf(given.columns, columns);
	const cells = await readCells(context, table, given, { matching });
	if (cells.length === 0) return [];
	const values = new Map(cells.map(({ fieldId, value }) => [fieldId, value]));
	const valueOf = ({ id }: Column) => values.get(id);
	const named = matching
		.map((column) => `${shortName(column.name)} "${shortName(valueOf(column) ?? '')}"`)
		.join(' and ');
	const timezone = context.getTimezone();
	const matches = await findMatches(client, table, matching, timezone, valueOf);
	const match = onlyMatch(matches, named, given.options.onSeveral);
	const isThere = match.records.length > 0;
	const earlier = changeBefore(client);
	const part: UpsertPart = {
		...{ client, table, cells, match, matching, columns, timezone },
		// New records with one request, and each change with its own
		to: isThere ? match : columns,
		record: match,
	};
	const stored = await client.makeChange({
		idempotency: {
			name: TABLE_RECORD,
			key: [table.id, ...matching.map((column) => [column.id, valueOf(column)])],
			change: `the table record with ${named} was created`,
			lookIn: 'the table',
			before: match.isStored,
			shared: match,
			// A record that is there is changed again.
			isIdempotent: isThere,
		},
		async send(isLater) {
			const done = (await group!.join(part)) as Stored;
			// An earlier try, whose result is not known, may have stored the values.
			return { ...done, isLater: isLater || done.isLater };
		},
	});
	if (stored.isLater) {
		context.showHint(`Several input items have ${named}. The values of the later item are stored.`);
	}
	return outputOf(stored, cells, columns, earlier);
}

/** The records with what was done with each, once it is sure that they have the cells of the item. */
function outputOf(
	{ records, changes, cells: all }: Stored,
	cells: Cell[],
	columns: Column[],
	earlier: Change | undefined,
): IDataObject[] {
	// A value that is empty is not sent for a cell that the record never had.
	const full = cells.filter(({ fieldId }) => all.get(fieldId)!.value !== '');
	for (const record of records) expectStored(record, full, columns);
	return records.map((record, i) => {
		const change = changes[i];
		return { ...record, change: change === 'unchanged' ? (earlier ?? change) : change };
	});
}

export const upsert = operation({
	name: 'Create or Update',
	value: 'upsert',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	hint: 'Reads the table once for all input items, and changes only values that differ',
	toolDescription:
		'Immediately changes the record (row) of an Activepieces table that has the given values in the columns to match on, or creates it if there is none, and returns it with what was done (created, updated or unchanged). An empty text keeps the value of a column, and a single space empties it',
	endpoint: CREATE_RECORDS,
	// All items, because a later one may be for the same record.
	grouping: { size: Infinity, send: storeParts },
	fields,
	simplify: (record) => simplifyMarked([], 'change')({ change: null, ...record }),
	simplifyBy: ({ table }) => simplifyMarked(table.columns, 'change'),
	record: upsertRecord,
});
