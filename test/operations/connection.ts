import { byName } from '../engine/harness/byId';
import { CREATED, find, renamed, type ResourceFacts } from './facts';

/** The fields of a new connection, without its projects. */
export const NEW_CONNECTION = {
	...{ externalId: CREATED, displayName: CREATED },
	pieceName: byName('@activepieces/piece-telegram-bot'),
	...{ connectionType: 'SECRET_TEXT', secretText: 'only the service knows' },
};

export const connection: ResourceFacts = {
	records: ({ projectConnections }) => projectConnections,
	output: {
		title: 'Connection',
		events: 'Connection Needs Attention',
		fields: {
			externalId: 'ID by which flows refer to the connection',
			pieceName: 'Piece that the connection is for',
			status: '`ACTIVE`, `ERROR` or `MISSING`',
			flowIds: 'IDs of the flows whose latest version uses it; null after a change',
			ownerEmail: 'Email of its owner; null after a change',
		},
	},
	operations: {
		getAll: { docs: {} },
		upsert: {
			locator: 'projectId',
			records: ({ projects }) => projects,
			parameters: () => NEW_CONNECTION,
			expected: () => ({ name: CREATED, externalId: CREATED }),
			isChanged: ({ data }) =>
				data.projectConnections.some(({ displayName }) => displayName === CREATED),
			faults: [
				{ looksAfterwards: true },
				{ name: 'connections of the project', request: 'GET /v1/app-connections' },
			],
			// The list of a project would grow by each item.
			load: false,
			docs: {
				calls: '`GET /v1/app-connections` first',
				secondTime:
					'Overwrites the same connection. One of another piece or type is kept without *Replace Any Connection*',
			},
		},
		update: {
			parameters: (id) => ({ updateFields: { displayName: renamed(id) } }),
			expected: (id) => ({ id, name: renamed(id) }),
			isChanged: ({ data }, id) => find(data.projectConnections, id).displayName === renamed(id),
			// The list of connections is read once.
			load: { requests: 1.01 },
			docs: {
				calls: '`GET /v1/app-connections` first',
				secondTime: 'Sets the same values again',
			},
		},
		delete: {
			faults: [{}, { name: 'flows of the project', request: 'GET /v1/flows' }],
			// The lists of connections and flows are read once.
			load: {
				holds: (items) => ({ connectionsPerProject: items / 2, connections: 0 }),
				requests: 1.01,
			},
			docs: {
				calls: '`GET /v1/app-connections` and `GET /v1/flows` first',
			},
		},
	},
};
