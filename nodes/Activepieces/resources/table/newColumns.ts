import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/api/client';
import type { Endpoint } from '../../transport/client/request';
import {
	ActivepiecesError,
	outcomeError,
	refusal,
	validationError,
} from '../../transport/errors/error';
import type { ResponseRule } from '../../transport/errors/rule';
import { seenText } from '../../transport/names';
import { capitalize, shortName, someOf } from '../../transport/texts';
import { recordOf, textOf } from '../../transport/values';
import { addTo, LIST_FIELDS, optionsOf, type TableWithColumns } from './columns';

/* The columns that tables get: checked before anything is changed, and added one after the other. */

/** Since 0.87; earlier releases refuse the type as an unknown one (read in the service's source). */
const DATE_TIME = 'DATETIME';
/** A server that does not know its own release says 0.0.0 (read in the service's source). */
const BEFORE_DATE_TIME = /^0\.(?:[1-9]|[1-7]\d|8[0-6])(?!\d)/;
const WITHOUT_DATE_TIME =
	'Columns of type Date and Time require Activepieces 0.87 or later. In an earlier release, use Date.';

/** For a server that does not say which release it is */
const TYPE_REFUSED: ResponseRule = {
	status: 'badRequest',
	// The text of its validation
	says: /^body\b/,
	when: ({ request: { body } }) => recordOf(body).type === DATE_TIME,
	message: 'Activepieces did not accept the column',
	description: ({ quoted }) => quoted + WITHOUT_DATE_TIME,
};

const CREATE_FIELD: Endpoint = {
	method: 'POST',
	path: '/v1/fields',
	rules: [TYPE_REFUSED],
};

export const TYPES: Array<[name: string, value: string, description: string]> = [
	['Date', 'DATE', 'A day or a time'],
	['Date and Time', DATE_TIME, 'A time on a day. Requires Activepieces 0.87 or later.'],
	['Dropdown', 'STATIC_DROPDOWN', 'One of the options'],
	['Number', 'NUMBER', 'A number'],
	['Text', 'TEXT', 'Any text'],
];

const typeNameOf = (type: unknown): string =>
	TYPES.find(([, value]) => value === type)?.[0] ?? shortName(textOf(type));

export type NewColumn = IDataObject & { name: string; type: string; externalId?: string };

interface GivenColumn {
	name: string;
	type: string;
	options: string[];
	externalId?: string;
}

function toNewColumn({ options, ...column }: GivenColumn): NewColumn {
	if (column.type !== 'STATIC_DROPDOWN') return column;
	const values = [...new Set(options)];
	if (values.length > 0)
		return { ...column, data: { options: values.map((value) => ({ value })) } };
	throw validationError(
		`The column "${shortName(column.name)}" has no options`,
		'A dropdown needs at least one option.',
	);
}

/** @param place where the columns come from, for messages */
export function toNewColumns(given: GivenColumn[], place: string): NewColumn[] {
	const columns = given.map(toNewColumn);
	for (const [key, label, word] of [
		['name', '', 'name'],
		['externalId', 'the external ID ', 'external ID'],
	] as const) {
		const values = columns.flatMap((column) => column[key] ?? []);
		const twice = values.find((value, i) => values.indexOf(value) < i);
		if (twice === undefined) continue;
		throw validationError(
			`${capitalize(place)} has ${label}"${shortName(twice)}" twice`,
			`Give each column another ${word}.`,
		);
	}
	return columns;
}

/** For more, the server is asked how many a table may have: by default 100 (recorded) */
const LEAST_COLUMNS = 15;

/** A check before anything is changed, because columns are added one after the other. */
export async function assertColumnsFit(
	client: ApiClient,
	columns: NewColumn[],
	ofTable = 0,
): Promise<void> {
	const length = ofTable + columns.length;
	const hasTimes = columns.some(({ type }) => type === DATE_TIME);
	if (!hasTimes && length <= LEAST_COLUMNS) return;
	// Not as they were read before: the server may have been updated.
	const { CURRENT_VERSION, MAX_FIELDS_PER_TABLE } = await client.fetchFlags({ isFresh: true });
	if (typeof MAX_FIELDS_PER_TABLE === 'number' && length > MAX_FIELDS_PER_TABLE) {
		throw refusal(
			`A table of this Activepieces server has at most ${MAX_FIELDS_PER_TABLE} columns`,
			ofTable > 0
				? `The table has ${ofTable}, and would get ${columns.length} more. Leave out some of them, or put them in another table.`
				: `${length} columns are given. Leave out some of them, or put them in another table.`,
		);
	}
	const release = textOf(CURRENT_VERSION);
	if (!hasTimes || !BEFORE_DATE_TIME.test(release)) return;
	throw refusal(
		`Activepieces ${shortName(release)} has no columns of type Date and Time`,
		WITHOUT_DATE_TIME,
	);
}

/** What requests of the columns of a table are about, and their list. */
function columnsOf({ id, name }: IDataObject) {
	const tableId = textOf(id);
	const container = { noun: 'table', id: tableId, name: textOf(name) };
	const subject = { noun: 'column', container };
	const list = { endpoint: LIST_FIELDS, query: { tableId }, subject };
	return { tableId, subject, list };
}

