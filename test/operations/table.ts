import { byId } from '../engine/harness/byId';
import { CREATED, find, type ResourceFacts } from './facts';

/** Why a key cannot use the tables of a release. */
const IMPORTED = `${CREATED} by Import`;

const FILE = {
	...{ name: IMPORTED, externalId: `${CREATED}-table` },
	fields: [{ name: 'State', type: 'STATIC_DROPDOWN', externalId: 'state', options: ['open'] }],
};

export const table: ResourceFacts = {
	// Of one project
	records: ({ tables, projects: [{ id }] }) => tables.filter(({ projectId }) => projectId === id),
	output: {
		title: 'Table',
		fields: {
			change:
				'Only from *Import*: `created`, `updated` if columns were added, or `unchanged` if the table has them all',
		},
	},
	operations: {
		getAll: {
			parameters: (_id, { projects }) => ({ projectId: byId(projects[0].id) }),
			docs: {},
		},
		export: {
			expected: (id, { tables }) => {
				const { name, externalId, projectId } = find(tables, id);
				return { name, externalId, projectId };
			},
			load: { requests: 2 },
			live: { schema: 'TableFile' },
			docs: {
				calls: '`GET /v1/fields`',
				output: {
					title: 'Exported table',
					fields: {
						externalId: 'ID by which steps of flows name the table',
						fields:
							'Its columns, the oldest first: `name`, `type`, `externalId` and, of a drop-down, `options`',
					},
				},
			},
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
		import: {
			records: ({ projects }) => projects,
			locator: 'projectId',
			parameters: () => ({ content: JSON.stringify(FILE) }),
			expected: (projectId) => ({ projectId, name: IMPORTED, change: 'created' }),
			isChanged: ({ data: { fields, tables } }) =>
				tables.some(
					({ id, name }) => name === IMPORTED && fields.some(({ tableId }) => tableId === id),
				),
			faults: [{ looksAfterwards: true }],
			load: {
				// Several items are of one table, which only the first of them creates.
				expected: (projectId) => ({ projectId, name: IMPORTED }),
				requests: 2,
				left: ({ data }) =>
					expect(data.tables.filter(({ name }) => name === IMPORTED)).toHaveLength(
						data.projects.length,
					),
			},
			docs: {
				calls:
					'`GET /v1/tables` first; for Date and Time, or more than 15 columns, `GET /v1/flags`; `POST /v1/fields` for each new column, `GET /v1/fields` after an error or for an existing table',
				secondTime: 'Changes nothing',
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
