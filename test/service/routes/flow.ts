import type { FastifyRequest } from 'fastify';

import type { Context } from '../context';
import { ApplicationError, entityNotFound } from '../errors';
import { publishedVersion } from '../flowChanges';
import type { FlowRecord, ServiceData } from '../records';
import type { Permission } from '../roles';

/** The flow in the path, with its platform. */
export function flowOf(
	{ auth, flowChanges, own, other }: Context,
	request: FastifyRequest,
	permission: Permission,
): { data: ServiceData; flow: FlowRecord } {
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
}

/** The same for a request that advances a change in progress: a deletion may end with it. */
function lookAtFlow(context: Context, request: FastifyRequest, permission: Permission) {
	const found = flowOf(context, request, permission);
	context.flowChanges.look(found.flow);
	return found.flow.operationStatus === 'DELETING' ? flowOf(context, request, permission) : found;
}

/** GET and DELETE /v1/flows/{id}. */
export function flowByIdRoutes(context: Context): void {
	const { flowChanges, route } = context;

	// Refused during another change (har/enterprise-0.85, b/102: during its deletion). The runs go with it.
	route(
		'DELETE',
		'/v1/flows/:id',
		(request, reply) => {
			const { data, flow } = lookAtFlow(context, request, 'WRITE_FLOW');
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
			const { data, flow } = lookAtFlow(context, request, 'READ_FLOW');
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
}
