import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { locatorValue } from '../descriptions/parameters';
import { Fields } from '../execution/fields';
import { tableTarget } from '../resources/table/table';
import { type Column, fetchColumns, toMapperField } from '../resources/tableRecord/columns';
import { readForEditor } from './editorLists';

/** The columns of the table that is chosen in the node; none before one is chosen. */
async function readColumns(context: ILoadOptionsFunctions): Promise<Column[]> {
	const fields = new Fields(
		(name, fallback) => context.getNodeParameter(name, fallback as object),
		() => context.getTimezone(),
	);
	if ((locatorValue(fields.get('tableId', '')) ?? '') === '') return [];
	return await readForEditor(
		context,
		'columns',
		async (client) => await fetchColumns(client, tableTarget(Object.assign(fields, { client }))),
	);
}

export async function getTableColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const columns = await readColumns(this);
	return { fields: columns.map(toMapperField) };
}

export async function loadTableColumns(this: ILoadOptionsFunctions) {
	const columns = await readColumns(this);
	return columns.map(({ key, name }) => ({ name, value: key }));
}
