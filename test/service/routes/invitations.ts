import { z } from 'zod/v4';

import { requireFeature, type KnownPrincipal } from '../auth';
import type { Context } from '../context';
import { byCreated } from '../cursor';
import { conflict, entityNotFound, notAllowed } from '../errors';
import { alphanumerics, madeAt, makeId } from '../ids';
import { equal, every, paged, paginate } from '../list';
import { RecordMaker } from '../make';
import type { InvitationRecord, RoleRecord, ServiceData, UserRecord } from '../records';
import { roleNamed } from '../roles';
import { oneOf, PLATFORM_ROLE, required, text } from '../schema';

const QUERY = paged({
	type: required(oneOf(['PLATFORM', 'PROJECT'])),
	projectId: text,
	status: oneOf(['PENDING', 'ACCEPTED']),
});

const CREATE = z.union([
	z.object({ type: z.literal('PLATFORM'), email: z.string(), platformRole: PLATFORM_ROLE }),
	z.object({
		type: z.literal('PROJECT'),
		email: z.string(),
		projectId: z.string(),
		projectRole: z.string(),
	}),
]);

/** The role of a name in a request. */
export function assertRole(platform: ServiceData, name: string): RoleRecord {
	const role = roleNamed(platform.roles, name);
	if (role) return role;
	const message = 'Project Role by name and platformId not found';
	throw entityNotFound({ entityType: 'project_role', entityId: name, message });
}

/**
 * GET and POST /v1/user-invitations, DELETE /v1/user-invitations/{id}. Of three creates at once for one
 * person and project, one or two get a 404 (recorded, not imitated).
 */
