import type { ResourceFacts } from './facts';

export const userInvitation: ResourceFacts = {
	records: ({ invitations }) => invitations,
	output: {
		title: 'User invitation',
		events: 'User Invitation Created',
		fields: {
			email: 'Email of the invited person',
			status: '`PENDING` or `ACCEPTED`',
			type: '`PLATFORM` or `PROJECT`',
			projectId: 'ID of the project, for an invitation to one',
			role: 'Role that the person gets',
		},
	},
	operations: {
		getAll: {
			// The second list is that of the projects' invitations.
			faults: [{ after: 1 }],
			docs: { note: 'to the platform and to projects' },
		},
		delete: {
			records: ({ invitations }) => invitations.filter(({ type }) => type === 'PLATFORM'),
			load: {
				records: ({ invitations }) => invitations,
				holds: (invitations) => ({ invitations }),
			},
			docs: {
				needs:
					'Project invitations: Cloud or Enterprise 0.79 or later, on a plan with project roles',
			},
		},
	},
};
