import type { IDataObject } from 'n8n-workflow';

import { isVisible } from '../../descriptions/parameters';
import { validationError } from '../../transport/errors/error';
import { describeValue, shortName } from '../../transport/texts';
import { isRecord, recordOf, textOf } from '../../transport/values';
import { findExported, onlyOne, type Place } from '../importFile';
import { optionsOf } from './columns';
import { toNewColumns, TYPES, type NewColumn } from './newColumns';

/* The file of a table: its name and its columns, with the external IDs by which steps of flows name them. */

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
