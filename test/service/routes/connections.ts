import type { FastifyRequest } from 'fastify';
import { z } from 'zod/v4';

import { auditWriter } from '../auditEvents';
import { requireFeature } from '../auth';
import {
	connectionAnswer,
	connectionUpserts,
	noEntity,
	UPSERT,
	UPSERT_GLOBAL,
} from '../connections';
import { BY_ID, locate, type Context } from '../context';
import { byCreated } from '../cursor';
import { entityNotFound, notAllowed } from '../errors';
import { equal, every, like, oneOfThese, paged, paginate, wholeList } from '../list';
import type { ConnectionRecord, ServiceData, UserRecord } from '../records';
import { boolean, list, object, oneOf, required, shape, text } from '../schema';

const FILTERS = paged({
	// Without effect on global connections, of which all have the scope PLATFORM.
	scope: oneOf(['PROJECT', 'PLATFORM']),
	pieceName: text,
	displayName: text,
	status: list(oneOf(['ACTIVE', 'MISSING', 'ERROR'])),
});

const OF_PROJECT = FILTERS.extend({ projectId: required(text) });
const OF_OWNERS = OF_PROJECT.pick({ projectId: true });

const filtered = ({ pieceName, displayName, status }: z.infer<typeof FILTERS>) =>
	every<ConnectionRecord>(
		equal(pieceName, (row) => row.pieceName),
		like(displayName, (row) => row.displayName),
		oneOfThese(status, (row) => row.status),
	);

const allOf = ({ connections, projectConnections }: ServiceData) => [
	...connections,
	...projectConnections,
];

const UPDATE = shape({ displayName: z.string().min(1), metadata: object });
const UPDATE_GLOBAL = UPDATE.omit({ metadata: true }).extend({
	projectIds: list(text),
	preSelectForNewProjects: boolean,
});

