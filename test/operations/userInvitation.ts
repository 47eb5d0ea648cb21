import type { ResourceFacts } from './facts';

export const userInvitation: ResourceFacts = {
	records: ({ invitations }) => invitations,
	output: {
		title: 'User invitation',
		events: 'User Invitation Created',
		fields: {
			id: 'ID of the invitation',
			email: 'Email of the person who was invited',
			status: '`PENDING` or `ACCEPTED`',
			type: '`PLATFORM` or `PROJECT`',
			projectId: 'For an invitation to a project, the ID of the project',
			role: 'Role that the invitation gives the person',
			created: 'Time of the invitation',
		},
	},
	operations: {
		getAll: {
			// The second list is that of the projects' invitations.
			faults: [{ after: 1 }],
			docs: { result: 'One item per invitation to the platform or to a project' },
		},
		delete: {
			records: ({ invitations }) => invitations.filter(({ type }) => type === 'PLATFORM'),
			load: { records: ({ invitations }) => invitations, holds: { invitations: 20_000 } },
			docs: {
				result: '`{ "deleted": true }`',
				needs:
					'For project invitations, Cloud or Enterprise 0.79 or later, on a plan with project roles',
			},
		},
	},
};
