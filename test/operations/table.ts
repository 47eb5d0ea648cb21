import { byId } from '../engine/harness/byId';
import type { ResourceFacts } from './facts';

/** Why a key cannot use the tables of a release. */
export const NEEDS_TABLES =
	'With an API key from 0.79 on. On 0.73 *Sign-In*, for the personal project';

export const table: ResourceFacts = {
	// Of one project
	records: ({ tables, projects: [{ id }] }) => tables.filter(({ projectId }) => projectId === id),
	needs: NEEDS_TABLES,
	output: {
		title: 'Table',
		fields: { id: 'ID of the table', projectId: 'ID of the project', url: 'Link to the table' },
	},
	operations: {
		getAll: {
			lackedBy: ['0.73'],
			parameters: (_id, { projects }) => ({ projectId: byId(projects[0].id) }),
			docs: {
				result: 'One item per table',
				calls: '`GET /v1/projects` for the projects’ names, and to list all projects',
			},
		},
	},
};
