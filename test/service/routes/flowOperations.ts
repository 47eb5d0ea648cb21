import type { FastifyRequest } from 'fastify';
import { z } from 'zod/v4';

import { BY_ID, type Context } from '../context';
import { ApplicationError } from '../errors';
import { importInto } from '../flowImport';
import type { FlowRecord } from '../records';
import { refuseWithoutActions } from '../requiredActions';
import { roleIn } from '../roles';
import { checkFolder, flowOf, userOf } from './flows';

const STATUS = z.enum(['ENABLED', 'DISABLED']);

const operation = <Type extends string, Request extends z.ZodType>(type: Type, request: Request) =>
	z.object({ type: z.literal(type), request });

const KNOWN = [
	operation('CHANGE_STATUS', z.object({ status: STATUS })),
	operation('LOCK_AND_PUBLISH', z.object({ status: STATUS.optional() })),
	operation('CHANGE_NAME', z.object({ displayName: z.string() })),
	operation('CHANGE_FOLDER', z.object({ folderId: z.string().nullish() })),
	operation(
		'IMPORT_FLOW',
		z.looseObject({
			displayName: z.string(),
			trigger: z.union(
				(['PIECE_TRIGGER', 'EMPTY'] as const).map((type) =>
					z.looseObject({
						name: z.string(),
						valid: z.boolean(),
						displayName: z.string(),
						type: z.literal(type),
						settings: z.record(z.string(), z.unknown()),
					}),
				),
			),
			schemaVersion: z.string().nullish(),
			notes: z.array(z.unknown()).nullish(),
		}),
	),
	operation('UPDATE_METADATA', z.object({ metadata: z.record(z.string(), z.unknown()).nullish() })),
] as const;

const BODY = z.union(KNOWN);

type Operation = z.infer<(typeof KNOWN)[number]>;
type Edit = Exclude<Operation, { type: 'CHANGE_STATUS' | 'LOCK_AND_PUBLISH' }>;
type Found = ReturnType<typeof flowOf>;

/** For how long another user's edit blocks changes of a flow. */
const IN_USE = 60_000;

/** Refuses a change while another user edits the flow, or while another change is in progress. */
function refuseIfBusy(
	{ time, traits }: Context,
	{ version, operationStatus }: FlowRecord,
	editor: string,
	changesStatus: boolean,
): void {
	const edited = version.updatedBy !== null && version.updatedBy !== editor;
	if (traits.oldFlows && edited && time.now - Date.parse(version.updated) < IN_USE) {
		throw new ApplicationError(409, 'FLOW_IN_USE', {
			flowVersionId: version.id,
			message: 'Flow is being used by another user in the last minute. Please try again later.',
		});
	}
	if (operationStatus === 'DELETING' && changesStatus) {
		// Read in the service's source.
		const message = 'This flow is getting deleted.';
		throw new ApplicationError(409, 'FLOW_OPERATION_IN_PROGRESS', { message });
	}
}

/**
 * Whether publishing waits for the approval of somebody else: in a sensitive project, for a user without
 * the permission to publish there. A key has no user.
 */
function needsApproval(
	{ auth, plan, traits }: Context,
	request: FastifyRequest,
	{ data, flow }: Found,
): boolean {
	const principal = auth.authenticate(request);
	const project = data.projects.find(({ id }) => id === flow.projectId);
	if (!traits.approvals || !plan.environmentsEnabled) return false;
	if (project?.sensitive !== true || principal.type !== 'USER') return false;
	const permissions = roleIn(project, data, principal.user)?.permissions ?? [];
	return !permissions.includes('PUBLISH_SENSITIVE_FLOW_ACCESS');
}

/** Changes the draft, or the folder of the flow, at once. */
function edit(
	context: Context,
	request: FastifyRequest,
	{ data, flow }: Found,
	operation: Edit,
): FlowRecord {
	const { flowChanges, now, traits } = context;
	const { type, request: change } = operation;
	if (type === 'UPDATE_METADATA') {
		flow.metadata = change.metadata ?? null;
	} else if (type === 'CHANGE_FOLDER') {
		const isNone = traits.foldersChecked && change.folderId === 'NULL';
		const folderId = isNone ? null : change.folderId;
		checkFolder(context, folderId, flow.projectId);
		if (folderId !== undefined) flow.folderId = folderId;
	} else {
		const userId = userOf(context, request);
		const draft = flowChanges.editDraft(data, flow);
		if (type === 'IMPORT_FLOW') {
			importInto(draft, change, traits, { at: now(), userId, data });
		} else {
			// A key does not change who edited it last (har/enterprise-*, b/60; har/community-*, b/12).
			const updatedBy = userId ?? draft.updatedBy;
			Object.assign(draft, { displayName: change.displayName, updatedBy });
		}
	}
	flow.updated = now();
	data.flows = [...data.flows];
	return flow;
}

/** POST /v1/flows/{id}. */
export function flowOperationRoute(context: Context): void {
	const { flowChanges, plan, route, traits } = context;
	route('POST', '/v1/flows/:id', { ...BY_ID, body: BODY }, async (request) => {
		const operation = request.body;
		const changesStatus = ['CHANGE_STATUS', 'LOCK_AND_PUBLISH'].includes(operation.type);
		const permission = changesStatus ? 'UPDATE_FLOW_STATUS' : 'WRITE_FLOW';
		const found = flowOf(context, request, permission);
		const { data, flow } = found;
		const userId = userOf(context, request);
		// A key counts as the platform's owner (har/enterprise-0.79, b/60).
		refuseIfBusy(context, flow, userId ?? data.admin.id, changesStatus);
		if (operation.type === 'CHANGE_STATUS') {
			return await flowChanges.changeStatus(data, flow, operation.request.status);
		}
		if (operation.type === 'LOCK_AND_PUBLISH') {
			if (traits.requiredActions && plan.managePiecesEnabled) refuseWithoutActions(data, flow);
			if (needsApproval(context, request, found)) {
				flow.version.state = 'LOCKED';
				return { ...flow };
			}
			return await flowChanges.publish(data, flow, { ...operation.request, userId });
		}
		return edit(context, request, found, operation);
	});
}