/** /v1/global-connections, which the Community edition does not have. */
export function globalConnectionRoutes(context: Context): void {
	const { auth, edition, now, plan, route } = context;
	if (edition === 'community') return;
	const upsert = connectionUpserts(context);
	const audit = auditWriter(context);

	const admin = (request: FastifyRequest) => {
		const principal = auth.platformAdmin(request);
		requireFeature(plan.globalConnectionsEnabled);
		return principal;
	};

	/** Also for a project that is named twice (recorded) */
	const assertProjects = ({ projects }: ServiceData, ids: string[]) => {
		const known = projects.filter(({ id }) => ids.includes(id));
		if (known.length !== ids.length) throw entityNotFound({ entityType: 'Project' });
	};

	route('GET', '/v1/global-connections', { query: FILTERS }, (request) => {
		const { platform } = admin(request);
		return paginate(request, platform.connections, filtered(request.query), byCreated);
	});

	route('POST', '/v1/global-connections', { body: UPSERT_GLOBAL }, async (request, reply) => {
		const principal = admin(request);
		const { platform } = principal;
		const { projectIds, ...sent } = request.body;
		assertProjects(platform, projectIds);
		const connection = await upsert(principal, { platform, scope: 'PLATFORM', projectIds }, sent);
		audit(principal, 'connection.upserted', { connection });
		return await reply.status(201).send(connection);
	});

	const byId = { ...BY_ID, body: UPDATE_GLOBAL };
	route('POST', '/v1/global-connections/:id', byId, (request) => {
		const { platform } = admin(request);
		const { id } = request.params;
		const { displayName, projectIds, preSelectForNewProjects } = request.body;
		if (projectIds) assertProjects(platform, projectIds);
		const row = platform.connections.find((each) => each.id === id);
		const { platformId } = platform;
		if (!row) throw noEntity({ id, scope: 'PLATFORM', platformId });
		Object.assign(row, { displayName, updated: now(), ...(projectIds && { projectIds }) });
		if (preSelectForNewProjects !== undefined) {
			row.preSelectForNewProjects = preSelectForNewProjects;
		}
		return connectionAnswer(row);
	});

	// Also confirmed for a connection of a project, which stays (recorded).
	route('DELETE', '/v1/global-connections/:id', BY_ID, (request) => {
		const principal = admin(request);
		const { platform } = principal;
		const { id } = request.params;
		const row = allOf(platform).find((each) => each.id === id);
		if (!row) throw entityNotFound({ entityType: 'AppConnection', entityId: id });
		platform.connections = platform.connections.filter((each) => each !== row);
		audit(principal, 'connection.deleted', { connection: connectionAnswer(row) });
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

/** /v1/app-connections: those that a project can use; GET by ID is missing. */
export function appConnectionRoutes(context: Context): void {
	const { auth, edition, now, route, traits } = context;
	const upsert = connectionUpserts(context);
	const audit = auditWriter(context);

	route('GET', '/v1/app-connections', { query: OF_PROJECT }, (request) => {
		const { platform } = auth.namedProject(request, 'READ_APP_CONNECTION');
		const { projectId, scope } = request.query;
		const keep = every<ConnectionRecord>(
			(row) => row.projectIds.includes(projectId),
			filtered(request.query),
			equal(scope, (row) => row.scope),
		);
		const oldestFirst = allOf(platform).sort(
			(a, b) => Date.parse(a.created) - Date.parse(b.created),
		);
		const page = paginate(request, oldestFirst, keep, byCreated);
		return { ...page, data: page.data.map((row) => withFlows(row, platform)) };
	});

	// All admins and all members of the project, whether they own a connection or not (recorded).
	route('GET', '/v1/app-connections/owners', { query: OF_OWNERS }, (request) => {
		const { platform } = auth.namedProject(request, 'READ_APP_CONNECTION');
		const { projectId } = request.query;
		const isMember = ({ id }: UserRecord) =>
			platform.members.some((row) => row.userId === id && row.projectId === projectId);
		const owners = platform.users.filter(
			(user) => user.platformRole === 'ADMIN' || (edition === 'enterprise' && isMember(user)),
		);
		return wholeList(
			owners.map(({ firstName, lastName, email }) => ({ firstName, lastName, email })),
		);
	});

	route('POST', '/v1/app-connections', { body: UPSERT }, async (request, reply) => {
		const principal = auth.namedProject(request, 'WRITE_APP_CONNECTION');
		const { platform } = principal;
		const { projectId, ...sent } = request.body;
		const place = { platform, scope: 'PROJECT', projectIds: [projectId] } as const;
		const connection = await upsert(principal, place, sent);
		audit(principal, 'connection.upserted', { connection }, projectId);
		return await reply.status(201).send(connection);
	});

	/** The connection of the path, if the principal may change it. */
	const rowOf = (request: FastifyRequest) => {
		const { id } = request.params as { id: string };
		const { data, row } = locate(context, allOf, id);
		const ofProject = row && { ...row, projectId: row.projectIds[0] };
		const permission = 'WRITE_APP_CONNECTION';
		auth.rowOfPath(request, ofProject, 'app_connection', permission);
		return { data, row: row!, principal: auth.projectPrincipal(request) };
	};

	route('POST', '/v1/app-connections/:id', { ...BY_ID, body: UPDATE }, (request) => {
		const { id } = request.params;
		const { row, principal } = rowOf(request);
		if (row.scope === 'PLATFORM') {
			const contains = { _type: 'arrayContains', _value: row.projectIds };
			const parameters = { _useParameter: true, _multipleParameters: false };
			const { platformId } = principal.platform;
			const where = { id, scope: 'PROJECT', platformId };
			throw noEntity({ ...where, projectIds: { ...contains, ...parameters } });
		}
		const { displayName, metadata } = request.body;
		Object.assign(row, { displayName, updated: now(), ...(metadata && { metadata }) });
		return connectionAnswer(row);
	});

	// A connection that flows use is deleted anyway (har/enterprise-*, c/68): they stay unchanged.
	route('DELETE', '/v1/app-connections/:id', BY_ID, (request) => {
		const { data, row, principal } = rowOf(request);
		// 0.79 and 0.85 also confirm it for a global one, which stays (c/75).
		if (row.scope === 'PLATFORM' && traits.globalDeleteRefused) {
			const message =
				'Platform connections must be deleted from the platform admin connections page';
			throw notAllowed({ message });
		}
		data.projectConnections = data.projectConnections.filter((each) => each !== row);
		const connection = connectionAnswer(row);
		audit(principal, 'connection.deleted', { connection }, row.projectIds[0]);
	});
}
