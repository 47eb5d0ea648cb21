import { byId } from '../engine/harness/byId';
import type { ResourceFacts } from './facts';

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
			docs: { calls: '`GET /v1/projects`' },
		},
	},
};
