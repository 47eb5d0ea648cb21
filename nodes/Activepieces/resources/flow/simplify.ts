import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../../descriptions/output';
import { isRecord } from '../../transport/values/isRecord';
import { recordUrl } from '../../transport/recordUrl';
import { projectNameOf } from '../project/projectNames';
import { hasUnpublishedChanges, wasPublished } from './flowState';
import { stepsOf } from './steps';

/** The pieces that a flow uses. */
function piecesOf(trigger: IDataObject): string[] {
	const pieces = new Set<string>();
	for (const { settings } of stepsOf(trigger)) {
		const { pieceName } = isRecord(settings) ? settings : {};
		if (typeof pieceName === 'string' && pieceName !== '') pieces.add(pieceName);
	}
	return [...pieces].sort();
}

/**
 * The fields of a flow that a person acts on, flat. Missing fields are null. Left out are fields that a
 * filter or a message covers: the folder, the connections, and whether the steps are complete, which
 * Publish reports. The name of the trigger is left out because it is one of the pieces.
 */
export const simplifyFlow: Simplify = (flow, source) => {
	const version = isRecord(flow.version) ? flow.version : {};
	const trigger = isRecord(version.trigger) ? version.trigger : {};
	return {
		id: flow.id ?? null,
		name: version.displayName ?? null,
		status: flow.status ?? null,
		published: wasPublished(flow),
		unpublishedChanges: hasUnpublishedChanges(flow),
		projectId: flow.projectId ?? null,
		projectName: projectNameOf(flow, source),
		pieces: piecesOf(trigger),
		updated: flow.updated ?? null,
		url: recordUrl(source?.baseUrl, 'flow', flow),
	};
};

/**
 * The same fields of a flow of which only the published version was requested, so that the latest one is
 * not known.
 */
export const simplifyPublishedFlow: Simplify = (flow, source) => ({
	...simplifyFlow(flow, source),
	unpublishedChanges: null,
});
