import type { ResourceFacts } from './facts';

export const globalConnection: ResourceFacts = {
	records: ({ connections }) => connections,
	needs: 'Cloud or Enterprise, on a plan with global connections',
	output: {
		title: 'Global connection',
		events: 'Connection Needs Attention',
		fields: {
			id: 'ID of the connection',
			externalId: 'ID by which flows refer to the connection',
			pieceName: 'Name of the piece that the connection is for',
			type: 'Kind of credentials, for example `OAUTH2` or `SECRET_TEXT`',
			status: '`ACTIVE`, `ERROR` or `MISSING`',
			projectIds: 'IDs of the projects that can use the connection',
			flowCount: 'Number of flows that use the connection',
			ownerEmail: 'Email of the user who owns the connection',
		},
	},
	operations: {
		getAll: {
			live: { lacking: ['ce'] },
			docs: { result: 'One item per connection that the platform shares with its projects' },
		},
	},
};
