import type { FastifyRequest } from 'fastify';

import type { Context } from '../context';
import {
	ApplicationError,
	entityNotFound,
	FrameworkError,
	refuseNul,
	uselessError,
} from '../errors';
import { type FlowStatus, publishedVersion } from '../flowChanges';
import { importInto, type ImportRequest } from '../flowImport';
import { FLOW_OPERATION_SCHEMAS } from '../flowOperationSchema';
import { flowsOfProject } from '../flowIndex';
import { makeId } from '../ids';
import { RecordMaker } from '../make';
import type { FlowRecord, ServiceData } from '../records';
import type { Permission } from '../roles';

type Operation =
	| { type: 'CHANGE_STATUS'; request: { status: FlowStatus } }
	| { type: 'LOCK_AND_PUBLISH'; request: { status?: FlowStatus } }
	| { type: 'CHANGE_NAME'; request: { displayName: string } }
	| { type: 'CHANGE_FOLDER'; request: { folderId?: string | null } }
	| { type: 'IMPORT_FLOW'; request: ImportRequest };

const PERMISSIONS: Record<Operation['type'], Permission> = {
	CHANGE_STATUS: 'UPDATE_FLOW_STATUS',
	LOCK_AND_PUBLISH: 'UPDATE_FLOW_STATUS',
	CHANGE_NAME: 'WRITE_FLOW',
	CHANGE_FOLDER: 'WRITE_FLOW',
	IMPORT_FLOW: 'WRITE_FLOW',
};

/** Another user's edit keeps a flow to themselves for this long. */
const IN_USE = 60_000;

/** What a column that names a folder answers for one that no table row has (next-*.har, b/7, b/10, b/31 and b/33). */
function unknownFolder(): FrameworkError {
	const message =
		'insert or update on table "flow" violates foreign key constraint "fk_flow_folder_id"';
	return new FrameworkError(500, message, '23503');
}

