import type { FastifyRequest } from 'fastify';
import { z } from 'zod/v4';

import { BY_ID, locate, type Context } from '../context';
import { byStatusAndUpdated } from '../cursor';
import {
	ApplicationError,
	entityNotFound,
	foreignKey,
	FrameworkError,
	uselessError,
} from '../errors';
import { publishedVersion, versionsOf } from '../flowChanges';
import { flowsOfProject } from '../flowIndex';
import { migrate } from '../flowMigration';
import { makeId } from '../ids';
import { every, like, oneOfThese, paged, paginate, when, wholeList } from '../list';
import { RecordMaker } from '../make';
import type { FlowRecord, ServiceData } from '../records';
import type { Permission } from '../roles';
import { list, oneOf, required, shape, text } from '../schema';
import { folderOf, stored } from './folders';

const FILTERS = paged({
	projectId: required(text),
	folderId: text,
	status: list(oneOf(['ENABLED', 'DISABLED'])),
	name: text,
	versionState: oneOf(['LOCKED', 'DRAFT']),
	externalIds: list(text),
	connectionExternalIds: list(text),
	agentExternalIds: list(text),
	/** Read by later releases only */
	sortBy: oneOf(['NAME']),
	order: oneOf(['ASC', 'DESC']),
});
const COUNT = shape({ projectId: required(text), folderId: text });
const VERSION = shape({ versionId: text });
const CREATE = shape({
	projectId: required(text),
	displayName: required(text),
	folderId: text,
	folderName: text,
	metadata: z.record(z.string(), z.unknown()).optional(),
	externalId: text,
});

const SAFE_EXTERNAL_ID = /^(?!\.{1,2}$)[\w.-]{1,128}$/;

/** Checks the external ID of a new flow, as far as the release takes one. */
function checkExternalId({ traits }: Context, flows: FlowRecord[], body: z.infer<typeof CREATE>) {
	const { externalId, projectId } = body;
	if (!traits.flowExternalIds || externalId === undefined) return undefined;
	if (!SAFE_EXTERNAL_ID.test(externalId)) {
		throw new FrameworkError(400, 'body/externalId invalidExternalId', 'FST_ERR_VALIDATION');
	}
	if (flowsOfProject(flows, projectId).some((flow) => flow.externalId === externalId)) {
		throw new ApplicationError(409, 'FLOW_EXTERNAL_ID_ALREADY_EXISTS', { externalId });
	}
	return externalId;
}

const inFolder = (folderId: string | undefined) =>
	when(folderId, (id) => (flow: FlowRecord) => flow.folderId === (id === 'NULL' ? null : id));

function filtered(query: z.infer<typeof FILTERS>, data: ServiceData) {
	const version = (flow: FlowRecord) =>
		(query.versionState === 'LOCKED' ? publishedVersion(data, flow) : null) ?? flow.version;
	return every<FlowRecord>(
		inFolder(query.folderId),
		oneOfThese(query.status, (flow) => flow.status),
		oneOfThese(query.externalIds, (flow) => flow.externalId),
		like(query.name, (flow) => version(flow).displayName),
		oneOfThese(query.connectionExternalIds, (flow) => version(flow).connectionIds),
		oneOfThese(query.agentExternalIds, (flow) => version(flow).agentIds),
	);
}

/**
 * A folder of any project is accepted (har/enterprise-*, b/8 and b/32), up to 0.86, and an unknown one is refused by the
 * database (har/enterprise-*, b/7, b/10, b/31 and b/33).
 */
export function checkFolder(
	context: Context,
	folderId: string | null | undefined,
	projectId: string,
): void {
	if (!folderId) return;
	const { row } = locate(context, ({ folders }) => folders, folderId);
	if (context.traits.foldersChecked && row?.projectId !== projectId) {
		throw entityNotFound({ message: `Folder ${folderId} is not found` });
	}
	if (!row) throw foreignKey('flow', 'folder');
}

/** Flows in the order of their names, on one page: no release has a cursor for that. */
function sortedByName({ order, cursor, limit = 10 }: z.infer<typeof FILTERS>, flows: FlowRecord[]) {
	if (cursor !== undefined) {
		const message = 'sortBy cannot be combined with cursor';
		throw new ApplicationError(400, 'GENERIC_ERROR', { message });
	}
	const nameOf = ({ version }: FlowRecord) => version.displayName.toLowerCase();
	const sign = order === 'DESC' ? -1 : 1;
	const sorted = [...flows].sort((a, b) => sign * (nameOf(a) < nameOf(b) ? -1 : 1));
	return wholeList(sorted.slice(0, limit));
}

/** The user of a session; null for a key. */
export function userOf({ auth }: Context, request: FastifyRequest): string | null {
	const principal = auth.authenticate(request);
	return principal.type === 'USER' ? principal.user.id : null;
}

