import type { FastifyRequest } from 'fastify';

import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { byCreated } from '../cursor';
import { ApplicationError, notAllowed, refuseNul, uselessError } from '../errors';
import { containsLike, every, paginate, when } from '../list';
import type { ConnectionRecord, ServiceData } from '../records';

interface ConnectionQuery {
	projectId: string;
	pieceName?: string;
	displayName?: string;
	scope?: string;
	status?: string[];
}

const inOrder = (a: ConnectionRecord, b: ConnectionRecord) =>
	Date.parse(a.created) - Date.parse(b.created);

/**
 * A connection of a project with the flows that use it. The service reads the latest version of each
 * flow, not the published one (read in its source).
 */
function withFlows(connection: ConnectionRecord, { flows }: ServiceData): ConnectionRecord {
	if (connection.scope === 'PLATFORM') return connection;
	const { projectIds, externalId } = connection;
	const flowIds = flows
		.filter(({ projectId }) => projectIds.includes(projectId))
		.filter(({ version }) => version.connectionIds.includes(externalId))
		.map(({ id }) => id);
	return { ...connection, flowIds };
}

/**
 * GET /v1/app-connections: those that a project can use. DELETE of one of them. A single one cannot be read.
 */
export function appConnectionRoutes({ auth, own, other, route, traits }: Context): void {
	route(
		'GET',
		'/v1/app-connections',
		(request) => {
			const { platform } = auth.projectOfQuery(request, 'READ_APP_CONNECTION');
			const query = request.query as ConnectionQuery;
			const { pieceName, displayName, scope, status } = query;
			refuseNul(pieceName, displayName);
			const keep = every<ConnectionRecord>(
				(row) => row.projectIds.includes(query.projectId),
				when(pieceName, (name) => (row) => row.pieceName === name),
				when(displayName, (text) => {
					const matches = containsLike(text);
					return (row) => matches(row.displayName);
				}),
				when(scope, (wanted) => (row) => row.scope === wanted),
				when(status, (statuses) => (row) => statuses.includes(row.status)),
			);
			const rows = [...platform.connections, ...platform.projectConnections].sort(inOrder);
			const page = paginate(rows, keep, pageRequest(request), byCreated);
			return { ...page, data: page.data.map((row) => withFlows(row, platform)) };
		},
		{
			query: {
				projectId: { type: 'string', required: true },
				scope: { type: 'enum', values: ['PROJECT', 'PLATFORM'] },
				pieceName: { type: 'string' },
				displayName: { type: 'string' },
				status: { type: 'enums', values: ['ACTIVE', 'MISSING', 'ERROR'] },
				...PAGE_FIELDS,
			},
		},
	);

	/** The connection in the path, if the principal may delete it. */
	function connectionOfPath(request: FastifyRequest) {
		const { id } = request.params as { id: string };
		// 0.73 finds no project for a key, whatever the id (har/enterprise-0.73, c/68 to c/73).
		if (traits.oldAuthorization && auth.projectPrincipal(request).type === 'SERVICE') {
			throw uselessError(404);
		}
		const lists = [own, other].flatMap((data) => [data.projectConnections, data.connections]);
		const isIt = (row: ConnectionRecord) => row.id === id;
		const found = lists.find((list) => list.some(isIt))?.find(isIt);
		const missing = {
			entityType: 'app_connection',
			user: new ApplicationError(404, 'ENTITY_NOT_FOUND', {
				entityType: 'AppConnection',
				entityId: id,
			}),
		};
		const row = found && { ...found, projectId: found.projectIds[0] };
		return auth.rowOfPath(request, row, missing, 'WRITE_APP_CONNECTION');
	}

	// A connection that flows use is deleted anyway (har/enterprise-*, c/68): they stay unchanged.
	route(
		'DELETE',
		'/v1/app-connections/:id',
		(request, reply) => {
			const { id, scope, projectId } = connectionOfPath(request);
			// 0.79 and 0.85 also confirm it for a global one, which stays (c/75).
			if (scope === 'PLATFORM' && traits.globalDeleteRefused) {
				const message =
					'Platform connections must be deleted from the platform admin connections page';
				throw notAllowed({ message });
			}
			if (scope === 'PROJECT') {
				const data = [own, other].find(({ projects }) =>
					projects.some((row) => row.id === projectId),
				);
				if (data) data.projectConnections = data.projectConnections.filter((row) => row.id !== id);
			}
			return reply.status(204).send();
		},
		{ params: { id: { type: 'id' } } },
	);
}
