import type { ResourceFacts } from './facts';

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
			flowCount: 'Number of flows that use it',
			ownerEmail: 'Email of its owner',
		},
	},
	operations: {
		getAll: {
			live: { lacking: ['ce'] },
			docs: { note: 'those that the platform shares with its projects' },
		},
	},
};
