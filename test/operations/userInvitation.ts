import type { ResourceFacts } from './facts';

const EMAIL = 'new.person@example.test';

export const userInvitation: ResourceFacts = {
	records: ({ invitations }) => invitations,
	output: {
		title: 'User invitation',
		events: 'User Invitation Created',
		fields: {
			email: 'Email of the invited person',
			status:
				'`PENDING` or `ACCEPTED`. From *Create* `ACCEPTED` with `id` null for a person who has the role and no invitation',
			type: '`PLATFORM` or `PROJECT`',
			projectId: 'ID of the project, for an invitation to one',
			role: 'Role that the person gets',
		},
	},
	operations: {
		getAll: {
			// The second list is that of the projects' invitations.
			faults: [{ after: 1 }],
			docs: {},
		},
		create: {
			// Nobody can be invited to a personal project.
			records: ({ projects }) => projects.filter(({ type }) => type === 'TEAM'),
			parameters: () => ({ type: 'PROJECT', email: EMAIL, projectRole: 'Editor' }),
			expected: (projectId) => ({ projectId, email: EMAIL, type: 'PROJECT', role: 'Editor' }),
			isChanged: ({ data }, id) =>
				data.invitations.some(({ email, projectId }) => email === EMAIL && projectId === id),
			faults: [
				{ looksAfterwards: true },
				{ name: 'the users', request: 'GET /v1/users' },
				{ name: 'the roles', request: 'GET /v1/project-roles' },
				{ name: 'invitations to the project', request: 'GET /v1/user-invitations' },
			],
			load: {
				left: ({ data }) =>
					expect(data.invitations.filter(({ email }) => email === EMAIL)).toHaveLength(2),
			},
			docs: {
				needs:
					'To a project: Cloud or Enterprise, on a plan with project roles. With Sign-In, the user must be an admin of the platform',
				calls:
					'`GET /v1/users` and `GET /v1/user-invitations` first, and after an error; for a user `GET /v1/platforms/{id}` and `GET /v1/project-members`; for a project `GET /v1/projects` and `GET /v1/project-roles`',
				secondTime:
					'Returns the same invitation. For a user, sends nothing and returns a record without ID',
			},
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
