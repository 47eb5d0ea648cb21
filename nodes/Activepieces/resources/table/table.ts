import { named, together } from '../../descriptions/field';
import { inBrackets, nameOf, type Locator } from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import { recordUrl } from '../../descriptions/webApp';
import type { ApiRequest, RequestTarget } from '../../transport/client/request';
import { limits } from '../../transport/limits';
import { orNull, textOf } from '../../transport/values';
import { projectNameOf } from '../project/project';

export const LIST_TABLES: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/tables', order: 'newestFirst' },
	subject: { noun: 'tables' },
};

export const simplifyTable: Simplify = (table, source) => ({
	name: table.name ?? null,
	projectName: projectNameOf(table, source),
	...orNull(table, 'created', 'updated'),
	url: recordUrl(source?.baseUrl, 'table', table),
	...orNull(table, 'projectId', 'id'),
});

export const tableLocator: Locator = {
	name: 'tableId',
	displayName: 'Table',
	noun: 'table',
	description: 'The table to operate on',
	required: true,
	page: 'table',
	byName: ({ name }) => name,
	byExternalId: ({ externalId }) => [externalId],
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

/** The table that an item names. */
export const namedTable = named(tableLocator);

export type TableTarget = ReturnType<typeof tableOf>;

/** What requests a table, its ID, and the subject of requests whose response is about it. */
export function tableOf(target: RequestTarget) {
	const id = textOf(target.id);
	const { displayName: field, noun } = tableLocator;
	return { target, id, subject: { noun: 'table records', field, container: { noun, id } } };
}

/** The table that holds a record. */
export const tableOfRecord = together({ table: namedTable }, ({ table }) => tableOf(table));
