import type { FieldRecord, TableRow } from './records';
import type { ReleaseTraits } from './releases';

/** A filter of GET /v1/records. */
export interface RowFilter {
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

/** @param cell null for a row without the cell */
function passes({ operator = '', value = '' }: RowFilter, cell: string | null): boolean {
	if (operator === 'not_exists') return cell === null || cell === '';
	return cell !== null && (COMPARISONS[operator]?.(cell, value) ?? true);
}

/**
 * Whether a row fulfills all filters. In 0.73 one that lacks the cell of a filter fulfills it, if it has that
 * of another filter (har/enterprise-0.73-tables, t/117).
 */
export function fulfills(row: TableRow, filters: RowFilter[], lackPasses: boolean): boolean {
	const valueOf = ({ fieldId }: RowFilter) => row.cells[fieldId]?.value ?? null;
	const asked = lackPasses ? filters.filter((filter) => valueOf(filter) !== null) : filters;
	if (filters.length > 0 && asked.length === 0) return false;
	return asked.every((filter) => passes(filter, valueOf(filter)));
}

/** A row in responses. Up to 0.79 with the cells that it has, later with one for each column. */
export function rowAnswer(
	{ cells, ...row }: TableRow,
	fields: FieldRecord[],
	{ newCells }: ReleaseTraits,
) {
	const own = fields.filter(({ tableId }) => tableId === row.tableId);
	const { created, updated } = row;
	const shown: Record<string, unknown> = {};
	for (const { id, name: fieldName } of own) {
		const cell = cells[id] ?? (newCells ? { updated, created, value: null } : undefined);
		if (cell !== undefined) shown[id] = { ...cell, fieldName };
	}
	return { ...row, cells: shown };
}
