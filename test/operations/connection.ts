import type { ResourceFacts } from './facts';

export const connection: ResourceFacts = {
	records: ({ projectConnections }) => projectConnections,
	output: {
		title: 'Connection',
		events: 'Connection Needs Attention',
		fields: {
			id: 'ID of the connection',
			externalId: 'ID by which the flows of the project refer to the connection',
			pieceName: 'Name of the piece that the connection is for',
			status: '`ACTIVE`, `ERROR` or `MISSING`',
			projectId: 'ID of the connection’s project',
			flowIds: 'IDs of the flows whose latest version uses the connection',
			ownerEmail: 'Email of the user who owns the connection',
		},
	},
	operations: {
		getAll: {
			docs: {
				result: 'One item per connection of a project, with the flows that use it',
				calls: '`GET /v1/projects` for the projects’ names, and to list all projects',
			},
		},
		delete: {
			// 0.73 lets no key delete a connection (recorded).
			lackedBy: ['0.73'],
			faults: [{}, { name: 'flows of the project', request: 'GET /v1/flows' }],
			// The lists of connections and flows are read once.
			load: { holds: { connectionsPerProject: 10_000, connections: 0 }, requests: 1.01 },
			docs: {
				result:
					'`{ "deleted": true }`. Keeps a connection that enabled flows use, unless *Delete Even If Used* is on',
				needs: '0.79 or later, or Sign-In',
				calls:
					'`GET /v1/projects` and `GET /v1/app-connections` first, to find the connection; `GET /v1/flows` for the enabled flows of its project',
			},
		},
	},
};
