import type { FastifyRequest } from 'fastify';

import type { Context } from '../context';
import { uselessError } from '../errors';
import { flowsOfProject } from '../flowIndex';

/** GET /v1/flows/count. */
export function flowCountRoute({ auth, route, traits }: Context): void {
	/** 0.73 refuses every key, and counts the project of a session's token whatever the request. */
	const countedProject = (request: FastifyRequest) => {
		const principal = traits.oldAuthorization
			? auth.projectPrincipal(request)
			: auth.projectOfQuery(request, 'READ_FLOW');
		const { platform } = principal;
		if (!traits.oldAuthorization) {
			return { platform, projectId: (request.query as { projectId: string }).projectId };
		}
		if (principal.type === 'SERVICE') throw uselessError(409);
		return { platform, projectId: principal.projectId ?? '' };
	};

	route(
		'GET',
		'/v1/flows/count',
		(request) => {
			const { platform, projectId } = countedProject(request);
			const { folderId } = request.query as { folderId?: string };
			return flowsOfProject(platform.flows, projectId).filter(
				(flow) =>
					folderId === undefined || flow.folderId === (folderId === 'NULL' ? null : folderId),
			).length;
		},
		{
			query: {
				projectId: { type: 'string', ...(traits.oldAuthorization ? {} : { required: true }) },
				folderId: { type: 'string' },
			},
		},
	);
}
