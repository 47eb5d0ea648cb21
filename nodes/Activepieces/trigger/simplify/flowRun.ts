import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../transport/response';

/** PLACEHOLDER until resources/flowRun/simplify.ts is there. */
export function simplifyFlowRun(run: IDataObject): IDataObject {
	const version = isRecord(run.flowVersion) ? run.flowVersion : {};
	const step = isRecord(run.failedStep) ? run.failedStep : {};
	return {
		id: run.id ?? null,
		status: run.status ?? null,
		flowId: run.flowId ?? null,
		flowName: version.displayName ?? null,
		projectId: run.projectId ?? null,
		created: run.created ?? null,
		finishTime: run.finishTime || null,
		failedStep: step.displayName ?? null,
		errorMessage: step.message ?? null,
	};
}
