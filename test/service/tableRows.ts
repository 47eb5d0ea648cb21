import { z } from 'zod/v4';

import type { FieldRecord, TableRow } from './records';
import type { ReleaseTraits } from './releases';
import { list } from './schema';

export const MAX_RECORDS_PER_TABLE = 10_000;
export const MAX_FIELDS_PER_TABLE = 100;

/** A filter of GET /v1/records. */
interface RowFilter {
	fieldId: string;
	operator?: string;
	value?: string;
}

/** How the service compares the value of a cell; other operators take every one. */
const COMPARISONS: Record<string, (cell: string, value: string) => boolean> = {
	eq: (cell, value) => cell === value,
	neq: (cell, value) => cell !== value,
	co: (cell, value) => cell.toLowerCase().includes(value.toLowerCase()),
	gt: (cell, value) => parseFloat(cell) > parseFloat(value),
	gte: (cell, value) => parseFloat(cell) >= parseFloat(value),
	lt: (cell, value) => parseFloat(cell) < parseFloat(value),
	lte: (cell, value) => parseFloat(cell) <= parseFloat(value),
	exists: (cell) => cell !== '',
};

/** The same for columns of dates, in releases that compare times; texts that are none are in no order. */
const inMilliseconds = (text: string) => String(Date.parse(text));

/** @param cell null for a row without the cell */
function passes(
	{ operator = '', value = '' }: RowFilter,
	cell: string | null,
	isDate: boolean,
): boolean {
	if (operator === 'not_exists') return cell === null || cell === '';
	if (cell === null) return false;
	const [left, right] =
		isDate && /^[gl]te?$/.test(operator) ? [cell, value].map(inMilliseconds) : [cell, value];
	return COMPARISONS[operator]?.(left, right) ?? true;
}

/** Whether a row fulfills all filters. */
export function fulfills(
	row: TableRow,
	filters: RowFilter[],
	fields: FieldRecord[],
	{ dateTimes }: ReleaseTraits,
): boolean {
	const valueOf = ({ fieldId }: RowFilter) => row.cells[fieldId]?.value ?? (dateTimes ? '' : null);
	const isDate = ({ fieldId }: RowFilter) =>
		dateTimes && fields.some(({ id, type }) => id === fieldId && type.startsWith('DATE'));
	return filters.every((filter) => passes(filter, valueOf(filter), isDate(filter)));
}

/** A row in responses. Up to 0.79 with the cells that it has, later with one for each column. */
export function rowAnswer(
	{ cells, ...row }: TableRow,
	fields: FieldRecord[],
	{ newTables }: ReleaseTraits,
) {
	const own = fields.filter(({ tableId }) => tableId === row.tableId);
	const { created, updated } = row;
	const shown: Record<string, unknown> = {};
	for (const { id, name: fieldName } of own) {
		const cell = cells[id] ?? (newTables ? { updated, created, value: null } : undefined);
		if (cell !== undefined) shown[id] = { ...cell, fieldName };
	}
	return { ...row, cells: shown };
}

/** A cell from 0.85 on: anything becomes text (har/enterprise-0.85-tables, t/64 to t/68). */
const anyText = z.preprocess(
	(value) => (value === undefined ? value : value === null ? '' : String(value)),
	z.string(),
);

const FILTER = z.discriminatedUnion('operator', [
	z.object({
		operator: z.enum(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'co']),
		fieldId: z.string(),
		value: z.string(),
	}),
	z.object({ operator: z.enum(['exists', 'not_exists']), fieldId: z.string() }),
]);

const column = { name: z.string(), tableId: z.string(), externalId: z.string().optional() };
const options = z.array(z.object({ value: z.string() }));

/** The types of columns without options. */
const TYPES = ['TEXT', 'NUMBER', 'DATE'] as const;
const LATER_TYPES = [...TYPES, 'DATETIME'] as const;

/** The types of columns that a release knows. */
export const columnTypes = ({ dateTimes }: ReleaseTraits) =>
	z.enum([...(dateTimes ? LATER_TYPES : TYPES), 'STATIC_DROPDOWN']);

function schemasOf(value: z.ZodType<string>, types: readonly string[] = TYPES) {
	const cells = z.array(z.object({ fieldId: z.string(), value }));
	return {
		field: z.union([
			z.object({ ...column, type: z.enum(types) }),
			z.object({ ...column, type: z.literal('STATIC_DROPDOWN'), data: z.object({ options }) }),
		]),
		query: z.object({
			tableId: z.string(),
			limit: z.coerce.number().optional(),
			cursor: z.string().optional(),
			filters: list(FILTER.optional()),
		}),
		create: z.object({ tableId: z.string(), records: z.array(cells) }),
		update: z.object({ tableId: z.string(), cells: cells.optional() }),
		remove: z.object({ tableId: z.string(), ids: z.array(z.string()) }),
	};
}

const TABLE_SCHEMAS = {
	// Text only in 0.79.
	withText: schemasOf(z.string()),
	withAnyText: schemasOf(anyText),
	withDateTimes: schemasOf(anyText, LATER_TYPES),
};

/** What the routes of a release accept. */
export function tableSchemas({ dateTimes, newTables }: ReleaseTraits) {
	if (dateTimes) return TABLE_SCHEMAS.withDateTimes;
	return TABLE_SCHEMAS[newTables ? 'withAnyText' : 'withText'];
}
