import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { byCreated } from '../cursor';
import { conflict, entityNotFound, notAllowed, refuseNul } from '../errors';
import { every, paginate, when } from '../list';
import type { InvitationRecord } from '../records';

interface InvitationQuery {
	type: InvitationRecord['type'];
	projectId?: string;
	status?: InvitationRecord['status'];
}

/** GET /v1/user-invitations, DELETE /v1/user-invitations/{id}. */
export function invitationRoutes({ auth, route, traits }: Context): void {
	route(
		'GET',
		'/v1/user-invitations',
		(request) => {
			const { platform } = auth.platform(request);
			const { type, projectId, status } = request.query as InvitationQuery;
			refuseNul(projectId);
			const ofProject = type === 'PROJECT' ? projectId : undefined;
			const keep = every<InvitationRecord>(
				(row) => row.type === type,
				when(ofProject, (id) => (row) => row.projectId === id),
				when(status, (wanted) => (row) => row.status === wanted),
			);
			return paginate(platform.invitations, keep, pageRequest(request), byCreated);
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

	route('DELETE', '/v1/user-invitations/:id', (request, reply) => {
		const principal = auth.platform(request);
		const { platform } = principal;
		auth.refuseProjectId(request);
		const { id } = request.params as { id: string };
		refuseNul(id);
		const invitation = platform.invitations.find((row) => row.id === id);
		if (!invitation) throw entityNotFound({ entityId: `id=${id}`, entityType: 'UserInvitation' });
		if (invitation.type === 'PROJECT' && traits.oldAuthorization) {
			// No key can delete these: without a project it is refused, with one as well.
			if (principal.type === 'SERVICE') throw notAllowed({ message: 'Project ID is required' });
			throw conflict('Project must be a team project');
		}
		platform.invitations = platform.invitations.filter((row) => row !== invitation);
		return reply.status(204).send();
	});
}
