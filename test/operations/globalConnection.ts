import { NEW_CONNECTION } from './connection';
import { CREATED, find, renamed, type ResourceFacts } from './facts';

const theList = { name: 'list', request: 'GET /v1/global-connections' };

export const globalConnection: ResourceFacts = {
	records: ({ connections }) => connections,
	needs: 'Cloud or Enterprise, on a plan with global connections',
	output: {
		title: 'Global connection',
		events: 'Connection Needs Attention',
		fields: {
			externalId: 'ID by which flows refer to the connection',
			pieceName: 'Piece that the connection is for',
			type: 'For example `OAUTH2` or `SECRET_TEXT`',
			status: '`ACTIVE`, `ERROR` or `MISSING`',
			projectIds: 'IDs of the projects that can use it',
			flowCount: 'Number of flows that use it; null after a change',
			ownerEmail: 'Email of its owner; null after a change',
		},
	},
	operations: {
		getAll: { live: { lacking: ['ce'] }, docs: {} },
		upsert: {
			parameters: (_id, { projects: [{ id }] }) => ({ ...NEW_CONNECTION, projectIds: [id] }),
			expected: () => ({ name: CREATED, externalId: CREATED }),
			isChanged: ({ data }) => data.connections.some(({ displayName }) => displayName === CREATED),
			faults: [{ looksAfterwards: true }, theList],
			load: false,
			docs: {
				calls:
					'`GET /v1/projects` and `GET /v1/global-connections` first, `POST /v1/global-connections/{id}` for other projects',
				secondTime:
					'Overwrites the same connection. One of another piece or type is kept without *Replace Any Connection*',
			},
		},
		update: {
			// With projects, because Project Change is read with them.
			parameters: (id, { projects }) => ({
				updateFields: { displayName: renamed(id), projectIds: [projects[0].id] },
			}),
			expected: (id) => ({ id, name: renamed(id) }),
			isChanged: ({ data }, id) => find(data.connections, id).displayName === renamed(id),
			faults: [{}, theList],
			load: { requests: 2 },
			docs: {
				calls: '`GET /v1/global-connections` first, `GET /v1/projects` for other projects',
				secondTime: 'Sets the same values again',
			},
		},
		delete: {
			faults: [{}, theList],
			load: { holds: (connections) => ({ connections }), requests: 1.01 },
			docs: { calls: '`GET /v1/global-connections` first' },
		},
	},
};
