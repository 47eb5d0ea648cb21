/*
 * Records of a table that are new or written. The service neither filters nor sorts them by time, and says nothing by
 * webhook (read in its source): each poll reads the table whole.
 */
import type { IDataObject } from 'n8n-workflow';

import {
	fetchColumns,
	findColumns,
	simplifyTableRecord,
	type Column,
} from '../../resources/table/columns';
import { fetchMatching } from '../../resources/tableRecord/conditions';
import { validationError } from '../../transport/errors/error';
import { shortName } from '../../transport/texts';
import { isRecord, recordOf, textOf } from '../../transport/values';
import type { EventContext } from '../eventContext';
import { recordEvent } from '../listEvent';
import { type ListQuery, type ListsRead } from '../lists';

interface TableEvent extends Pick<
	Parameters<typeof recordEvent>[0],
	'name' | 'value' | 'description' | 'watchedFields'
> {
	/** @param columns that are watched; undefined for all */
	timeOf(record: IDataObject, columns: Column[] | undefined): string;
}

/** The time of the event of each record that a poll has read */
const times = new WeakMap<IDataObject, string>();

async function readTable(
	context: EventContext,
	{ takesAll, onRecord, found }: ListQuery,
	timeOf: TableEvent['timeOf'],
): Promise<ListsRead> {
	const { client } = context;
	const table = context.value('tableId');
	const project = context.value('projectId');
	const names = context.value('columnsToWatch');
	const conditions = (takesAll ? undefined : context.value('conditions')) ?? [];
	const isNamed = names !== undefined || conditions.length > 0;
	const columns = isNamed ? await fetchColumns(client, table) : [];
	const watched = names && findColumns(columns, names);
	const combine = context.value('combine');
	await fetchMatching({ ...table, columns }, { conditions, combine }, context, {
		convert(record) {
			if (project !== undefined && record.projectId !== project) {
				throw validationError(
					`Table "${shortName(table.id)}" belongs to another project`,
					'Check Project and Table.',
				);
			}
			const time = timeOf(record, watched);
			times.set(record, time);
			if (time !== '') onRecord(record, '');
			return undefined;
		},
	});
	found?.listIsRead('');
	return { read: [''], unread: [] };
}

const tableEvent = ({ timeOf, ...event }: TableEvent) =>
	recordEvent({
		...event,
		watchedFields: ['tableId', 'combine', 'conditions', ...event.watchedFields],
		outputFields: ['projectId'],
		readRecords: async (context, query) => await readTable(context, query, timeOf),
		isFiltered: true,
		timeMayFall: true,
		timeOf: (record) => times.get(record),
		outputOf: (_context, record) => record,
		// Only here, because most polls find nothing and need no columns.
		async enrich(context, records) {
			if (records.length === 0 || !context.isSimplified) return records;
			const columns = await fetchColumns(context.client, context.value('tableId'));
			return records.map((record) => simplifyTableRecord(columns)(record));
		},
		noExample: {
			message: 'The table has no such record',
			description:
				'Add a record and try again, or publish the n8n workflow (activate it in n8n 1) and then add one.',
		},
	});

export const recordCreated = tableEvent({
	name: 'Table Record Created',
	value: 'recordCreated',
	description: 'When a record (row) is added to a table',
	watchedFields: [],
	timeOf: ({ created }) => textOf(created),
});

/**
 * The last write to a cell, by the clock of the database: `updated` of the record never changes (recorded). A record
 * without values, as the editor adds it, has none.
 */
function lastWrite({ cells }: IDataObject, columns: Column[] | undefined): string {
	const byColumn = recordOf(cells);
	const watched = columns?.map(({ id }) => byColumn[id]) ?? Object.values(byColumn);
	const updated = watched
		.filter(isRecord)
		// From 0.85 on a record has a cell for each column, with the times of the record (recorded).
		.filter(({ value }) => value !== null)
		.map((cell) => textOf(cell.updated));
	return updated.sort().at(-1) ?? '';
}

export const recordWritten = tableEvent({
	name: 'Table Record Created or Updated',
	value: 'recordWritten',
	description: 'When a value of a new or of an existing record (row) is written',
	watchedFields: ['columnsToWatch'],
	timeOf: lastWrite,
});
