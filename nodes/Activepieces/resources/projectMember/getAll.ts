import { filter, textFilter } from '../../descriptions/filters';
import { textOf } from '../../transport/values';
import { listOperation } from '../listOperation';
import { projectToList } from '../project/project';
import { emailOf, fetchRole, LIST_MEMBERS, roleField, simplifyMember } from './projectMember';

export const getAll = listOperation({
	description: 'Get the members of a project, or of all projects, with their roles',
	hint: 'Returns one item per member. The owner and admins of the platform are included only if they have a role.',
	toolDescription:
		'Returns the members of an Activepieces project, or of all projects if none is given, with their roles. The owner of a project and the admins of the platform are included only if they have a role in the project',
	request: LIST_MEMBERS,
	project: projectToList('members'),
	filters: [
		textFilter('Email', 'email', {
			placeholder: 'e.g. @example.com',
			description: 'Return only members whose email contains this text. Not case-sensitive.',
		}),
		filter(roleField('Return only members with this role')),
	],
	simplify: simplifyMember,
	// The service filters by role only.
	async select({ email, projectRole, ...query }, client) {
		const part = textOf(email).toLowerCase();
		const role = projectRole === undefined ? {} : await fetchRole(client, textOf(projectRole));
		return {
			query: { ...query, projectRoleId: role.id },
			mayDrop: email !== undefined,
			take: (member) => (emailOf(member).toLowerCase().includes(part) ? member : undefined),
		};
	},
});
