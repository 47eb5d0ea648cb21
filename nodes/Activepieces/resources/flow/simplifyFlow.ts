import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/answer';

/** The steps that follow a step: the next one, a loop's first one, a router's branches. */
function following({ nextAction, firstLoopAction, children }: IDataObject): unknown[] {
	return [nextAction, firstLoopAction, ...(Array.isArray(children) ? children : [])];
}

/**
 * Counts the steps behind the trigger and collects the pieces that the flow uses. Without recursion,
 * since each step is nested in the one before.
 */
function readSteps(trigger: IDataObject): { stepCount: number; pieces: string[] } {
	const pieces = new Set<string>();
	const open: unknown[] = [trigger];
	let steps = -1;
	while (open.length > 0) {
		const step = open.pop();
		if (!isRecord(step)) continue;
		steps++;
		const { pieceName } = isRecord(step.settings) ? step.settings : {};
		if (typeof pieceName === 'string' && pieceName !== '') pieces.add(pieceName);
		open.push(...following(step));
	}
	return { stepCount: Math.max(steps, 0), pieces: [...pieces].sort() };
}

/** The fields of a flow that a person looks at, flat; absent ones are null. */
export function simplifyFlow(flow: IDataObject): IDataObject {
	const version = isRecord(flow.version) ? flow.version : {};
	const trigger = isRecord(version.trigger) ? version.trigger : {};
	const settings = isRecord(trigger.settings) ? trigger.settings : {};
	const source = isRecord(flow.triggerSource) ? flow.triggerSource : {};
	const schedule = isRecord(source.schedule) ? source.schedule : {};
	return {
		id: flow.id ?? null,
		externalId: flow.externalId ?? null,
		name: version.displayName ?? null,
		status: flow.status ?? null,
		published: typeof flow.publishedVersionId === 'string' && flow.publishedVersionId !== '',
		versionState: version.state ?? null,
		valid: version.valid ?? null,
		triggerPiece: settings.pieceName ?? null,
		triggerName: settings.triggerName ?? null,
		schedule: schedule.cronExpression ?? null,
		timezone: schedule.timezone ?? null,
		...readSteps(trigger),
		connections: version.connectionIds ?? [],
		projectId: flow.projectId ?? null,
		folderId: flow.folderId ?? null,
		created: flow.created ?? null,
		updated: flow.updated ?? null,
	};
}
