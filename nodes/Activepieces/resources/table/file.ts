import type { IDataObject } from 'n8n-workflow';

import { options } from '../../descriptions/field';
import { isVisible } from '../../descriptions/parameters';
import { validationError } from '../../transport/errors/error';
import { describeValue, shortName } from '../../transport/texts';
import { isRecord, recordOf, textOf } from '../../transport/values';
import { addFile, includeFile } from '../exportFile';
import { findExported, onlyOne, type Place } from '../importFile';
import { itemsOperation } from '../operation';
import { GET_TABLE, optionsOf } from './columns';
import { fetchFields, toNewColumns, TYPES, type NewColumn } from './newColumns';
import { namedTable } from './table';

/* The file of a table: its name and its columns, with the external IDs by which steps of flows name them. */

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

/** The table in a file. */
export interface TableFile {
	name: string;
	/** Empty if the file has none */
	externalId: string;
	columns: NewColumn[];
	place: Place;
}

const isTable = (value: unknown): value is IDataObject =>
	isRecord(value) && Array.isArray(value.fields);

/** Finds the table in the output of Export, or in a template, which is Activepieces' own export (recorded). */
function findTable(value: unknown): IDataObject | undefined {
	return isRecord(value) ? [onlyOne(value.tables), value].find(isTable) : undefined;
}

function toGivenColumn(value: unknown, place: Place) {
	const field = recordOf(value);
	const name = textOf(field.name);
	const type = textOf(field.type);
	if (!isVisible(name)) {
		throw validationError(`A column in ${place} has no name`, 'Add a name to each of its fields.');
	}
	if (!TYPES.some(([, known]) => known === type)) {
		throw validationError(
			`The type of the column "${shortName(name)}" in ${place} must be one of ${TYPES.map(([, known]) => known).join(', ')}, not ${describeValue(field.type)}`,
			`Change ${place}.`,
		);
	}
	const externalId = textOf(field.externalId);
	// In a template, and in a record of the API, the options are in `data`.
	const values = Array.isArray(field.options) ? field.options.map(textOf) : optionsOf(field);
	return { name, type, options: values, ...(externalId !== '' && { externalId }) };
}

/** Reads the table in the value of a field, or in the text of a file; the parameters are those of `findExported`. */
export function readTable(held: unknown, place: Place, advice?: string): TableFile {
	const kind = { noun: 'table', part: 'fields', find: findTable };
	const { found } = findExported(kind, held, place, advice);
	const name = textOf(found.name);
	if (!isVisible(name)) {
		throw validationError(`The table in ${place} has no name`, `Add a name to ${place}.`);
	}
	const given = (found.fields as unknown[]).map((field) => toGivenColumn(field, place));
	const columns = toNewColumns(given, place);
	return { name, externalId: textOf(found.externalId), columns, place };
}
