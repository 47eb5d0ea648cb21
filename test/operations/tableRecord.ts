import type { INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import type { ServiceData } from '../service';
import type { TableRow } from '../service/records';
import { CREATED, type Facts, renamed, type RecordsOf, type ResourceFacts } from './facts';
import { NEEDS_TABLES } from './table';

/** The rows of the first table. */
const records: RecordsOf = ({ tables: [{ id }], tableRows }) =>
	tableRows.filter(({ tableId }) => tableId === id);

const ofTable = ({ tables }: ServiceData): INodeParameters => ({ tableId: byId(tables[0].id) });

const customer = (value: string): INodeParameters => ({
	columns: {
		mappingMode: 'defineBelow',
		value: { Customer: value },
		matchingColumns: [],
		schema: [],
	},
});

const contains = ({ cells }: TableRow, value: string) =>
	Object.values(cells).some((cell) => cell.value === value);

/** Whether a row has a value. */
const has = ({ tableRows }: ServiceData, value: string, id?: string) =>
	tableRows.some((row) => (id === undefined || row.id === id) && contains(row, value));

const ofRecord: Omit<Facts, 'docs'> = {
	lackedBy: ['0.73'],
	locator: 'recordId',
	parameters: (id, data) => ({ ...ofTable(data), recordId: id }),
};

const COLUMNS = '`GET /v1/fields`';

export const tableRecord: ResourceFacts = {
	records,
	needs: NEEDS_TABLES,
	output: {
		title: 'Table record',
		others: 'Each column of the table is a field with its name, and text or null for its value',
		fields: {
			updated: 'Time of the last change of the record or one of its values',
		},
	},
	operations: {
		getAll: {
			lackedBy: ['0.73'],
			parameters: (_id, data) => ofTable(data),
			faults: [{}, { name: 'its columns', request: 'GET /v1/fields' }],
			docs: { note: 'oldest first', calls: COLUMNS },
		},
		get: { ...ofRecord, docs: { calls: COLUMNS } },
		create: {
			lackedBy: ['0.73'],
			locator: 'tableId',
			records: ({ tables }) => tables,
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
				calls: `${COLUMNS}. One request creates up to 50 records`,
				secondTime: '**Creates another record**',
			},
		},
		update: {
			...ofRecord,
			parameters: (id, data) => ({ ...ofTable(data), recordId: id, ...customer(renamed(id)) }),
			expected: (id) => ({ id, Customer: renamed(id) }),
			isChanged: ({ data }, id) => has(data, renamed(id), id),
			docs: {
				calls: COLUMNS,
				secondTime: 'Sets the same values again',
			},
		},
		delete: {
			...ofRecord,
			faults: [{}, { name: 'the record', request: 'GET /v1/records/{id}' }],
			isChanged: ({ data }, id) => data.tableRows.every((row) => row.id !== id),
			// The stand-in looks for each row in the whole table, which takes a quarter of an hour.
			load: false,
			docs: {
				calls: '`GET /v1/records/{id}` first',
			},
		},
	},
};