/** The flow in the path, with its platform. */
export function flowOf(
	context: Context,
	request: FastifyRequest,
	permission?: Permission,
): { data: ServiceData; flow: FlowRecord } {
	const { id } = request.params as { id: string };
	const found = locate(context, ({ flows }) => flows, id);
	const deleting = context.flowChanges.deleting(id);
	const { data, row } =
		found.row || !deleting ? found : { data: deleting.data, row: deleting.flow };
	return { data, flow: context.auth.rowOfPath(request, row, 'flow', permission) };
}

/** The same for a request that advances a change in progress: a deletion may end with it. */
function lookAtFlow(context: Context, request: FastifyRequest, permission: Permission) {
	const found = flowOf(context, request, permission);
	context.flowChanges.look(found.flow);
	return found.flow.operationStatus === 'DELETING' ? flowOf(context, request, permission) : found;
}

/** GET and POST /v1/flows, GET and DELETE /v1/flows/{id}. */
export function flowRoutes(context: Context): void {
	const { auth, flowChanges, now, route, traits } = context;
	let made = 0;

	route('GET', '/v1/flows', { query: FILTERS }, (request) => {
		const { platform } = auth.namedProject(request, 'READ_FLOW');
		const { projectId, versionState } = request.query;
		const isLocked = versionState === 'LOCKED';
		const keep = every<FlowRecord>(
			(flow) => !isLocked || traits.old || flow.publishedVersionId !== null,
			filtered(request.query, platform),
		);
		const flows = flowsOfProject(platform.flows, projectId);
		const page =
			traits.sortedFlows && request.query.sortBy !== undefined
				? sortedByName(request.query, flows.filter(keep))
				: paginate(request, flows, keep, byStatusAndUpdated(platform.micros));
		if (traits.migrations) for (const flow of page.data) migrate(platform, flow, traits);
		if (!isLocked) return page;
		const data = page.data.map((flow) => {
			const version = publishedVersion(platform, flow);
			if (version) return { ...flow, version };
			throw entityNotFound({ entityType: 'FlowVersion', message: `flowId=${flow.id}` });
		});
		return { ...page, data };
	});

	// Any name is accepted, even an empty one (har/enterprise-*, b/1 to b/22).
	route('POST', '/v1/flows', { body: CREATE }, (request, reply) => {
		const { platform } = auth.namedProject(request, 'WRITE_FLOW');
		const { projectId, displayName, folderName, metadata } = request.body;
		// A folder of that name is found in any letter case, or made; an empty name is none (har/enterprise-*, b).
		const folderId =
			request.body.folderId ??
			(folderName ? folderOf(context, platform, projectId, folderName).id : undefined);
		checkFolder(context, folderId, projectId);
		const externalId = checkExternalId(context, platform.flows, request.body);
		const id = makeId(`${projectId}/created flow`, made++);
		const flow = new RecordMaker(traits, platform.admin).flow({
			id,
			index: made,
			projectId,
			folderId: folderId || null,
			name: stored(displayName),
			externalId: externalId ?? makeId(`${id}/external`),
			created: now(),
			ownerId: userOf(context, request) ?? undefined,
		});
		Object.assign(flow.version, { id: makeId(`${id}/version`), valid: false });
		flow.metadata = metadata ?? null;
		platform.flows = [...platform.flows, flow];
		return reply.status(201).send(flow);
	});

	// Of an unknown folder 0; 0.73 refuses every key (har/*-g*, g).
	const refuseKeys = (request: FastifyRequest) => {
		if (traits.old && auth.projectPrincipal(request).type === 'SERVICE') throw uselessError(409);
	};
	route('GET', '/v1/flows/count', { query: COUNT, onRequest: refuseKeys }, (request) => {
		const { platform } = auth.namedProject(request, 'READ_FLOW');
		const { projectId, folderId } = request.query;
		return flowsOfProject(platform.flows, projectId).filter(inFolder(folderId)).length;
	});

	route('GET', '/v1/flows/:id', { ...BY_ID, query: VERSION }, (request) => {
		const { data, flow } = lookAtFlow(context, request, 'READ_FLOW');
		if (traits.migrations) migrate(data, flow, traits);
		const { versionId } = request.query;
		if (versionId === undefined) return flow;
		const version = versionsOf(data, flow).find(({ id }) => id === versionId);
		if (version) return { ...flow, version };
		const message = `flowId=${flow.id}`;
		throw entityNotFound({ entityId: versionId, entityType: 'FlowVersion', message });
	});

	// Refused during another change (har/enterprise-0.85, b/102: during its deletion). The runs go with it.
	route('DELETE', '/v1/flows/:id', BY_ID, (request) => {
		const { data, flow } = lookAtFlow(context, request, 'WRITE_FLOW');
		if (flow.operationStatus !== 'NONE') {
			const message = `Flow ${flow.id} is already being ${flow.operationStatus}`;
			throw new ApplicationError(409, 'FLOW_OPERATION_IN_PROGRESS', { message });
		}
		flowChanges.delete(data, flow);
	});
}
