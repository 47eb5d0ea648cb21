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

/** Creates a table with its columns, or adds those that an existing one lacks, which keeps its own. */
export async function makeTable(
	context: OperationContext,
	{ project, name, externalId, columns, place }: NewTable,
	{ choose, onExisting, isKept }: Existing,
): Promise<IDataObject> {
	const { client } = context;
	const { id: projectId } = project;
	const tables = inProject(LIST_TABLES, project);
	// Existing tables too: a later try does not know whether the table was there before.
	let isNew = false;
	let isUsed = false;
	const body = { projectId, name, ...(externalId !== '' && { externalId }) };
	// The service takes an external ID twice (recorded).
	const isAlike = (each: IDataObject) =>
		each.name === name || (externalId !== '' && each.externalId === externalId);
	const change = `the table "${shortName(name)}" was created`;
	const table = await client.makeChange({
		idempotency: { key: body, change, lookIn: 'the tables' },
		async find() {
			const convert = (each: IDataObject) => (isAlike(each) ? each : undefined);
			return choose(await client.fetchList(tables, { convert, mayDrop: true }));
		},
		onExisting(existing) {
			isUsed = onExisting(existing) === 'use';
			return existing;
		},
		async send() {
			await assertColumnsFit(client, columns);
			const created = await client.requestRecord({
				endpoint: CREATE_TABLE,
				body,
				subject: subjectInProject('table', project),
			});
			isNew = true;
			return created;
		},
	});
	if (isUsed) return table;
	const missing = isNew ? columns : await missingColumns(context, table, columns, place);
	await addColumns(client, table, missing, isKept);
	return table;
}
