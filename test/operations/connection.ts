import type { ResourceFacts } from './facts';

export const connection: ResourceFacts = {
	records: ({ projectConnections }) => projectConnections,
	output: {
		title: 'Connection',
		events: 'Connection Needs Attention',
		fields: {
			externalId: 'ID by which flows refer to the connection',
			pieceName: 'Piece that the connection is for',
			status: '`ACTIVE`, `ERROR` or `MISSING`',
			flowIds: 'IDs of the flows whose latest version uses it',
			ownerEmail: 'Email of its owner',
		},
	},
	operations: {
		getAll: { docs: { note: 'with the flows that use them', calls: '`GET /v1/projects`' } },
		delete: {
			// 0.73 lets no key delete a connection (recorded).
			lackedBy: ['0.73'],
			faults: [{}, { name: 'flows of the project', request: 'GET /v1/flows' }],
			// The lists of connections and flows are read once.
			load: {
				holds: (items) => ({ connectionsPerProject: items / 2, connections: 0 }),
				requests: 1.01,
			},
			docs: {
				note: 'unless enabled flows use it',
				needs: '0.79 or later, or Sign-In',
				calls: '`GET /v1/projects`, `GET /v1/app-connections` and `GET /v1/flows` first',
			},
		},
	},
};
