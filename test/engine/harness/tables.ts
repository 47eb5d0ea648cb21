import type { INodeParameters } from 'n8n-workflow';

import type { FieldRecord, TableRecord, TableRow } from '../../service/records';
import { byId } from './byId';
import { parametersOf } from './parameters';
import type { TestContext } from './service';

export type Table = Pick<TableRecord, 'id'>;

const mapped = (mappingMode: string, value: INodeParameters | null, matchingColumns: string[]) => ({
	columns: { mappingMode, value, matchingColumns, schema: [] },
});

/** The value of Columns with Map Automatically. */
export const mapAutomatically = (...matchingColumns: string[]): INodeParameters =>
	mapped('autoMapInputData', null, matchingColumns);

/** The value of Columns in which a person has filled in some columns. */
export const mapByHand = (value: INodeParameters, ...matchingColumns: string[]): INodeParameters =>
	mapped('defineBelow', value, matchingColumns);

/** The parameters of an operation on records of a table. */
export const ofTable = (operation: string, { id }: Table, ...more: INodeParameters[]) =>
	parametersOf(
		`tableRecord.${operation}`,
		Object.assign({ tableId: byId(id) }, ...more) as INodeParameters,
	);

export type Condition = [column: string, operator?: string, value?: string | number];

/** The value of Conditions. */
export const where = (...conditions: Condition[]) => {
	const condition = conditions.map(([column, operator, value]) => ({ column, operator, value }));
	return { conditions: { condition: condition as INodeParameters[] } };
};

/** What the stand-in holds of tables, of the first one unless told otherwise. */
export function tablesOf(context: TestContext) {
	const firstTable = () => context.data.tables[0];
	const rowsOf = ({ id }: Table = firstTable()) =>
		context.data.tableRows.filter(({ tableId }) => tableId === id);
	const columnOf = (name: string, { id }: Table = firstTable()): FieldRecord =>
		context.data.fields.find((each) => each.tableId === id && each.name === name)!;
	/** The stored text of a cell */
	const cellOf = ({ cells, tableId }: TableRow, name: string) =>
		cells[columnOf(name, { id: tableId }).id]?.value;
	/** The stored texts of a column, by row */
	const stored = (name: string, table?: Table) => rowsOf(table).map((row) => cellOf(row, name));
	// What a test replaces, such as the name of a column
	afterEach(() => jest.restoreAllMocks());
	return { firstTable, rowsOf, columnOf, cellOf, stored };
}
