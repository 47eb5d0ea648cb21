import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { placesIn, withIds } from '../descriptions/byName';
import { requestTarget } from '../descriptions/locator';
import { locatorValue } from '../descriptions/parameters';
import { fieldsOf } from '../execution/fieldReader';
import { type Column, fetchColumns } from '../resources/table/columns';
import { projectLocator } from '../resources/project/project';
import { namedTable, tableLocator, tableOf } from '../resources/table/table';
import { toMapperField } from '../resources/tableRecord/columnsField';
import { readForEditor } from './editorLists';

/** The columns of the table that is chosen in the node; none before one is chosen. */
async function readColumns(context: ILoadOptionsFunctions): Promise<Column[]> {
	if ((locatorValue(context.getNodeParameter('tableId', '')) ?? '') === '') return [];
	return await readForEditor(context, 'columns', async (client) => {
		const given = { ...fieldsOf(context), client };
		const fields = await withIds(
			given,
			placesIn(namedTable.properties, [projectLocator, tableLocator]),
		);
		return await fetchColumns(client, tableOf(requestTarget(fields, tableLocator)));
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
