import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/api/client';
import { inProject, type Endpoint } from '../../transport/client/request';
import { refusal } from '../../transport/errors/error';
import { shortName } from '../../transport/values';
import { subjectInProject, type ChosenProject } from '../project/project';
import { addColumns, assertColumnsFit, missingColumns, type NewColumn } from './newColumns';
import { LIST_TABLES } from './table';

export const CREATE_TABLE: Endpoint = { method: 'POST', path: '/v1/tables' };

/** Up to 0.73 the service creates every table in the project of the session, whatever was asked (recorded). */
function assertOwnProject(
	{ tokenProjectId: own }: ApiClient,
	{ id, field: label }: ChosenProject,
): void {
	if (own === undefined || own === id) return;
	throw refusal(
		'In this Activepieces release, a user can use the tables of one project only',
		`Activepieces would create the table in Project "${shortName(own)}". Leave ${label} empty to create it there.`,
	);
}

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
			const alike = await client.fetchList(tables, { convert, mayDrop: true });
			// After the first request, which may have signed in
			assertOwnProject(client, project);
			return choose(alike);
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
