import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { optionsField, textField } from '../../descriptions/fields';
import { type Filter, filtersField, getFilter } from '../../descriptions/filters';
import { getLimit, returnAllOrLimit } from '../../descriptions/listing';
import { outputFields } from '../../descriptions/output';
import { IncompleteListError, validationError } from '../../transport/error';
import { listMessage } from '../../transport/errorFor';
import { limits } from '../../transport/limits';
import { collect } from '../../transport/pages';
import type { ApiRequest } from '../../transport/request';
import { TABLES_WITHOUT_KEYS } from '../../transport/responseMessages';
import { describeValue, recordOf } from '../../transport/values';
import type { Operation } from '../operation';
import { tableFields } from '../table';
import { cellOf, type Column, findColumn, NUMBER, readTable, simplifyTableRecord } from './columns';

/** The operators of the service, and what they mean there (recorded). `cell` is null if the record has none. */
const OPERATORS: Record<string, (cell: string | null, value: string) => boolean> = {
	eq: (cell, value) => cell === value,
	neq: (cell, value) => cell !== null && cell !== value,
	co: (cell, value) => cell !== null && cell.toLowerCase().includes(value.toLowerCase()),
	gt: (cell, value) => parseFloat(cell ?? '') > parseFloat(value),
	gte: (cell, value) => parseFloat(cell ?? '') >= parseFloat(value),
	lt: (cell, value) => parseFloat(cell ?? '') < parseFloat(value),
	lte: (cell, value) => parseFloat(cell ?? '') <= parseFloat(value),
	exists: (cell) => cell !== null && cell !== '',
	not_exists: (cell) => cell === null || cell === '',
};

const OF_NUMBERS = ['gt', 'gte', 'lt', 'lte'];

/** 0.73 refuses these (recorded). */
const WITHOUT_VALUE = ['exists', 'not_exists'];

/** Releases before 0.85 refuse more conditions (recorded). */
const MOST_SENT = 20;

const conditionFields: INodeProperties[] = [
	optionsField('Column Name or ID', 'column', {
		typeOptions: { loadOptionsMethod: 'getTableColumns', loadOptionsDependsOn: ['tableId.value'] },
		description:
			'The column to compare. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
	optionsField('Operator', 'operator', {
		options: [
			{ name: 'Contains', value: 'co', description: 'Not case-sensitive' },
			{ name: 'Equals', value: 'eq', description: 'The same text: 12.50 does not equal 12.5' },
			{ name: 'Greater Than', value: 'gt' },
			{ name: 'Greater Than or Equal', value: 'gte' },
			{ name: 'Is Empty', value: 'not_exists' },
			{ name: 'Is Not Empty', value: 'exists' },
			{ name: 'Less Than', value: 'lt' },
			{ name: 'Less Than or Equal', value: 'lte' },
			{ name: 'Not Equals', value: 'neq', description: 'Records without a value are left out' },
		],
		default: 'eq',
		description:
			'How to compare. Greater and less compare numbers: of dates they compare only the year.',
	}),
	textField('Value', 'value', {
		displayOptions: { hide: { operator: WITHOUT_VALUE } },
		description: 'The text or number to compare with',
	}),
];

function toCondition(given: unknown) {
	const condition = recordOf(given);
	const { column, operator = 'eq' } = condition;
	// An expression without a result gives undefined.
	const value = Object.hasOwn(condition, 'value') ? condition.value : '';
	const isKnown = typeof operator === 'string' && Object.hasOwn(OPERATORS, operator);
	const hasValue = ['string', 'number', 'boolean'].includes(typeof value);
	const problem =
		typeof column !== 'string' || column === ''
			? 'has no column'
			: !isKnown
				? `has the operator ${describeValue(operator)}`
				: !hasValue && !WITHOUT_VALUE.includes(operator)
					? `compares with ${describeValue(value)} instead of text or a number`
					: OF_NUMBERS.includes(operator) && !NUMBER.test(String(value))
						? `compares with ${describeValue(value)}, but Greater and Less compare numbers, and of dates only the year`
						: undefined;
	if (problem !== undefined) throw validationError(`A condition ${problem}`, 'Change Conditions.');
	return { column: String(column), operator: String(operator), value: String(value) };
}

const conditionsFilter = {
	property: {
		displayName: 'Conditions',
		name: 'conditions',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Condition',
		default: {},
		options: [{ displayName: 'Condition', name: 'condition', values: conditionFields }],
		description: 'Return only records for which all these conditions are true',
	},
	parse(_label, value) {
		const { condition = [] } = recordOf(value);
		return (Array.isArray(condition) ? condition : [condition]).map(toCondition);
	},
} satisfies Filter;

/**
 * Returns the records of a table at once: there are no pages, and `next` is always null, although the
 * default limit is 10 (recorded).
 */
const LIST_RECORDS: ApiRequest['endpoint'] = {
	method: 'GET',
	path: '/v1/records',
	rules: [TABLES_WITHOUT_KEYS],
};

/** The value of a column, in the text that the service compares. */
function valueIn(record: IDataObject, column: Column): string | null {
	const { value } = cellOf(record, column);
	return typeof value === 'string' ? value : null;
}

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	description: 'Get the records (rows) of a table',
	hint: 'One item per record. A column named id, created or updated is in the output only if Simplify is off.',
	toolDescription:
		'Returns the records (rows) of an Activepieces table, oldest first, each with a field for every column of the table',
	endpoint: LIST_RECORDS,
	properties: [
		...tableFields,
		...returnAllOrLimit,
		...outputFields,
		filtersField([conditionsFilter]),
	],
	simplify: simplifyTableRecord([]),
	async run(context) {
		const { client } = context;
		const limit = getLimit(context);
		const conditions = getFilter(context, conditionsFilter) ?? [];
		const { table, columns, output } = await readTable(context);
		const checks = conditions.map(({ column, ...rest }) => ({
			...rest,
			column: findColumn(columns, column),
		}));
		const sent = checks
			.filter(({ operator }) => !WITHOUT_VALUE.includes(operator))
			.slice(0, MOST_SENT);
		// Of several conditions, 0.73 ignores those on a cell that a record lacks (recorded).
		const isChecked = sent.length < checks.length || checks.length > 1;
		// More than a table can have. The service reads the whole table for any limit (recorded).
		const most = isChecked || limit === Infinity ? limits.maxRecordsPerItem : limit;
		const query: IDataObject = { tableId: table.id, limit: most };
		sent.forEach(({ column, operator, value }, i) => {
			query[`filters[${i}][fieldId]`] = column.id;
			query[`filters[${i}][operator]`] = operator;
			query[`filters[${i}][value]`] = value;
		});
		const request: ApiRequest = { endpoint: LIST_RECORDS, query, subject: table.subject };
		let count = 0;
		const records = await collect(client, request, {
			limit,
			isUnpaged: true,
			take(record) {
				count++;
				const isWanted =
					!isChecked ||
					checks.every(({ column, operator, value }) =>
						OPERATORS[operator](valueIn(record, column), value),
					);
				return isWanted ? output.transform(record) : undefined;
			},
		});
		if (count >= most && records.length < limit) {
			const facts = { kind: 'tooManyRecords', count, most } as const;
			throw new IncompleteListError(listMessage(client, request, facts));
		}
		return output.finish(records);
	},
};
