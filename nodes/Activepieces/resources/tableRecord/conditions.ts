import type { IDataObject } from 'n8n-workflow';

import { choice, field, optionName, rows } from '../../descriptions/kinds';
import { parseTime } from '../../descriptions/parameters';
import type { FieldReader } from '../../execution/fieldReader';
import { validationError } from '../../transport/errors/error';
import { cleanInput } from '../../transport/names';
import { describeValue, shortName } from '../../transport/texts';
import { recordOf } from '../../transport/values';
import {
	dropdownOptionFor,
	fromCellText,
	holdsTimes,
	matchKeyOf,
	toNumber,
} from '../table/cellValues';
import {
	assertColumns,
	cellOf,
	findColumns,
	type Column,
	type TableWithColumns,
} from '../table/columns';
import { fetchRecords, type RecordsToFetch } from './tableRecord';

/* The node reads the whole table and decides itself, because the releases of the service compare differently. */

/** The service answers these alike in all releases (recorded), of columns of text. */
const SENT: Record<string, (cell: string, value: string) => boolean> = {
	eq: (cell, value) => cell === value,
	co: (cell, value) => cell.toLowerCase().includes(value.toLowerCase()),
};

/** Releases before 0.85 refuse more conditions (recorded). */
const MOST_SENT = 20;

const OF_TEXT: typeof SENT = { ...SENT, neq: (cell, value) => cell !== value };

/** Compares numbers, or times as milliseconds since 1970. NaN is neither less nor greater. */
const OF_ORDER: Record<string, (cell: number, value: number) => boolean> = {
	gt: (cell, value) => cell > value,
	gte: (cell, value) => cell >= value,
	lt: (cell, value) => cell < value,
	lte: (cell, value) => cell <= value,
};

const WITHOUT_VALUE = ['exists', 'not_exists'];

const conditionFields = {
	column: optionName(
		{ loadMethod: 'getTableColumns', dependsOn: ['tableId.value'] },
		{ displayName: 'Column Name or ID', name: 'column' },
		'The column to compare',
		'Choose a column.',
	),
	operator: choice('Operator', 'operator', {
		options: [
			{ name: 'Contains', value: 'co', description: 'Not case-sensitive' },
			{
				name: 'Equals',
				value: 'eq',
				description: 'The same text, number or date',
			},
			{ name: 'Greater Than', value: 'gt' },
			{ name: 'Greater Than or Equal', value: 'gte' },
			{ name: 'Is Empty', value: 'not_exists' },
			{ name: 'Is Not Empty', value: 'exists' },
			{ name: 'Less Than', value: 'lt' },
			{ name: 'Less Than or Equal', value: 'lte' },
			{ name: 'Not Equals', value: 'neq', description: 'Records without a value are left out' },
		],
		default: 'eq',
		description: 'How to compare. Greater and less compare numbers or dates.',
	}),
	// It depends on the operator what a value is, and whether there has to be one.
	value: field(
		{
			displayName: 'Value',
			name: 'value',
			type: 'string',
			default: '',
			displayOptions: { hide: { operator: WITHOUT_VALUE } },
			description:
				"The text, number or date to compare with. A time without a zone is in the workflow's time zone.",
		},
		(_label, value) => value,
	),
};

interface Condition {
	column: string;
	operator: string;
	/** A boolean is the option of a drop-down in any letter case. */
	value: string | boolean;
}

function toCondition(
	given: Omit<Condition, 'value'> & { value: unknown },
	timeZone: string,
): Condition {
	const { column, operator, value } = given;
	const refused = (what: string, advice = 'Change Conditions.') =>
		validationError(`A condition ${what}`, advice);
	if (WITHOUT_VALUE.includes(operator)) return { column, operator, value: '' };
	const time = parseTime(value, timeZone);
	if (typeof value === 'object' && !Number.isNaN(time)) {
		return { column, operator, value: new Date(time).toISOString() };
	}
	if (!['string', 'number', 'boolean'].includes(typeof value)) {
		throw refused(`compares with ${describeValue(value)} instead of text or a number`);
	}
	// An expression for a field that is missing may give blanks, which most texts contain.
	if (typeof value === 'string' && cleanInput(value) === '') {
		const advice = 'Enter a value, or choose Is Empty or Is Not Empty as Operator.';
		throw refused('compares with an empty text', advice);
	}
	if (Object.hasOwn(OF_ORDER, operator) && Number.isNaN(toNumber(value)) && Number.isNaN(time)) {
		throw refused(
			`compares with ${describeValue(value)}, but Greater and Less compare numbers or dates`,
			'Change Conditions, for example to 12.5 or 2026-11-20T08:00:00Z.',
		);
	}
	return { column, operator, value: typeof value === 'boolean' ? value : String(value) };
}

export const conditionsFilter = rows(
	'Conditions',
	'conditions',
	{
		row: 'Condition',
		placeholder: 'Add condition',
		description:
			'Return only records for which all these conditions are true, or any of them, as Must Match says',
	},
	conditionFields,
	(given, context) => given.map((each) => toCondition(each, context.getTimezone())),
);

export const combine = choice('Must Match', 'combine', {
	options: [
		['All', 'all', 'Records for which all conditions are true'],
		['Any', 'any', 'Records for which at least one condition is true'],
	],
	default: 'all',
	description: 'How many of the conditions must be true',
});

const [conditionsProperty] = conditionsFilter.properties;

/** The conditions of a change, at least one: nothing ever means all records. */
export const someConditions = field(
	{
		...conditionsProperty,
		required: true,
		description:
			'Which records: those for which all these conditions are true, or any of them, as Must Match says',
	},
	(label, value, context) => {
		const conditions = conditionsFilter.parse(value, context);
		if (conditions.length > 0) return conditions;
		throw validationError('There is no condition', `Add at least one under ${label}.`);
	},
);

