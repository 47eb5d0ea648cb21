import type { FieldRecord, TableRow } from './records';
import type { ReleaseTraits } from './releases';

/** A filter of GET /v1/records. */
export interface RowFilter {
	fieldId: string;
	operator?: string;
	value?: string;
}

/** How the service compares the value of a cell; null for a row without the cell. */
function compare(operator: string | undefined, cell: string | null, value: string): boolean {
	if (operator === 'not_exists') return cell === null || cell === '';
	if (cell === null) return false;
	const [a, b] = [parseFloat(cell), parseFloat(value)];
	switch (operator) {
		case 'eq':
			return cell === value;
		case 'neq':
			return cell !== value;
		case 'co':
			return cell.toLowerCase().includes(value.toLowerCase());
		case 'gt':
			return a > b;
		case 'gte':
			return a >= b;
		case 'lt':
			return a < b;
		case 'lte':
			return a <= b;
		case 'exists':
			return cell !== '';
		default:
			return true;
	}
}

/**
 * Whether a row fulfills all filters. In 0.73 one that lacks the cell of a filter fulfills it, if it has that
 * of another filter (har/enterprise-0.73-tables, t/117).
 */
export function fulfills(row: TableRow, filters: RowFilter[], lackPasses: boolean): boolean {
	const valueOf = ({ fieldId }: RowFilter) => row.cells[fieldId]?.value ?? null;
	const asked = lackPasses ? filters.filter((filter) => valueOf(filter) !== null) : filters;
	if (filters.length > 0 && asked.length === 0) return false;
	return asked.every((filter) => compare(filter.operator, valueOf(filter), filter.value ?? ''));
}

/** A row in responses. Up to 0.79 with the cells that it has, later with one for each column. */
export function rowAnswer(
	{ cells, ...row }: TableRow,
	fields: FieldRecord[],
	{ cellOfEachField }: ReleaseTraits,
) {
	const own = fields.filter(({ tableId }) => tableId === row.tableId);
	const { created, updated } = row;
	const shown: Record<string, unknown> = {};
	for (const { id, name: fieldName } of own) {
		const cell = cells[id] ?? (cellOfEachField ? { updated, created, value: null } : undefined);
		if (cell !== undefined) shown[id] = { ...cell, fieldName };
	}
	return { ...row, cells: shown };
}
