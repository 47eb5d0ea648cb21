import { byId } from '../engine/harness/byId';
import { CREATED, type ResourceFacts } from './facts';

/** Why a key cannot use the tables of a release. */
export const NEEDS_TABLES = 'API keys from 0.79 on; on 0.73 *Sign-In*, for the personal project';

export const table: ResourceFacts = {
	// Of one project
	records: ({ tables, projects: [{ id }] }) => tables.filter(({ projectId }) => projectId === id),
	needs: NEEDS_TABLES,
	lackedBy: ['0.73'],
	output: { title: 'Table', fields: {} },
	operations: {
		getAll: {
			parameters: (_id, { projects }) => ({ projectId: byId(projects[0].id) }),
			docs: {},
		},
		create: {
			records: ({ projects }) => projects,
			locator: 'projectId',
			parameters: () => ({
				tableName: CREATED,
				columns: { column: [{ name: 'State', type: 'STATIC_DROPDOWN', options: 'open, paid' }] },
				ifExists: 'use',
			}),
			expected: (projectId) => ({ projectId, name: CREATED }),
			isChanged: ({ data: { fields, tables } }) =>
				tables.some(
					({ id, name }) => name === CREATED && fields.some(({ tableId }) => tableId === id),
				),
			faults: [{ looksAfterwards: true }],
			load: {
				left: ({ data }) =>
					expect(data.tables.filter(({ name }) => name === CREATED)).toHaveLength(
						data.projects.length,
					),
			},
			docs: {
				calls:
					'`GET /v1/tables` first; for Date and Time, or more than 15 columns, `GET /v1/flags`; `POST /v1/fields` for each column, `GET /v1/fields` after an error or for an existing table',
				secondTime: 'Stops with a message, unless you set *If Table Exists*',
			},
		},
		clear: {
			expected: () => ({ cleared: true }),
			faults: [{ hasNoBody: true }],
			isChanged: ({ data }, id) => data.tableRows.every(({ tableId }) => tableId !== id),
			docs: {
				secondTime: 'Deletes what was added since',
				output: { title: 'Cleared table', fields: { cleared: 'Always true' } },
			},
		},
		delete: {
			load: {
				holds: (tablesPerProject) => ({ projects: 1, tablesPerProject, recordsPerTable: 0 }),
			},
			docs: {},
		},
	},
};
