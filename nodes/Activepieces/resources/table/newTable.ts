import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../../execution/operationContext';
import { inProject, type Endpoint } from '../../transport/client/request';
import { shortName } from '../../transport/texts';
import { subjectInProject, type ChosenProject } from '../project/project';
import { addColumns, assertColumnsFit, missingColumns, type NewColumn } from './newColumns';
import { LIST_TABLES } from './table';

export const CREATE_TABLE: Endpoint = { method: 'POST', path: '/v1/tables' };

interface NewTable {
	project: ChosenProject;
	name: string;
	/** Empty for none */
	externalId: string;
	columns: NewColumn[];
	/** Where the columns come from, for messages */
	place: string;
}

/** What becomes of the tables of the project that have the name or the external ID. */
interface Existing {
	/** @throws {ActivepiecesError} if none of them can be chosen, and no table can be created beside them */
	choose: (tables: IDataObject[]) => IDataObject | undefined;
	/** @throws {ActivepiecesError} if the chosen one stays as it is, and is not returned either */
	onExisting: (table: IDataObject) => 'use' | 'addColumns';
	/** Whether a table that lacks a column is completed by the next run */
	isKept: boolean;
}

/** A table, and which of the columns it gets: also one that an earlier try has created may have some. */
interface MadeTable {
	table: IDataObject;
	toAdd: 'all' | 'missing' | 'none';
}

/** Creates a table with its columns, or adds those that an existing one lacks, which keeps its own. */
export async function makeTable(
	context: OperationContext,
	{ project, name, externalId, columns, place }: NewTable,
	{ choose, onExisting, isKept }: Existing,
): Promise<IDataObject> {
	const { client } = context;
	const { id: projectId } = project;
	const tables = inProject(LIST_TABLES, project);
	const body = { projectId, name, ...(externalId !== '' && { externalId }) };
	// The service takes an external ID twice (recorded).
	const isAlike = (each: IDataObject) =>
		each.name === name || (externalId !== '' && each.externalId === externalId);
	const change = `the table "${shortName(name)}" was created`;
	const { table, toAdd } = await client.makeChange<MadeTable>({
		idempotency: { key: body, change, lookIn: 'the tables' },
		async find() {
			const convert = (each: IDataObject) => (isAlike(each) ? each : undefined);
			const chosen = choose(await client.fetchList(tables, { convert, mayDrop: true }));
			return chosen && { table: chosen, toAdd: 'missing' };
		},
		onExisting: ({ table: existing }) => ({
			table: existing,
			toAdd: onExisting(existing) === 'use' ? 'none' : 'missing',
		}),
		async send() {
			await assertColumnsFit(client, columns);
			const subject = subjectInProject('table', project);
			const created = await client.requestRecord({ endpoint: CREATE_TABLE, body, subject });
			return { table: created, toAdd: 'all' };
		},
	});
	if (toAdd === 'none') return table;
	const missing = toAdd === 'all' ? columns : await missingColumns(context, table, columns, place);
	await addColumns(client, table, missing, isKept);
	return table;
}
