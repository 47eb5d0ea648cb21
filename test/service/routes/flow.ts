import type { FastifyRequest } from 'fastify';

import type { Context } from '../context';
import { ApplicationError, entityNotFound, uselessError } from '../errors';
import { type FlowStatus, publishedVersion } from '../flowChanges';
import { flowOperationSchema } from '../flowOperationSchema';
import { flowsOfProject } from '../flowIndex';
import type { FlowRecord, ServiceData } from '../records';
import type { Permission } from '../roles';

type Operation =
	| { type: 'CHANGE_STATUS'; request: { status: FlowStatus } }
	| { type: 'LOCK_AND_PUBLISH'; request: { status?: FlowStatus } }
	| { type: 'CHANGE_NAME'; request: { displayName: string } }
	| { type: 'CHANGE_FOLDER'; request: { folderId?: string | null } };

const PERMISSIONS: Record<Operation['type'], Permission> = {
	CHANGE_STATUS: 'UPDATE_FLOW_STATUS',
	LOCK_AND_PUBLISH: 'UPDATE_FLOW_STATUS',
	CHANGE_NAME: 'WRITE_FLOW',
	CHANGE_FOLDER: 'WRITE_FLOW',
};

/** Another user's edit keeps a flow to themselves for this long. */
const IN_USE = 60_000;

/** GET /v1/flows/{id} and /v1/flows/count, POST /v1/flows/{id}. */
export function flowByIdRoutes(context: Context): void {
	const { auth, flowChanges, now, own, other, route, time, traits } = context;

	const flowOf = (
		request: FastifyRequest,
		permission: Permission,
	): { data: ServiceData; flow: FlowRecord } => {
		const { id } = request.params as { id: string };
		const find = (data: ServiceData) => data.flows.find((flow) => flow.id === id);
		const missing = {
			entityType: 'flow',
			user: new ApplicationError(404, 'ENTITY_NOT_FOUND', {}),
		};
		const flow = auth.rowOfPath(request, find(own) ?? find(other), missing, permission);
		return { data: own.flows.includes(flow) ? own : other, flow };
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

	route(
		'GET',
		'/v1/flows/:id',
		(request) => {
			const { data, flow } = flowOf(request, 'READ_FLOW');
			flowChanges.look(flow);
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
			const edited = version.updatedBy !== null && version.updatedBy !== userOf(request);
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
					flowChanges.editDraft(data, flow).displayName = operation.request.displayName;
					break;
				case 'CHANGE_FOLDER':
					flow.folderId = operation.request.folderId ?? null;
					break;
			}
			flow.updated = now();
			data.flows = [...data.flows];
			return flow;
		},
		{ params: { id: { type: 'id' } }, bodySchema: flowOperationSchema(traits.validation) },
	);
}