/** The columns of a table as the service has them, the oldest first. */
export const fetchFields = async (client: ApiClient, table: IDataObject) =>
	await client.fetchUnpagedList(columnsOf(table).list);

/** How the column of a table differs from a given one: the options that it lacks, its external ID, its name. */
function differencesOf(field: IDataObject, column: NewColumn): string[] {
	const lacking = optionsOf(column).filter((option) => !optionsOf(field).includes(option));
	const label = `"${shortName(textOf(field.name))}"`;
	const { externalId = field.externalId } = column;
	return [
		lacking.length > 0 &&
			`${label} lacks the options ${someOf(lacking.map((option) => `"${shortName(option)}"`))}`,
		externalId !== field.externalId &&
			`${label} has the external ID "${shortName(textOf(field.externalId))}", not "${shortName(textOf(externalId))}"`,
		seenText(textOf(field.name)) !== seenText(column.name) &&
			`${label} is not named "${shortName(column.name)}"`,
	].filter((each) => each !== false);
}

/**
 * The columns that an existing table lacks. One with the external ID, or with a name that looks alike, is there already;
 * what else differs is not changed, and hinted at.
 *
 * @param place where the columns come from, for messages
 * @throws {ActivepiecesError} if the table cannot have them, or has a column of another type
 */
export async function missingColumns(
	{ client, showHint }: OperationContext,
	table: IDataObject,
	columns: NewColumn[],
	place: string,
) {
	const data = await fetchFields(client, table);
	const differences: string[] = [];
	const missing = columns.filter((column) => {
		const { name, type, externalId } = column;
		const isNamed = (each: IDataObject) => seenText(textOf(each.name)) === seenText(name);
		const ofId = data.filter((each) => externalId !== undefined && each.externalId === externalId);
		const same = ofId.length > 0 ? ofId : data.filter(isNamed);
		const known = same.find((each) => each.type === type);
		if (known !== undefined) differences.push(...differencesOf(known, column));
		if (same.length === 0 || known !== undefined) return same.length === 0;
		throw refusal(
			`The column "${shortName(name)}" of the table "${shortName(textOf(table.name))}" has the type ${typeNameOf(same[0].type)}, not ${typeNameOf(type)}`,
			`Activepieces cannot change the type of a column. Change ${place}, or delete the column in Activepieces.`,
		);
	});
	if (missing.length > 0) await assertColumnsFit(client, missing, data.length);
	if (differences.length > 0) {
		showHint(
			`Columns of the table "${shortName(textOf(table.name))}" were not changed, and differ from ${place}: ${differences.join('; ')}`,
		);
	}
	return missing;
}

/**
 * Gives a table columns, one after the other: those that come with the table are made side by side, in any order
 * (recorded).
 *
 * @throws {ActivepiecesError} when the table lacks one of them
 */
export async function addColumns(
	client: ApiClient,
	table: IDataObject,
	missing: NewColumn[],
	isKept: boolean,
): Promise<IDataObject[]> {
	const { tableId, subject, list } = columnsOf(table);
	const added: IDataObject[] = [];
	for (const [i, column] of missing.entries()) {
		const { name } = column;
		const body = { tableId, ...column };
		const change = client.makeChange({
			idempotency: {
				name: `column ${name}`,
				key: body,
				change: `the column "${shortName(name)}" was added`,
				lookIn: 'the table',
				shared: client.cached(`column ${tableId} ${name}`, () => ({})),
			},
			send: async () => await client.requestRecord({ endpoint: CREATE_FIELD, body, subject }),
			// The service would add a column with the same name again (recorded).
			find: async () => (await client.fetchUnpagedList(list)).find((each) => each.name === name),
		});
		const lacking = missing.slice(i).map((each) => `"${shortName(each.name)}"`);
		added.push(await change.catch((error) => throwLack(error, table, lacking, isKept)));
	}
	return added;
}

/** @throws what a table lacks of whose columns the first could not be added */
function throwLack(error: unknown, table: IDataObject, lacking: string[], isKept: boolean): never {
	if (!(error instanceof ActivepiecesError)) throw error;
	const name = textOf(table.name);
	const lacks = error.outcome === 'nothing' ? 'lacks' : 'may lack';
	throw outcomeError(
		`The table ${name && `"${shortName(name)}" `}${isKept ? '' : 'was created, but '}${lacks} the column${lacking.length > 1 ? 's' : ''} ${someOf(lacking)}`,
		`Adding ${lacking[0]} failed: ${error.sentences} ${
			isKept
				? 'When you run the node again, it adds the columns that are then missing.'
				: 'Complete the table in Activepieces, or delete it there before you run the node again.'
		}`,
	);
}

/**
 * Adds columns of text to a table, and to its columns that all input items share. They are no change that the item is
 * about: after them, its record is as new as before.
 */
export async function addTextColumns(
	client: ApiClient,
	{ id, columns }: TableWithColumns,
	names: string[],
): Promise<void> {
	const missing = names.map((name) => ({ name, type: 'TEXT' }));
	const { ledger } = client;
	const { outcome } = ledger;
	if (missing.length > 0) await assertColumnsFit(client, missing, columns.length);
	for (const column of await addColumns(client, { id }, missing, true)) addTo(columns, column);
	ledger.outcome = outcome;
}
