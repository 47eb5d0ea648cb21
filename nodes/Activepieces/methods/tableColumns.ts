import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { locatorFieldsIn, withIds } from '../descriptions/byName';
import { requestTarget } from '../descriptions/locator';
import { isBlank, locatorValue } from '../descriptions/parameters';
import { fieldsOf } from '../execution/fieldReader';
import { fetchColumns, type Column } from '../resources/table/columns';
import { namedTable, tableLocator, tableOf } from '../resources/table/table';
import { toMapperField } from '../resources/tableRecord/columnsField';
import { readForEditor } from './editorLists';

/**
 * The fields as they are in the editor, where an expression may have no value, and n8n also throws if a node before has
 * not run: a project without one is a field that was left empty.
 */
function fieldsInEditor(context: ILoadOptionsFunctions): ReturnType<typeof fieldsOf> {
	const fields = fieldsOf(context);
	const hasProject = () => {
		try {
			return !isBlank(locatorValue(fields.get('projectId', '')));
		} catch {
			return false;
		}
	};
	if (hasProject()) return fields;
	const without =
		(read: typeof fields.get): typeof fields.get =>
		(name, fallback) =>
			name === 'projectId' ? '' : read(name, fallback);
	return { ...fields, get: without(fields.get), raw: without(fields.raw) };
}

/** The columns of the table that is chosen in the node; none before one is chosen. */
async function readColumns(context: ILoadOptionsFunctions): Promise<Column[]> {
	if ((locatorValue(context.getNodeParameter('tableId', '')) ?? '') === '') return [];
	return await readForEditor(context, 'columns', async (client) => {
		const fields = await withIds(
			{ ...fieldsInEditor(context), client },
			locatorFieldsIn(namedTable.properties),
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
