import type { IDataObject } from 'n8n-workflow';

import { flag } from '../../descriptions/field';
import { booleanField } from '../../descriptions/fields';
import { jsonError } from '../../descriptions/json';
import { isVisible } from '../../descriptions/recordName';
import { validationError } from '../../transport/errors/error';
import { capitalize } from '../../transport/text';
import { describeValue, isRecord, recordOf, textOf } from '../../transport/values';
import { itemsOperation } from '../recordOperation';
import { chosenVersion, GET_FLOW, statusOf, stepsOf, triggerKind, versionOf } from './flow';

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

/** Whether the whole text is a reference to another place. */
const isReference = (value: unknown): boolean =>
	typeof value === 'string' && /^\s*\{\{[^{}]*\}\}\s*$/.test(value);

/**
 * Removes the secrets that callers of a webhook need, if the flow itself contains them. This makes the
 * trigger incomplete, so the flow cannot be published until somebody enters them again.
 */
function removeWebhookSecrets(trigger: IDataObject): void {
	const { input } = recordOf(trigger.settings);
	if (!isRecord(input) || triggerKind(trigger) !== 'webhook' || !isRecord(input.authFields)) return;
	const fields = input.authFields;
	for (const name of Object.keys(fields)) {
		if (name === 'headerName' || isReference(fields[name]) || textOf(fields[name]) === '') continue;
		delete fields[name];
		if (input.authType !== 'none') trigger.valid = false;
	}
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

/** Where the node keeps what it knows of a flow that it imported, in the metadata of the flow */
const KEPT = 'n8nImport';

/** What the node keeps with a flow that it imported. */
export interface Kept extends IDataObject {
	/** That of the file: not every release creates a flow with a given one */
	externalId?: string;
	/** Fingerprint of the file that was imported last */
	file?: string;
	/** Fingerprint of the draft that the service made of it, in which it may have converted steps */
	draft?: string;
}

export const keptOf = ({ metadata }: IDataObject): Kept => recordOf(recordOf(metadata)[KEPT]);

/** The metadata of a flow with what the node keeps there. */
export const withKept = ({ metadata }: IDataObject, kept: Kept): IDataObject => ({
	...recordOf(metadata),
	[KEPT]: kept,
});

/** The ID by which files refer to a flow; empty if it has none, up to 0.73 (recorded). */
export const fileIdOf = (flow: IDataObject): string =>
	textOf(keptOf(flow).externalId) || textOf(flow.externalId);

function flowFileOf(flow: IDataObject): IDataObject {
	const content = contentOf(versionOf(flow));
	return {
		name: content.displayName,
		externalId: fileIdOf(flow) || null,
		projectId: flow.projectId ?? null,
		folderId: textOf(flow.folderId) || null,
		status: statusOf(flow) ?? null,
		flow: content,
	};
}

/** Characters that a file system may refuse, or that hide what a name is */
const UNFIT = /[/\\:*?"<>|\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Names that Windows has for devices, whatever their extension */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³])(?=\.|$)/i;

/** In bytes; most file systems accept no longer name */
const MAX_FILE_NAME = 255;

function fileNameOf(name: string): string {
	const extension = '.json';
	let base = '';
	let left = MAX_FILE_NAME - extension.length;
	// By characters, because a file system may refuse half of one.
	for (const character of name.trim().replace(UNFIT, '_').replace(DEVICE, '_$&') || 'flow') {
		left -= Buffer.byteLength(character);
		if (left < 0) break;
		base += character;
	}
	return base + extension;
}

const ACCEPTED_CONTENT =
	'Use an item from Flow > Export, or the JSON of a file that you exported from Activepieces.';

/** What is accepted, after sentences that not every message has. */
const acceptedAfter = (...sentences: Array<string | undefined>): string =>
	[...sentences, ACCEPTED_CONTENT].filter((each) => each !== undefined).join(' ');

/** A block of code in Markdown, in which models and documents put JSON */
const FENCED = /^\s*```\w*\s*\n([\s\S]*?)```\s*$/;

/**
 * Converts the value of a field to what JSON can hold; undefined for a value that JSON cannot hold, or
 * that refers to itself. A text may hold the text of JSON.
 */
function asJson(held: unknown): unknown {
	try {
		if (typeof held !== 'string') return JSON.parse(JSON.stringify(held));
		// Files of Windows often begin with a byte order mark.
		const text = held.replace(/^\uFEFF/, '');
		const value: unknown = JSON.parse(FENCED.exec(text)?.[1] ?? text);
		return typeof value === 'string' ? (asJson(value) ?? value) : value;
	} catch {
		return undefined;
	}
}

/** Unwraps a list with one entry, which is how n8n's Convert to File writes a single item. */
const onlyOne = (value: unknown): unknown =>
	Array.isArray(value) && value.length === 1 ? (value as unknown[])[0] : value;

/** Unwraps `data`, into which n8n's Extract From File and HTTP Request put the content of a file, maybe as text. */
function unpacked(value: unknown): unknown {
	if (!isRecord(value) || Object.keys(value).join() !== 'data') return value;
	const { data } = value;
	return typeof data === 'string' ? (asJson(data) ?? data) : data;
}

const isContent = (value: unknown): value is IDataObject =>
	isRecord(value) && isRecord(value.trigger);

/**
 * Finds the flow in the output of Export, in a file of Activepieces' own export as written up to 0.73 or
 * since 0.74 (recorded), in a record of the API, which is also what Git Sync writes, in the body of an import, or on
 * its own.
 */
function findContent(value: unknown): IDataObject | undefined {
	if (!isRecord(value)) return undefined;
	const { flow, flows, template, version, request } = value;
	return [flow, onlyOne(flows), template, version, request, value].find(isContent);
}

/**
 * The text of a file. Windows writes a byte order mark, and its PowerShell UTF-16.
 *
 * @throws {ValidationError} for another encoding, of which letters would be lost
 */
export function textOfFile(file: Buffer): string {
	const encoding = UTF_16[file.toString('hex', 0, 2)] ?? 'utf-8';
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(file);
	} catch {
		throw validationError(
			'The file is not a text in UTF-8',
			'Save it in UTF-8, or export the flow again.',
		);
	}
}

/** By the byte order mark of a file, in hexadecimal */
const UTF_16: Record<string, string | undefined> = { fffe: 'utf-16le', feff: 'utf-16be' };

/** The flow in a file, and the ID by which other flows and files refer to it. */
export interface FlowFile {
	content: FlowContent;
	/** Empty if the file has none */
	externalId: string;
}

/**
 * Reads the flow in the value of a field, or in the text of a file.
 *
 * @param place where it comes from, for messages
 * @param advice what to do if this is the wrong place, for the message that it has no flow
 * @throws {ValidationError} when there is none, or more than one
 */
export function readContent(
	held: unknown,
	place: 'Content' | 'the file',
	advice?: string,
): FlowFile {
	const Place = capitalize(place);
	if (held === undefined || held === null || held === '') {
		throw validationError(`${Place} is empty`, acceptedAfter(advice));
	}
	const error = typeof held === 'string' ? jsonError(held) : undefined;
	const value = onlyOne(unpacked(asJson(held)));
	const several = isRecord(value) ? value.flows : value;
	if (Array.isArray(several) && several.length > 1) {
		throw validationError(
			`${Place} has ${several.length} flows`,
			'Import one flow per input item. To turn a list into items, use the Split Out node.',
		);
	}
	const found = findContent(value);
	if (found === undefined) {
		const what = value === undefined ? held : value;
		throw validationError(
			isRecord(what)
				? `${Place} is not an exported flow: it has no trigger`
				: `${Place} must be an exported flow, not ${describeValue(what)}`,
			acceptedAfter(error, advice),
		);
	}
	const content = contentOf(found, { withSecrets: true });
	if (typeof content.trigger.type !== 'string') {
		throw validationError(`The trigger of the flow in ${place} is not complete`, ACCEPTED_CONTENT);
	}
	const names = [content.displayName, textOf((value as IDataObject).name)];
	const displayName = names.find(isVisible);
	if (displayName === undefined) {
		throw validationError(
			`The flow in ${place} has no name`,
			`Add a name to ${place} as flow.displayName.`,
		);
	}
	const { schemaVersion } = content;
	if (schemaVersion !== null && !/^\d+$/.test(schemaVersion)) {
		throw validationError(
			`The schemaVersion in ${place} must be a whole number, not ${describeValue(schemaVersion)}`,
			ACCEPTED_CONTENT,
		);
	}
	const { metadata } = value as IDataObject;
	return {
		content: { ...content, displayName },
		// A template has it in its metadata (recorded).
		externalId: (fileIdOf(value as IDataObject) || textOf(recordOf(metadata).externalId)).trim(),
	};
}

const includeFile = booleanField(
	'Include File',
	'includeFile',
	'Whether to also return the flow as a JSON file, in the binary field data of the item',
);

export const exportOperation = itemsOperation({
	name: 'Export',
	value: 'export',
	description: 'Get a flow with all its steps so you can save it as a file or import it',
	hint: 'Leaves out the password or secret header that a webhook requires. References to connections are kept.',
	toolDescription:
		'Returns one Activepieces flow by its ID with all its steps, in the format that Import accepts: name, externalId, projectId, folderId, status and flow',
	endpoint: GET_FLOW,
	fields: { chosen: chosenVersion, hasFile: flag(includeFile) },
	async items({ chosen, hasFile }, { files }) {
		const record = flowFileOf(chosen.flow);
		if (hasFile) {
			files.set(record, {
				content: Buffer.from(JSON.stringify(record), 'utf8'),
				mimeType: 'application/json',
				fileName: fileNameOf(textOf(record.name)),
			});
		}
		return [record];
	},
});
