import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { locatorValue } from '../descriptions/parameters';
import { type Column, fetchColumns } from '../resources/table/columns';
import { tableTarget } from '../resources/table/table';
import { toMapperField } from '../resources/tableRecord/columnsField';
import { readForEditor } from './editorLists';

/** The columns of the table that is chosen in the node; none before one is chosen. */
async function readColumns(context: ILoadOptionsFunctions): Promise<Column[]> {
	if ((locatorValue(context.getNodeParameter('tableId', '')) ?? '') === '') return [];
	return await readForEditor(context, 'columns', async (client) => {
		const get = (name: string) => context.getNodeParameter(name, '');
		return await fetchColumns(client, tableTarget({ client, get }));
	});
}

export async function getTableColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const columns = await readColumns(this);
	return { fields: columns.map(toMapperField) };
}

export async function loadTableColumns(this: ILoadOptionsFunctions) {
	const columns = await readColumns(this);
	return columns.map(({ key, name }) => ({ name, value: key }));
}
