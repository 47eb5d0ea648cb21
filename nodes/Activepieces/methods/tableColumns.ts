import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { placesIn, withIds } from '../descriptions/byName';
import { requestTarget } from '../descriptions/locator';
import { projectLocator } from '../descriptions/project';
import { isBlank, locatorValue } from '../descriptions/parameters';
import { fieldsOf } from '../execution/fieldReader';
import { type Column, fetchColumns } from '../resources/table/columns';
import { namedTable, tableLocator, tableOf } from '../resources/table/table';
import { toMapperField } from '../resources/tableRecord/columnsField';
import { readForEditor } from './editorLists';

/** An expression may have no value in the editor, where n8n also throws if a node before has not run. */
function valueInEditor(read: () => unknown): unknown {
	try {
		const value = read();
		return isBlank(locatorValue(value)) ? '' : value;
	} catch {
		return '';
	}
}

/** The columns of the table that is chosen in the node; none before one is chosen. */
async function readColumns(context: ILoadOptionsFunctions): Promise<Column[]> {
	if ((locatorValue(context.getNodeParameter('tableId', '')) ?? '') === '') return [];
	return await readForEditor(context, 'columns', async (client) => {
		const { get, ...reader } = fieldsOf(context);
		const fields = await withIds(
			{
				...reader,
				client,
				get: (name, fallback) =>
					name === 'projectId' ? valueInEditor(() => get(name, fallback)) : get(name, fallback),
			},
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
