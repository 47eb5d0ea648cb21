import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/isRecord';

/** The steps that follow a step: the next one, a loop's first one, a router's branches. */
function following({ nextAction, firstLoopAction, children }: IDataObject): unknown[] {
	return [nextAction, firstLoopAction, ...(Array.isArray(children) ? children : [])];
}

/** The pieces that a flow uses. Without recursion, since each step is nested in the one before. */
function piecesOf(trigger: IDataObject): string[] {
	const pieces = new Set<string>();
	const open: unknown[] = [trigger];
	while (open.length > 0) {
		const step = open.pop();
		if (!isRecord(step)) continue;
		const { pieceName } = isRecord(step.settings) ? step.settings : {};
		if (typeof pieceName === 'string' && pieceName !== '') pieces.add(pieceName);
		// Not all at once: arguments go on the stack.
		for (const each of following(step)) open.push(each);
	}
	return [...pieces].sort();
}

/**
 * The fields of a flow that a person acts on, flat; absent ones are null. `trigger` is the name of the
 * trigger within its piece, for example "new_row".
 */
export function simplifyFlow(flow: IDataObject): IDataObject {
	const version = isRecord(flow.version) ? flow.version : {};
	const trigger = isRecord(version.trigger) ? version.trigger : {};
	const settings = isRecord(trigger.settings) ? trigger.settings : {};
	return {
		id: flow.id ?? null,
		name: version.displayName ?? null,
		status: flow.status ?? null,
		valid: version.valid ?? null,
		trigger: settings.triggerName ?? null,
		pieces: piecesOf(trigger),
		connections: version.connectionIds ?? [],
		projectId: flow.projectId ?? null,
		folderId: flow.folderId ?? null,
		updated: flow.updated ?? null,
	};
}
