import type { IDataObject } from 'n8n-workflow';

import { options } from '../../descriptions/field';
import { isRecord, textOf } from '../../transport/values';
import { addFile, includeFile } from '../exportFile';
import { itemsOperation } from '../operation';
import { GET_TABLE, optionsOf } from './columns';
import { fetchFields } from './newColumns';
import { namedTable } from './table';

const fieldOf = (field: IDataObject): IDataObject => ({
	name: field.name ?? null,
	type: field.type ?? null,
	externalId: textOf(field.externalId) || null,
	...(isRecord(field.data) && { options: optionsOf(field) }),
});

export const exportOperation = itemsOperation({
	name: 'Export',
	value: 'export',
	description: 'Get the columns of a table so you can save them as a file or import them',
	hint: 'Leaves out the records (rows)',
	toolDescription:
		'Returns one Activepieces table by its ID with its columns, without its records, in the format that Import accepts: name, externalId, projectId and fields',
	endpoint: GET_TABLE,
	fields: { target: namedTable, options: options({ includeFile: includeFile('table') }) },
	async items({ target, options: chosen }, { client, files }) {
		const table = await client.requestRecord({ endpoint: GET_TABLE, ...target });
		const record: IDataObject = {
			name: table.name ?? null,
			externalId: textOf(table.externalId) || null,
			projectId: table.projectId ?? null,
			fields: (await fetchFields(client, table)).map(fieldOf),
		};
		if (chosen.includeFile) addFile(files, record, 'table');
		return [record];
	},
});