export function invitationRoutes(context: Context): void {
	const { auth, now, plan, platforms, route, traits } = context;
	let made = 0;

	/** 0.73 reads the project of a person's token, whichever is requested. */
	const assertTeamProject = (principal: KnownPrincipal, projectId: string) => {
		const id = traits.old && principal.type === 'USER' ? principal.projectId : projectId;
		if (auth.getProject(id ?? '').type !== 'TEAM') {
			throw conflict('Project must be a team project');
		}
	};

	const assertProjectAccess = (principal: KnownPrincipal, projectId: string) => {
		if (auth.getProject(projectId).platformId !== principal.platform.platformId) {
			throw notAllowed({ message: 'user does not have access to the project' });
		}
		requireFeature(plan.projectRolesEnabled);
	};

	/** The project whose invitations are listed; undefined for those of all projects. */
	const listedProject = (principal: KnownPrincipal, type: string, projectId?: string) => {
		if (principal.type === 'SERVICE' && projectId !== undefined) {
			assertProjectAccess(principal, projectId);
		}
		return type === 'PROJECT' ? projectId : undefined;
	};

	route('GET', '/v1/user-invitations', { query: QUERY }, (request) => {
		const principal = auth.platform(request);
		const { type, projectId, status } = request.query;
		if (type === 'PROJECT' && projectId !== undefined) assertTeamProject(principal, projectId);
		const ofProject = listedProject(principal, type, projectId);
		const keep = every<InvitationRecord>(
			equal(type, (row) => row.type),
			equal(ofProject, (row) => row.projectId),
			equal(status, (row) => row.status),
		);
		return paginate(request, principal.platform.invitations, keep, byCreated);
	});

	const assertProjectInvitation = (principal: KnownPrincipal, projectId: string) => {
		assertTeamProject(principal, projectId);
		assertProjectAccess(principal, projectId);
		if (principal.type === 'USER') auth.checkRole(principal, projectId, 'WRITE_INVITATION');
	};

	const isOf = (email: string) => (user: UserRecord) => user.email.toLowerCase() === email;

	/** Somebody who has an account on this server joins at once, with the role of the invitation, whichever it was. */
	const accept = (platform: ServiceData, invitation: InvitationRecord) => {
		const { email, platformRole, projectId, projectRole, updated: at } = invitation;
		const known = platforms.flatMap(({ users }) => users).find(isOf(email));
		if (!known) return false;
		let user = platform.users.find(isOf(email));
		if (!user) {
			const { platformId } = platform;
			const fresh = { ...madeAt(makeId(`${platformId}/${email}`), at), platformId };
			user = { ...known, ...fresh, externalId: null, status: 'ACTIVE', platformRole: 'MEMBER' };
			platform.users = [...platform.users, user];
		}
		if (platformRole) Object.assign(user, { platformRole, updated: at });
		if (!projectId || !projectRole) return true;
		const userId = user.id;
		const own = platform.members.find(
			(row) => row.userId === userId && row.projectId === projectId,
		);
		if (own) Object.assign(own, { projectRoleId: projectRole.id, updated: at });
		else {
			const seed = { userId, projectId, role: projectRole, created: at };
			const member = new RecordMaker(traits, platform.admin).projectMember(seed);
			platform.members = [...platform.members, member];
		}
		return true;
	};

	/** A second one to a project replaces the first; one to the platform is added. */
	const invite = (platform: ServiceData, seed: Omit<InvitationRecord, 'id' | 'updated'>) => {
		const { email, projectId } = seed;
		const replaced = platform.invitations.find(
			(row) => projectId !== null && row.email === email && row.projectId === projectId,
		);
		const id = makeId(`${platform.platformId}/new invitation`, made++);
		const created = replaced?.created ?? seed.created;
		const invitation = { ...seed, id, created, updated: seed.created };
		const kept = platform.invitations.filter((row) => row !== replaced);
		const isOver = seed.status === 'ACCEPTED' && accept(platform, invitation);
		platform.invitations = isOver ? kept : [...kept, invitation];
		return invitation;
	};

	route('POST', '/v1/user-invitations', { body: CREATE }, (request, reply) => {
		const principal = auth.platform(request);
		const { platform } = principal;
		const { body } = request;
		const { type } = body;
		const isToProject = type === 'PROJECT';
		if (isToProject) assertProjectInvitation(principal, body.projectId);
		else auth.requireOwner(principal);
		const email = body.email.trim().toLowerCase();
		const projectRole = isToProject ? assertRole(platform, body.projectRole) : null;
		const joins = isToProject && platform.users.some(isOf(email));
		const invitation = invite(platform, {
			created: now(),
			email,
			status: principal.type === 'SERVICE' || joins ? 'ACCEPTED' : 'PENDING',
			platformId: platform.platformId,
			type,
			platformRole: isToProject ? null : body.platformRole,
			projectId: isToProject ? body.projectId : null,
			projectRoleId: projectRole?.id ?? null,
			projectRole,
		});
		const token = alphanumerics('invitation', made, 80);
		const query = `token=${token}&email=${encodeURIComponent(email)}`;
		const link = `${request.protocol}://${request.host}/invitation?${query}`;
		const isPending = invitation.status === 'PENDING';
		const told = { ...invitation, projectRole: undefined };
		return reply.status(201).send(isPending ? { ...told, link } : told);
	});

	/** Up to 0.76 the project came from the request, and 0.73 accepted none from a key. */
	const assertNamedTeamProject = (
		principal: KnownPrincipal,
		{ projectId }: { projectId?: string },
	) => {
		const named = principal.projectId ?? projectId;
		if (named === undefined) throw notAllowed({ message: 'Project ID is required' });
		assertTeamProject(principal, named);
	};

	route('DELETE', '/v1/user-invitations/:id', {}, (request) => {
		const principal = auth.platform(request);
		const { platform } = principal;
		auth.refuseProjectId(request, principal.projectId);
		const { id } = request.params;
		const invitation = platform.invitations.find((row) => row.id === id);
		if (!invitation) throw entityNotFound({ entityId: `id=${id}`, entityType: 'UserInvitation' });
		const { type, projectId } = invitation;
		if (type === 'PLATFORM') {
			auth.requireOwner(principal);
		} else {
			if (traits.deletingNeedsProject) assertNamedTeamProject(principal, request.query);
			assertProjectAccess(principal, projectId ?? '');
			if (principal.type === 'USER') auth.checkRole(principal, projectId ?? '', 'WRITE_INVITATION');
		}
		platform.invitations = platform.invitations.filter((row) => row !== invitation);
	});
}
