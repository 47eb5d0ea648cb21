import { roleNamed } from '../service/roles';
import { find, ofOneProject, type ResourceFacts } from './facts';

export const projectMember: ResourceFacts = {
	records: ({ members }) => members,
	needs: 'Cloud or Enterprise, on a plan with project roles',
	output: {
		title: 'Project member',
		fields: {
			email: 'Email of the user',
			role: 'Role of the user in the project',
			status: '`ACTIVE` or `INACTIVE`, of the user',
			userId: 'ID of the user',
		},
	},
	operations: {
		getAll: {
			faults: [ofOneProject],
			live: { lacking: ['ce'] },
			docs: { calls: '`GET /v1/project-roles` for a role' },
		},
		update: {
			parameters: () => ({ projectRole: 'Editor' }),
			expected: (id) => ({ id, role: 'Editor' }),
			isChanged: ({ data }, id) =>
				find(data.members, id).projectRoleId === roleNamed(data.roles, 'Editor')?.id,
			faults: [{}, { name: 'the roles', request: 'GET /v1/project-roles' }],
			docs: {
				calls:
					'`GET /v1/project-roles` first; `GET /v1/project-members` for an email or in a chosen project, and for the output',
				secondTime: 'Sets the same role again',
			},
		},
		delete: {
			load: { holds: (items) => ({ members: items }) },
			docs: { calls: '`GET /v1/project-members` for an email or in a chosen project' },
		},
	},
};
