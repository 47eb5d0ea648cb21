import type { INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import type { ServiceData } from '../service';
import type { TableRecord, TableRow } from '../service/records';
import { CREATED, renamed, type Facts, type RecordsOf, type ResourceFacts } from './facts';

const rowsOf = (table: TableRecord | undefined, rows: TableRow[]) =>
	rows.filter(({ tableId }) => tableId === table?.id);

/** The rows of the first table. */
const records: RecordsOf = ({ tables: [table], tableRows }) => rowsOf(table, tableRows);

const ofTable = ({ tables }: ServiceData): INodeParameters => ({ tableId: byId(tables[0].id) });

const values = (value: Record<string, string>): INodeParameters => ({
	columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
});

const customer = (value: string): INodeParameters => values({ Customer: value });

/** Customers of the first table whose records no other operation changes. */
const KEPT = 'Customer 001';
const REMOVED = 'Customer 002';

const where = (value: string): INodeParameters => ({
	conditions: { condition: [{ column: 'Customer', operator: 'eq', value }] },
});

/** Several records have the name of those that Create makes. */
const UPSERTED = 'Created or updated';

const contains = ({ cells }: TableRow, value: string) =>
	Object.values(cells).some((cell) => cell.value === value);

/** Whether a row has a value. */
const has = ({ tableRows }: ServiceData, value: string, id?: string) =>
	tableRows.some((row) => (id === undefined || row.id === id) && contains(row, value));

/** All rows of the first table, with as many as one can have, by the condition of one item. */
const ofFullTable = (requests: number) => ({
	items: 1,
	requests,
	holds: () => ({ projects: 1, tablesPerProject: 1, recordsPerTable: 10_000 }),
	records: ({ tables }: ServiceData) => tables.slice(0, 1),
	parameters: () =>
		({
			conditions: { condition: [{ column: 'Customer', operator: 'exists' }] },
		}) satisfies INodeParameters,
});

const theRecords = { name: 'the records', request: 'GET /v1/records' };

/** Of an operation that is given a table */
const inTable: Omit<Facts, 'docs'> = { locator: 'tableId', records: ({ tables }) => tables };

const ofRecord: Omit<Facts, 'docs'> = {
	locator: 'recordId',
	parameters: (id, data) => ({ ...ofTable(data), recordId: id }),
};

export const tableRecord: ResourceFacts = {
	records,
	output: {
		title: 'Table record',
		events: 'Table Record Created, Table Record Created or Updated',
		others:
			'Each column of the table is a field with its name. Its value is text; of a NUMBER column a number, if no digit would be lost; null if the record never had one',
		fields: {
			updated: 'Time of the last change of the record or one of its values',
			change:
				'Only from *Create or Update*: `created`, `updated` or `unchanged`; beside the `record`, if a column has that name',
		},
	},
	operations: {
		getAll: {
			parameters: (_id, data) => ofTable(data),
			faults: [{}, { name: 'its columns', request: 'GET /v1/fields' }],
			docs: {},
		},
		get: { ...ofRecord, docs: {} },
		create: {
			...inTable,
			parameters: () => customer(CREATED),
			expected: () => ({ Customer: CREATED }),
			isChanged: ({ data }) => has(data, CREATED),
			load: {
				// Together they have room for all.
				records: ({ tables }) => tables.slice(0, 4),
				parameters: (id) => ({ tableId: byId(id) }),
				left: ({ data }, items) =>
					expect(data.tableRows.filter((row) => contains(row, CREATED))).toHaveLength(items),
			},
			docs: {
				calls: 'up to 50 records with one request',
				secondTime: '**Creates another record**',
			},
		},
		upsert: {
			...inTable,
			parameters: () => {
				const { columns } = customer(UPSERTED) as { columns: INodeParameters };
				return { columns: { ...columns, matchingColumns: ['Customer'] } };
			},
			expected: () => ({ Customer: UPSERTED }),
			isChanged: ({ data }) => has(data, UPSERTED),
			faults: [{}, theRecords],
			load: {
				records: ({ tables }) => tables.slice(0, 4),
				parameters: (id) => ({ tableId: byId(id) }),
				left: ({ data }) =>
					expect(data.tableRows.filter((row) => contains(row, UPSERTED))).toHaveLength(4),
			},
			docs: {
				calls:
					'`GET /v1/records` once, `POST /v1/records/{id}` for each record that differs, one request for up to 50 new ones',
				secondTime: 'Changes nothing',
			},
		},
		update: {
			...ofRecord,
			parameters: (id, data) => ({ ...ofTable(data), recordId: id, ...customer(renamed(id)) }),
			expected: (id) => ({ id, Customer: renamed(id) }),
			isChanged: ({ data }, id) => has(data, renamed(id), id),
			docs: { secondTime: 'Sets the same values again' },
		},
		updateMany: {
			...inTable,
			parameters: () => ({ ...where(KEPT), ...values({ State: 'on hold' }) }),
			expected: () => ({ Customer: KEPT, State: 'on hold' }),
			isChanged: ({ data }) =>
				data.tableRows.some((row) => contains(row, KEPT) && contains(row, 'on hold')),
			faults: [{ leavesOutUnknown: true }, theRecords],
			load: {
				...ofFullTable(10_001),
				expected: (_id, data) => records(data).map(({ id }) => ({ id, State: 'on hold' })),
				left: ({ data }) =>
					expect(
						rowsOf(data.tables[0], data.tableRows).every((row) => contains(row, 'on hold')),
					).toBe(true),
			},
			docs: { calls: '`GET /v1/records` first', secondTime: 'Sets the same values again' },
		},
		deleteMany: {
			...inTable,
			parameters: () => where(REMOVED),
			expected: () => ({ deleted: true }),
			isChanged: ({ data }, id) =>
				!rowsOf(
					data.tables.find((each) => each.id === id),
					data.tableRows,
				).some((row) => contains(row, REMOVED)),
			faults: [{}, theRecords],
			load: {
				...ofFullTable(201),
				expected: (_id, data) => records(data).map(({ id }) => ({ deleted: true, id })),
				left: ({ data }) => expect(records(data)).toEqual([]),
			},
			docs: {
				calls: '`GET /v1/records` first',
				secondTime: 'Deletes what was added since',
				output: { title: 'Deleted table record', fields: { deleted: 'Always true' } },
			},
		},
		delete: {
			...ofRecord,
			faults: [{}, { name: 'the record', request: 'GET /v1/records/{id}' }],
			isChanged: ({ data }, id) => data.tableRows.every((row) => row.id !== id),
			load: {
				holds: (recordsPerTable) => ({ projects: 1, tablesPerProject: 1, recordsPerTable }),
				requests: 2,
				// The oldest table, whose rows the stand-in finds first: it looks at those of all tables.
				records: ({ tables, tableRows }) => rowsOf(tables.at(-1), tableRows),
				parameters: (_id, { tables }) => ({ tableId: byId(tables.at(-1)?.id) }),
				left: ({ data: { tables, tableRows } }) =>
					expect(rowsOf(tables.at(-1), tableRows)).toEqual([]),
			},
			docs: { calls: '`GET /v1/records/{id}` first' },
		},
	},
};
