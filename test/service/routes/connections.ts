import type { z } from 'zod/v4';

import { requireFeature } from '../auth';
import { BY_ID, type Context, locate } from '../context';
import { byCreated } from '../cursor';
import { entityNotFound, notAllowed, uselessError } from '../errors';
import { equal, every, like, oneOfThese, paged, paginate } from '../list';
import type { ConnectionRecord, ServiceData } from '../records';
import { list, oneOf, required, text } from '../schema';

const FILTERS = paged({
	// Without effect on global connections, of which all have the scope PLATFORM.
	scope: oneOf(['PROJECT', 'PLATFORM']),
	pieceName: text,
	displayName: text,
	status: list(oneOf(['ACTIVE', 'MISSING', 'ERROR'])),
});

const OF_PROJECT = FILTERS.extend({ projectId: required(text) });

const filtered = ({ pieceName, displayName, status }: z.infer<typeof FILTERS>) =>
	every<ConnectionRecord>(
		equal(pieceName, (row) => row.pieceName),
		like(displayName, (row) => row.displayName),
		oneOfThese(status, (row) => row.status),
	);

/** GET /v1/global-connections; the Community edition does not have it. */
export function globalConnectionRoutes({ auth, edition, plan, route, traits }: Context): void {
	if (edition === 'community') return;
	route('GET', '/v1/global-connections', { query: FILTERS }, (request) => {
		const { platform } = auth.platform(request);
		// 0.73 checks the plan before the credential.
		if (!traits.old) auth.platformAdmin(request);
		requireFeature(plan.globalConnectionsEnabled);
		auth.platformAdmin(request);
		return paginate(request, platform.connections, filtered(request.query), byCreated);
	});
}

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

/** GET /v1/app-connections: those that a project can use. DELETE of one; GET by ID is missing. */
export function appConnectionRoutes(context: Context): void {
	const { auth, route, traits } = context;
	const all = ({ connections, projectConnections }: ServiceData) => [
		...connections,
		...projectConnections,
	];

	route('GET', '/v1/app-connections', { query: OF_PROJECT }, (request) => {
		const { platform } = auth.namedProject(request, 'READ_APP_CONNECTION');
		const { projectId, scope } = request.query;
		const keep = every<ConnectionRecord>(
			(row) => row.projectIds.includes(projectId),
			filtered(request.query),
			equal(scope, (row) => row.scope),
		);
		const oldestFirst = all(platform).sort((a, b) => Date.parse(a.created) - Date.parse(b.created));
		const page = paginate(request, oldestFirst, keep, byCreated);
		return { ...page, data: page.data.map((row) => withFlows(row, platform)) };
	});

	// A connection that flows use is deleted anyway (har/enterprise-*, c/68): they stay unchanged.
	route('DELETE', '/v1/app-connections/:id', BY_ID, (request) => {
		// 0.73 finds no project for a key, whatever the id (har/enterprise-0.73, c/68 to c/73).
		if (traits.old && auth.projectPrincipal(request).type === 'SERVICE') {
			throw uselessError(404);
		}
		const { id } = request.params;
		const { data, row } = locate(context, all, id);
		const ofProject = row && { ...row, projectId: row.projectIds[0] };
		const missing = entityNotFound({ entityType: 'AppConnection', entityId: id });
		const permission = 'WRITE_APP_CONNECTION';
		const { scope } = auth.rowOfPath(request, ofProject, 'app_connection', missing, permission);
		// 0.79 and 0.85 also confirm it for a global one, which stays (c/75).
		if (scope === 'PLATFORM' && traits.globalDeleteRefused) {
			const message =
				'Platform connections must be deleted from the platform admin connections page';
			throw notAllowed({ message });
		}
		data.projectConnections = data.projectConnections.filter((each) => each !== row);
	});
}
