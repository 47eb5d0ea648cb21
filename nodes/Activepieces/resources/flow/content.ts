/** What of a flow is in its file: equal for equal flows. */
import type { IDataObject } from 'n8n-workflow';

import { isRecord, recordOf, textOf } from '../../transport/values';
import { stepsOf, triggerKind, versionOf } from './flow';
import { removeWebhookSecrets } from './webhookSecrets';

/** A copy of a list, or of an object with its keys sorted; other values are what they are. */
function shallowCopy(value: unknown): unknown {
	if (Array.isArray(value)) return [...(value as unknown[])];
	if (!isRecord(value)) return value;
	const names = Object.keys(value).sort();
	return Object.fromEntries(names.map((name) => [name, value[name]]));
}

/**
 * Copies a JSON value with the keys of all objects sorted, because the service returns them in an order
 * that an import changes (recorded). Lists keep their order. Not recursive: each step of a flow is nested
 * in the one before.
 */
function sortedCopy<T>(value: T): T {
	const holder = { value };
	const open: Array<Record<string, unknown>> = [holder];
	for (let container = open.pop(); container !== undefined; container = open.pop()) {
		for (const name of Object.keys(container)) {
			const copy = (container[name] = shallowCopy(container[name]));
			if (typeof copy === 'object' && copy !== null) open.push(copy as Record<string, unknown>);
		}
	}
	return holder.value;
}

/** The content of a flow's file: everything that defines the flow, and nothing about its server. */
export interface FlowContent extends IDataObject {
	displayName: string;
	trigger: IDataObject;
	/** null in files of releases that did not write it */
	schemaVersion: string | null;
	notes: IDataObject[];
}

/**
 * The content with the secrets of a webhook that its file leaves out, from the draft that it replaces: otherwise each
 * import would make the trigger incomplete.
 */
export function withSecretsOf(content: FlowContent, flow: IDataObject): FlowContent {
	const draft = recordOf(versionOf(flow).trigger);
	const [input, given] = [draft, content.trigger].map(({ settings }) =>
		recordOf(recordOf(settings).input),
	);
	const isWebhook = [draft, content.trigger].every((each) => triggerKind(each) === 'webhook');
	if (!isWebhook || input.authType !== given.authType) return content;
	const authFields = { ...recordOf(input.authFields), ...recordOf(given.authFields) };
	if (Object.keys(authFields).length === Object.keys(recordOf(given.authFields)).length)
		return content;
	const settings = { ...recordOf(content.trigger.settings), input: { ...given, authFields } };
	return { ...content, trigger: sortedCopy({ ...content.trigger, settings, valid: draft.valid }) };
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
	const notes = Array.isArray(version.notes) ? version.notes.filter(isRecord) : [];
	return {
		displayName: textOf(displayName),
		trigger,
		schemaVersion: textOf(schemaVersion) || null,
		notes: sortedCopy(notes.map(withoutOwner)),
	};
}

/**
 * The steps of a flow as the service accepts them in a request: each needs a time, which `contentOf` leaves out.
 * On import the service replaces it (recorded).
 */
export function withTimes(trigger: IDataObject): IDataObject {
	const dated = sortedCopy(trigger);
	const lastUpdatedDate = new Date().toISOString();
	for (const step of stepsOf(dated)) step.lastUpdatedDate = lastUpdatedDate;
	return dated;
}