const EXAMPLES = { number: '12.5', date: '2026-11-20T08:00:00Z' };

const unfit = ({ name }: Column, value: string, expected: keyof typeof EXAMPLES) =>
	validationError(
		`A condition compares the column "${shortName(name)}" with ${describeValue(value)} instead of a ${expected}`,
		`Change Conditions, for example to ${EXAMPLES[expected]}.`,
	);

/**
 * The text to compare with. Of a value that no cell can have, Equals would be true for no record, and Not Equals for
 * all: it would delete the ones to keep.
 */
function textFor({ operator, value }: Condition, column: Column, timeZone: string): string {
	const text = String(value);
	if (operator !== 'eq' && operator !== 'neq') return text;
	if (column.type === 'STATIC_DROPDOWN') {
		return dropdownOptionFor(column, value, text, { correct: 'Change Conditions' });
	}
	if (column.type === 'NUMBER' && Number.isNaN(toNumber(text))) throw unfit(column, text, 'number');
	if (holdsTimes(column) && Number.isNaN(parseTime(text, timeZone))) {
		throw unfit(column, text, 'date');
	}
	return text;
}

/** Reads both sides of an order as what the column holds; other columns hold what the value is. */
function readerOf(operator: string, value: string, column: Column, timeZone: string) {
	if (!Object.hasOwn(OF_ORDER, operator)) return undefined;
	const toTime = (text: string) => {
		const time = parseTime(text, timeZone);
		// What is equal is neither greater nor less.
		return Number.isNaN(time) || !holdsTimes(column)
			? time
			: Number(matchKeyOf(column, text, timeZone));
	};
	const isNumber =
		column.type === 'NUMBER' || !(holdsTimes(column) || Number.isNaN(toNumber(value)));
	const read = isNumber ? toNumber : toTime;
	if (!Number.isNaN(read(value))) return read;
	throw unfit(column, value, isNumber ? 'number' : 'date');
}

/** What is the same for texts that are equal: times are written in many ways, and a number is as the output has it. */
const keyFor = (column: Column, timeZone: string) =>
	holdsTimes(column)
		? (text: string) => matchKeyOf(column, text, timeZone)
		: (text: string) => String(fromCellText(column, text));

interface Check {
	column: Column;
	operator: string;
	value: string;
	isSent: boolean;
	isTrue: (record: IDataObject) => boolean;
}

function toCheck(condition: Condition, columns: Column[], timeZone: string): Check {
	const { operator } = condition;
	const [column] = findColumns(columns, [condition.column]);
	const value = textFor(condition, column, timeZone);
	const read = readerOf(operator, value, column, timeZone);
	const bound = read?.(value) ?? NaN;
	const keyOf = operator === 'co' ? (text: string) => text : keyFor(column, timeZone);
	const wanted = keyOf(value);
	const isTrue = (cell: string | null): boolean => {
		// A cell that was emptied is as one that was never filled.
		const isEmpty = cell === null || cell === '';
		if (WITHOUT_VALUE.includes(operator)) return isEmpty === (operator === 'not_exists');
		if (isEmpty) return false;
		return read ? OF_ORDER[operator](read(cell), bound) : OF_TEXT[operator](keyOf(cell), wanted);
	};
	return {
		column,
		operator,
		value,
		isSent:
			Object.hasOwn(SENT, operator) &&
			!holdsTimes(column) &&
			(operator === 'co' || column.type !== 'NUMBER'),
		isTrue(record) {
			const cell = cellOf(record, column).value;
			return isTrue(typeof cell === 'string' ? cell : null);
		},
	};
}

/** What the service can decide as well, so that it sends fewer records. It knows no "any" (recorded). */
function toQuery(checks: Check[]): IDataObject {
	const sent = checks.filter(({ isSent }) => isSent).slice(0, MOST_SENT);
	return Object.fromEntries(
		sent.flatMap(({ column, operator, value }, i) =>
			Object.entries({ fieldId: column.id, operator, value }).map(([name, each]) => [
				`filters[${i}][${name}]`,
				each,
			]),
		),
	);
}

/**
 * The records of a table that fulfill conditions: all of them, or any.
 *
 * @throws {ActivepiecesError} if a column was deleted after the columns were read: without it, each record would be one
 * whose value is empty
 */
export async function fetchMatching(
	table: TableWithColumns,
	{ conditions, combine: match = 'all' }: { conditions: Condition[]; combine?: 'all' | 'any' },
	context: Pick<FieldReader, 'client' | 'getTimezone'>,
	{ convert, ...more }: RecordsToFetch = {},
): Promise<IDataObject[]> {
	const { client } = context;
	const timeZone = context.getTimezone();
	const checks = conditions.map((each) => toCheck(each, table.columns, timeZone));
	const isAny = match === 'any' && checks.length > 0;
	const isMatch = (record: IDataObject) =>
		isAny
			? checks.some((check) => check.isTrue(record))
			: checks.every((check) => check.isTrue(record));
	const withoutCell = new Set<Column>();
	const records = await fetchRecords(client, table, {
		...more,
		query: isAny ? {} : toQuery(checks),
		convert(record, page) {
			if (!isMatch(record)) return undefined;
			for (const { column, operator } of checks) {
				const isEmpty = operator === 'not_exists';
				if (isEmpty && !Object.hasOwn(recordOf(record.cells), column.id)) withoutCell.add(column);
			}
			return convert === undefined ? record : convert(record, page);
		},
	});
	if (withoutCell.size > 0) await assertColumns(client, table, [...withoutCell]);
	return records;
}
