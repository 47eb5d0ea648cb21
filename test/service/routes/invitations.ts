import { type KnownPrincipal, requireFeature } from '../auth';
import type { Context } from '../context';
import { byCreated } from '../cursor';
import { conflict, entityNotFound, notAllowed } from '../errors';
import { equal, every, paged, paginate } from '../list';
import type { InvitationRecord } from '../records';
import { oneOf, required, text } from '../schema';

const QUERY = paged({
	type: required(oneOf(['PLATFORM', 'PROJECT'])),
	projectId: text,
	status: oneOf(['PENDING', 'ACCEPTED']),
});

/** GET /v1/user-invitations, DELETE /v1/user-invitations/{id}. */
export function invitationRoutes(context: Context): void {
	const { auth, edition, plan, route, traits } = context;

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
		if (principal.type === 'SERVICE') {
			if (projectId !== undefined) assertProjectAccess(principal, projectId);
		} else if (traits.old) {
			const own = principal.projectId ?? '';
			if (edition === 'enterprise') auth.checkRole(principal, own, 'READ_INVITATION');
			return type === 'PROJECT' ? own : undefined;
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