/** GET and DELETE /v1/flows/{id}, GET /v1/flows/count, POST /v1/flows and /v1/flows/{id}. */
export function flowByIdRoutes(context: Context): void {
	const { auth, flowChanges, now, own, other, route, time, traits } = context;

	const flowOf = (
		request: FastifyRequest,
		permission: Permission,
	): { data: ServiceData; flow: FlowRecord } => {
		const { id } = request.params as { id: string };
		const deleting = flowChanges.deleting(id);
		const find = (data: ServiceData) =>
			data.flows.find((flow) => flow.id === id) ??
			(deleting?.data === data ? deleting.flow : undefined);
		const missing = {
			entityType: 'flow',
			user: new ApplicationError(404, 'ENTITY_NOT_FOUND', {}),
		};
		const flow = auth.rowOfPath(request, find(own) ?? find(other), missing, permission);
		return { data: find(own) === flow ? own : other, flow };
	};

	/** The same for a request that a change under way is seen by: a deletion may end with it. */
	const lookAtFlow = (request: FastifyRequest, permission: Permission) => {
		const found = flowOf(request, permission);
		flowChanges.look(found.flow);
		return found.flow.operationStatus === 'DELETING' ? flowOf(request, permission) : found;
	};

	let made = 0;

	/** A folder of any project will do (next-*.har, b/8 and b/32). */
	const checkFolder = (folderId: string | null | undefined) => {
		if (!folderId) return;
		refuseNul(folderId);
		const folders = [...own.folders, ...other.folders];
		if (!folders.some(({ id }) => id === folderId)) throw unknownFolder();
	};

	const userOf = (request: FastifyRequest) => {
		const principal = auth.authenticate(request);
		return principal.type === 'USER' ? principal.user.id : null;
	};

	/** 0.73 refuses every key, and counts the project of a session's token whatever is asked. */
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

	// Any name will do, also an empty one (next-*.har, b/1 to b/22).
	route(
		'POST',
		'/v1/flows',
		(request, reply) => {
			const { platform } = auth.projectOfBody(request, 'WRITE_FLOW');
			const { projectId, displayName, folderId } = request.body as {
				projectId: string;
				displayName: string;
				folderId?: string;
			};
			refuseNul(displayName);
			checkFolder(folderId);
			const at = now();
			const id = makeId(`${projectId}/created flow`, made++);
			const flow = new RecordMaker(traits, platform.admin).flow({
				id,
				index: made,
				projectId,
				folderId: folderId || null,
				// Text is stored as UTF-8, in which a lone surrogate becomes U+FFFD.
				name: Buffer.from(displayName).toString(),
				externalId: makeId(`${id}/external`),
				enabled: false,
				created: at,
				updated: at,
				ownerId: userOf(request) ?? undefined,
			});
			Object.assign(flow.version, { id: makeId(`${id}/version`), valid: false });
			platform.flows = [...platform.flows, flow];
			return reply.status(201).send(flow);
		},
		{
			body: {
				displayName: { type: 'string', required: true },
				projectId: { type: 'string', required: true },
				folderId: { type: 'string' },
			},
		},
	);

	// Refused during another change (next-0.85.har, b/102: during its deletion). The runs go with it.
	route(
		'DELETE',
		'/v1/flows/:id',
		(request, reply) => {
			const { data, flow } = lookAtFlow(request, 'WRITE_FLOW');
			if (flow.operationStatus !== 'NONE') {
				const message = `Flow ${flow.id} is already being ${flow.operationStatus}`;
				throw new ApplicationError(409, 'FLOW_OPERATION_IN_PROGRESS', { message });
			}
			flowChanges.delete(data, flow);
			return reply.status(204).send();
		},
		{ params: { id: { type: 'id' } } },
	);

	route(
		'GET',
		'/v1/flows/:id',
		(request) => {
			const { data, flow } = lookAtFlow(request, 'READ_FLOW');
			const { versionId } = request.query as { versionId?: string };
			if (versionId === undefined) return flow;
			const version = [flow.version, publishedVersion(data, flow)].find((v) => v?.id === versionId);
			if (version) return { ...flow, version };
			throw entityNotFound({
				entityId: versionId,
				entityType: 'FlowVersion',
				message: `flowId=${flow.id}`,
			});
		},
		{ params: { id: { type: 'id' } }, query: { versionId: { type: 'string' } } },
	);

	route(
		'POST',
		'/v1/flows/:id',
		async (request) => {
			const operation = request.body as Operation;
			const { data, flow } = flowOf(request, PERMISSIONS[operation.type]);
			const { version } = flow;
			// A key counts as the platform's owner (next-0.79.har, b/60).
			const editor = userOf(request) ?? data.admin.id;
			const edited = version.updatedBy !== null && version.updatedBy !== editor;
			if (traits.flowsInUse && edited && time.now - Date.parse(version.updated) < IN_USE) {
				throw new ApplicationError(409, 'FLOW_IN_USE', {
					flowVersionId: version.id,
					message: 'Flow is being used by another user in the last minute. Please try again later.',
				});
			}
			if (traits.busyFlowsRefuse && flow.operationStatus !== 'NONE') {
				const change = flow.operationStatus.toLowerCase();
				throw new ApplicationError(409, 'FLOW_OPERATION_IN_PROGRESS', {
					message: `Flow is busy with ${change} operation. Please try again in a moment.`,
				});
			}
			switch (operation.type) {
				case 'CHANGE_STATUS':
					return await flowChanges.changeStatus(data, flow, operation.request.status);
				case 'LOCK_AND_PUBLISH':
					return await flowChanges.publish(data, flow, {
						status: operation.request.status,
						userId: userOf(request),
					});
				case 'CHANGE_NAME':
					refuseNul(operation.request.displayName);
					Object.assign(flowChanges.editDraft(data, flow), {
						displayName: operation.request.displayName,
						// A key leaves who edited it last (next-*.har, b/60; next-ce-*.har, b/12).
						updatedBy: userOf(request) ?? flow.version.updatedBy,
					});
					break;
				case 'IMPORT_FLOW': {
					refuseNul(operation.request.displayName);
					const draft = flowChanges.editDraft(data, flow);
					importInto(draft, operation.request, traits, { at: now(), userId: userOf(request) });
					break;
				}
				case 'CHANGE_FOLDER':
					checkFolder(operation.request.folderId);
					if (operation.request.folderId !== undefined) flow.folderId = operation.request.folderId;
					break;
			}
			flow.updated = now();
			data.flows = [...data.flows];
			return flow;
		},
		{ params: { id: { type: 'id' } }, bodySchema: FLOW_OPERATION_SCHEMAS[traits.validation] },
	);
}
