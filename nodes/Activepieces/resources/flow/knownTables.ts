import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/api/client';
import { ActivepiecesError } from '../../transport/errors/error';
import { recordOf, textOf } from '../../transport/values';
import { fetchExternalIds, hintAtUnchecked } from '../connection/usage';
import { LIST_FIELDS } from '../table/columns';
import { LIST_TABLES } from '../table/table';
import { columnUses, referencesTo } from './references';

/* The tables of a project and their columns, which steps of flows use. */

/** The IDs of the columns of a table, read once for all input items. */
const fetchColumnIds = async (client: ApiClient, tableId: string) =>
	await client.cached(`column IDs of ${tableId}`, async () => {
		const subject = { noun: 'columns' };
		const request = { endpoint: LIST_FIELDS, query: { tableId }, subject };
		const columns = await client.fetchUnpagedList(request);
		return columns.map(({ id, externalId }) => ({
			id: textOf(id),
			externalId: textOf(externalId) || textOf(id),
		}));
	});

/**
 * Names the columns that steps search as files do, by external IDs, or as the steps need it in this project. Changes the
 * given steps.
 *
 * @returns the columns that the tables lack, as `orders: amount`
 */
async function nameColumns(
	client: ApiClient,
	tables: Map<string, string>,
	trigger: IDataObject,
	isFile: boolean,
): Promise<string[]> {
	const missing: string[] = [];
	for (const { table, written, searched, hasIds } of columnUses(trigger)) {
		const tableId = tables.get(table);
		if (tableId === undefined) continue;
		const columns = await fetchColumnIds(client, tableId);
		const find = (column: string) =>
			columns.find(({ externalId }) => externalId === column) ??
			columns.find(({ id }) => id === column);
		for (const column of searched) {
			const { id, externalId } = find(textOf(column.id)) ?? {};
			if (id !== undefined) column.id = hasIds && !isFile ? id : externalId;
		}
		const names = [...written, ...searched.map(({ id }) => textOf(id))];
		missing.push(...names.filter((name) => !find(name)).map((name) => `${table}: ${name}`));
	}
	return missing;
}

async function mapTables(
	context: OperationContext,
	projectId: string,
	version: IDataObject,
	isFile: boolean,
): Promise<string[] | undefined> {
	const { client } = context;
	const trigger = recordOf(version.trigger);
	const externalIds = referencesTo('table', trigger);
	const kind = { list: LIST_TABLES, what: 'tables' } as const;
	const readMissing = async () => {
		const tables = await fetchExternalIds(client, projectId, kind);
		if (tables instanceof ActivepiecesError) throw tables;
		const missing = externalIds.filter((externalId) => !tables.has(externalId));
		missing.push(...(await nameColumns(client, tables, trigger, isFile)));
		return [...new Set(missing)].sort();
	};
	return await readMissing().catch((error: unknown) => {
		if (!(error instanceof ActivepiecesError)) throw error;
		hintAtUnchecked(context, kind.what, version, error);
		return undefined;
	});
}

/**
 * Makes the steps of a file search the columns of the project. Changes the given steps.
 *
 * @returns the tables, and columns of tables, that steps use and the project lacks; undefined when they cannot be read,
 * which a hint says
 */
export async function nameTablesOfProject(
	context: OperationContext,
	projectId: string,
	version: IDataObject,
) {
	if (referencesTo('table', recordOf(version.trigger)).length === 0) return [];
	return await mapTables(context, projectId, version, false);
}

/** Makes the steps of a flow search columns by external IDs, for another project. Changes the given steps. */
export async function nameTablesOfFiles(
	context: OperationContext,
	projectId: string,
	version: IDataObject,
): Promise<void> {
	const uses = columnUses(recordOf(version.trigger));
	if (uses.some(({ searched }) => searched.length > 0)) {
		await mapTables(context, projectId, version, true);
	}
}
