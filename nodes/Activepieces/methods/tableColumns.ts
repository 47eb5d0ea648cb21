import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { requestTarget } from '../descriptions/locator';
import { locatorValue } from '../descriptions/parameters';
import { type Column, fetchColumns } from '../resources/table/columns';
import { tableLocator, tableOf } from '../resources/table/table';
import { toMapperField } from '../resources/tableRecord/columnsField';
import { readForEditor } from './editorLists';

/** The columns of the table that is chosen in the node; none before one is chosen. */
async function readColumns(context: ILoadOptionsFunctions): Promise<Column[]> {
	if ((locatorValue(context.getNodeParameter('tableId', '')) ?? '') === '') return [];
	return await readForEditor(context, 'columns', async (client) => {
		const get = (name: string) => context.getNodeParameter(name, '');
		return await fetchColumns(client, tableOf(requestTarget({ client, get }, tableLocator)));
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
