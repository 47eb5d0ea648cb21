import type { FastifyRequest } from 'fastify';

import { type KnownPrincipal, requireFeature } from '../auth';
import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { byCreated } from '../cursor';
import { conflict, entityNotFound, notAllowed, refuseNul } from '../errors';
import { every, paginate, when } from '../list';
import type { InvitationRecord, ProjectRecord } from '../records';

interface InvitationQuery {
	type: InvitationRecord['type'];
	projectId?: string;
	status?: InvitationRecord['status'];
}

/** GET /v1/user-invitations, DELETE /v1/user-invitations/{id}. */
export function invitationRoutes(context: Context): void {
	const { auth, edition, plan, route, traits } = context;

	const projectOrThrow = (id: string): ProjectRecord => {
		const project = auth.findProject(id);
		if (!project) throw entityNotFound({ entityId: id, entityType: 'project' });
		return project;
	};

	/** 0.73 reads the project of a person's token, whichever is requested. */
	const assertTeamProject = (principal: KnownPrincipal, projectId: string) => {
		const id =
			traits.tokensOfOneProject && principal.type === 'USER' ? principal.projectId : projectId;
		if (projectOrThrow(id ?? '').type !== 'TEAM') {
			throw conflict('Project must be a team project');
		}
	};

	const assertProjectAccess = (principal: KnownPrincipal, projectId: string) => {
		if (projectOrThrow(projectId).platformId !== principal.platform.platformId) {
			throw notAllowed({ message: 'user does not have access to the project' });
		}
		requireFeature(plan.projectRolesEnabled);
	};

	/** The project whose invitations are listed; undefined for those of all projects. */
	const listedProject = (principal: KnownPrincipal, { type, projectId }: InvitationQuery) => {
		if (principal.type === 'SERVICE') {
			if (projectId !== undefined) assertProjectAccess(principal, projectId);
		} else if (traits.tokensOfOneProject) {
			const own = principal.projectId ?? '';
			if (edition === 'enterprise') auth.checkRole(principal, own, 'READ_INVITATION');
			return type === 'PROJECT' ? own : undefined;
		}
		return type === 'PROJECT' ? projectId : undefined;
	};

	route(
		'GET',
		'/v1/user-invitations',
		(request) => {
			const principal = auth.platform(request);
			const query = request.query as InvitationQuery;
			const { type, projectId, status } = query;
			refuseNul(projectId);
			if (type === 'PROJECT' && projectId !== undefined) assertTeamProject(principal, projectId);
			const ofProject = listedProject(principal, query);
			const keep = every<InvitationRecord>(
				(row) => row.type === type,
				when(ofProject, (id) => (row) => row.projectId === id),
				when(status, (wanted) => (row) => row.status === wanted),
			);
			return paginate(principal.platform.invitations, keep, pageRequest(request), byCreated);
		},
		{
			query: {
				type: { type: 'enum', values: ['PLATFORM', 'PROJECT'], required: true },
				projectId: { type: 'string' },
				status: { type: 'enum', values: ['PENDING', 'ACCEPTED'] },
				...PAGE_FIELDS,
			},
		},
	);

	/** Up to 0.76 the project came from the request, and 0.73 accepted none from a key. */
	const assertNamedTeamProject = (principal: KnownPrincipal, request: FastifyRequest) => {
		const { projectId } = request.query as { projectId?: string };
		const ofToken = principal.type === 'USER' ? principal.projectId : undefined;
		const named = ofToken ?? projectId;
		if (named === undefined) throw notAllowed({ message: 'Project ID is required' });
		assertTeamProject(principal, named);
	};

	const assertMayDelete = (
		principal: KnownPrincipal,
		{ type, projectId }: InvitationRecord,
		request: FastifyRequest,
	) => {
		if (type === 'PLATFORM') {
			auth.requireOwner(principal);
			return;
		}
		if (traits.deletingNeedsProject) assertNamedTeamProject(principal, request);
		assertProjectAccess(principal, projectId ?? '');
		if (principal.type === 'USER') auth.checkRole(principal, projectId ?? '', 'WRITE_INVITATION');
	};

	route('DELETE', '/v1/user-invitations/:id', (request, reply) => {
		const principal = auth.platform(request);
		const { platform } = principal;
		auth.refuseProjectId(request, principal);
		const { id } = request.params as { id: string };
		refuseNul(id);
		const invitation = platform.invitations.find((row) => row.id === id);
		if (!invitation) throw entityNotFound({ entityId: `id=${id}`, entityType: 'UserInvitation' });
		assertMayDelete(principal, invitation, request);
		platform.invitations = platform.invitations.filter((row) => row !== invitation);
		return reply.status(204).send();
	});
}
