import type { IDataObject } from 'n8n-workflow';

import { isRecord, textOf } from '../../transport/values';
import { sortedCopy } from './sortedCopy';
import { removeWebhookSecrets, stepsOf } from './flow';

/** The content of a flow's file: everything that defines the flow, and nothing about its server. */
export interface FlowContent extends IDataObject {
	displayName: string;
	trigger: IDataObject;
	/** null in files of releases that did not write it */
	schemaVersion: string | null;
	notes: IDataObject[];
}

/**
 * Removes what belongs to a server from the steps: when each was last edited or imported, and where its
 * test data is, which an import does not accept (recorded).
 */
function removeTraces(trigger: IDataObject): void {
	for (const step of stepsOf(trigger)) {
		delete step.lastUpdatedDate;
		if (isRecord(step.settings)) delete step.settings.sampleData;
	}
}

/**
 * Removes the author of a note, who is a user of the server. On import, the importing user becomes its
 * author (read in the service's source).
 */
const withoutOwner = (note: IDataObject): IDataObject =>
	Object.hasOwn(note, 'ownerId') ? { ...note, ownerId: null } : note;

/**
 * The content of a version of a flow. It is equal for equal flows, whatever their server or release.
 *
 * @param options.withSecrets keeps the secrets that callers of a webhook need
 */
export function contentOf(version: IDataObject, { withSecrets = false } = {}): FlowContent {
	const { displayName, schemaVersion } = version;
	const trigger = isRecord(version.trigger) ? sortedCopy(version.trigger) : {};
	removeTraces(trigger);
	if (!withSecrets) removeWebhookSecrets(trigger);
	// 0.73 has no notes.
	const notes = Array.isArray(version.notes) ? version.notes.filter(isRecord) : [];
	return {
		displayName: textOf(displayName),
		trigger,
		schemaVersion: textOf(schemaVersion) || null,
		notes: sortedCopy(notes.map(withoutOwner)),
	};
}

/** A flow with one of its versions, as Export returns it. */
export function flowFileOf(flow: IDataObject): IDataObject {
	const content = contentOf(isRecord(flow.version) ? flow.version : {});
	return {
		name: content.displayName,
		// Up to 0.73 null is an empty text (recorded).
		externalId: textOf(flow.externalId) || null,
		projectId: flow.projectId ?? null,
		folderId: textOf(flow.folderId) || null,
		status: flow.status ?? null,
		flow: content,
	};
}
