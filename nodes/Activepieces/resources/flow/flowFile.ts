import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/values/isRecord';
import { textOf } from '../../transport/values/textOf';
import { sortedCopy } from './sortedCopy';
import { stepsOf } from './steps';
import { removeWebhookSecrets } from './webhookTrigger';

/** What a file holds of a flow: all that makes it, and nothing of the server that it is on. */
export interface FlowContent extends IDataObject {
	displayName: string;
	trigger: IDataObject;
	/** null in files of releases that did not write it */
	schemaVersion: string | null;
	notes: IDataObject[];
}

/**
 * Leaves out of the steps what is of the server: when each was last edited or imported, and where its test
 * data are, which an import does not take (recorded).
 */
function removeTraces(trigger: IDataObject): void {
	for (const step of stepsOf(trigger)) {
		delete step.lastUpdatedDate;
		if (isRecord(step.settings)) delete step.settings.sampleData;
	}
}

/** A note without its author, a user of the server; whoever imports it becomes that (read in the service's source). */
const withoutOwner = (note: IDataObject): IDataObject =>
	Object.hasOwn(note, 'ownerId') ? { ...note, ownerId: null } : note;

/**
 * The content of a version of a flow: equal for equal flows, whatever server or release they are on.
 *
 * @param options.withSecrets keeps what the callers of a webhook have to know
 */
export function contentOf(version: IDataObject, { withSecrets = false } = {}): FlowContent {
	const { displayName, schemaVersion } = version;
	const trigger = isRecord(version.trigger) ? sortedCopy(version.trigger) : {};
	removeTraces(trigger);
	if (!withSecrets) removeWebhookSecrets(trigger);
	// 0.73 has none.
	const notes = Array.isArray(version.notes) ? version.notes.filter(isRecord) : [];
	return {
		displayName: textOf(displayName),
		trigger,
		schemaVersion: textOf(schemaVersion) || null,
		notes: sortedCopy(notes.map(withoutOwner)),
	};
}

/** A flow, with one of its versions, as Export gives it. */
export function flowFileOf(flow: IDataObject): IDataObject {
	const content = contentOf(isRecord(flow.version) ? flow.version : {});
	return {
		name: content.displayName,
		// Releases up to 0.73 write null as an empty text (recorded).
		externalId: textOf(flow.externalId) || null,
		projectId: flow.projectId ?? null,
		folderId: textOf(flow.folderId) || null,
		status: flow.status ?? null,
		flow: content,
	};
}
