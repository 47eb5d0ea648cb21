import type { FastifyRequest } from 'fastify';

import { requireFeature } from '../auth';
import { BY_ID, locate, type Context } from '../context';
import { byCreated } from '../cursor';
import { equal, every, paged, paginate, wholeList } from '../list';
import type { MemberRecord, ServiceData } from '../records';
import { required, shape, text } from '../schema';
import { assertRole } from './invitations';

const PATH = '/v1/project-members/:id';
const LIST = paged({ projectId: required(text), projectRoleId: text });
const UPDATE = shape({ role: required(text) });

/**
 * GET /v1/project-roles; GET /v1/project-members, POST and DELETE /v1/project-members/{id}. The Community
 * edition has none of them.
 */
export function projectMemberRoutes(context: Context): void {
	const { auth, edition, now, plan, route } = context;
	if (edition === 'community') return;

	route('GET', '/v1/project-roles', {}, (request) => {
		const { roles, members } = auth.platform(request).platform;
		const userCount = (id: string) => members.filter((row) => row.projectRoleId === id).length;
		return wholeList(roles.map((role) => ({ ...role, userCount: userCount(role.id) })));
	});

	const answer = ({ users, roles, projects }: ServiceData, member: MemberRecord) => {
		const project = projects.find(({ id }) => id === member.projectId)!;
		return {
			...member,
			user: users.find(({ id }) => id === member.userId),
			projectRole: roles.find(({ id }) => id === member.projectRoleId),
			project: { id: project.id, displayName: project.displayName },
		};
	};

	// The owner of a project and the platform's admins are members only if somebody has added them.
	route('GET', '/v1/project-members', { query: LIST }, (request) => {
		const { platform } = auth.namedProject(request, 'READ_PROJECT_MEMBER');
		requireFeature(plan.projectRolesEnabled);
		const { projectId, projectRoleId } = request.query;
		const keep = every<MemberRecord>(
			(row) => row.projectId === projectId,
			equal(projectRoleId, (row) => row.projectRoleId),
		);
		const page = paginate(request, platform.members, keep, byCreated);
		return { ...page, data: page.data.map((member) => answer(platform, member)) };
	});

	const memberOf = (request: FastifyRequest) => {
		const { id } = request.params as { id: string };
		const { data, row } = locate(context, ({ members }) => members, id);
		const member = auth.rowOfPath(request, row, 'project_member', 'WRITE_PROJECT_MEMBER');
		requireFeature(plan.projectRolesEnabled);
		return { data, member };
	};

	route('POST', PATH, { ...BY_ID, body: UPDATE }, (request) => {
		const { data, member } = memberOf(request);
		const { id } = assertRole(data, request.body.role);
		return Object.assign(member, { projectRoleId: id, updated: now() });
	});

	route('DELETE', PATH, BY_ID, (request) => {
		const { data, member } = memberOf(request);
		data.members = data.members.filter((row) => row !== member);
	});
}
