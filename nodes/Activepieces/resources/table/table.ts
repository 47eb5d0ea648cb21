import { textFilter } from '../../descriptions/filters';
import {
	inBrackets,
	type Locator,
	locatorField,
	type LocatorReader,
	nameOf,
	requestTarget,
} from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import { limits } from '../../transport/limits';
import { recordUrl } from '../../transport/recordUrl';
import type { ApiRequest } from '../../transport/client/request';
import { TABLES_WITHOUT_KEYS } from '../../transport/errors/responseMessages';
import { textOf } from '../../transport/values';
import { listOperation, orNull, projectNameOf } from '../builders';
import type { Resource } from '../operation';
import { projectLocator, projectToList } from '../project/project';

/** In 0.73 the list is always that of the user's own project (recorded). */
const LIST_TABLES: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/tables', rules: [TABLES_WITHOUT_KEYS] },
	subject: { noun: 'tables' },
};

const simplifyTable: Simplify = (table, source) => ({
	name: table.name ?? null,
	projectName: projectNameOf(table, source),
	...orNull(table, 'created', 'updated'),
	url: recordUrl(source?.baseUrl, 'table', table),
	...orNull(table, 'projectId', 'id'),
});

const tableLocator: Locator = {
	name: 'tableId',
	displayName: 'Table',
	noun: 'table',
	description: 'The table to operate on. The list shows the tables of all projects.',
	required: true,
	page: 'table',
	searchMethod: 'searchTables',
	sources: {
		request: LIST_TABLES,
		// Pages lose the tables that were created in the same second (recorded).
		pageSize: limits.defaultPageSize,
		label: (table, project) => nameOf(table, 'name') + inBrackets(project.name),
		search: { parameter: 'name' },
		isOfChosenProject: true,
	},
};

export const tableFields = [
	{
		...locatorField({
			...projectLocator,
			description: 'The project whose tables the list of Table shows',
			hint: 'Leave empty for the tables of all projects',
		}),
		displayOptions: { hide: { '@tool': [true] } },
	},
	locatorField(tableLocator),
];

export type TableTarget = ReturnType<typeof tableTarget>;

/** The chosen table: what requests it, its ID, and the subject of requests whose response is about it. */
export function tableTarget(fields: LocatorReader) {
	const target = requestTarget(fields, tableLocator);
	const id = textOf(target.id);
	const { displayName: field, noun } = tableLocator;
	return { target, id, subject: { noun: 'table records', field, container: { noun, id } } };
}

const getAll = listOperation({
	description: 'Get the tables of a project, or of all projects',
	hint: 'Returns one item per table. To get the rows of a table, use Table Record > Get Many.',
	toolDescription:
		'Returns the tables of an Activepieces project, or of all projects if none is given',
	request: LIST_TABLES,
	project: projectToList('tables'),
	filters: [
		textFilter('Name', 'name', {
			placeholder: 'e.g. Orders',
			description:
				'Return only tables whose name contains this text. Not case-sensitive. % and _ are wildcards.',
		}),
	],
	simplify: simplifyTable,
});

export const table: Resource = {
	name: 'Table',
	value: 'table',
	locators: [tableLocator],
	operations: [getAll],
};
