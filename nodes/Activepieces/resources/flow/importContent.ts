import type { IDataObject } from 'n8n-workflow';

import type { Fields } from '../../execution/item';
import { validationError } from '../../transport/error';
import { describeValue, isRecord, textOf } from '../../transport/values';
import { contentOf, type FlowContent } from './flowFile';

const ACCEPTED_CONTENT =
	'Use an item from Flow > Export, or the JSON of a file that you exported from Activepieces.';

/**
 * Converts the value of a field to what JSON can hold; undefined for a value that JSON cannot hold, or
 * that refers to itself.
 */
function asJson(held: unknown): unknown {
	try {
		return JSON.parse(typeof held === 'string' ? held : JSON.stringify(held));
	} catch {
		return undefined;
	}
}

/** Unwraps a list with one entry, which is how n8n's Convert to File writes a single item. */
const onlyOne = (value: unknown): unknown =>
	Array.isArray(value) && value.length === 1 ? (value as unknown[])[0] : value;

/** Unwraps `data`, into which n8n's Extract From File puts the content of a file. */
const unpacked = (value: unknown): unknown =>
	isRecord(value) && Object.keys(value).join() === 'data' ? value.data : value;

const isContent = (value: unknown): value is IDataObject =>
	isRecord(value) && isRecord(value.trigger);

/**
 * Finds the flow in the output of Export, in a file of Activepieces' own export as written up to 0.73 or
 * since 0.74 (recorded), or on its own.
 */
function findContent(value: unknown): IDataObject | undefined {
	if (!isRecord(value)) return undefined;
	const { flow, flows, template } = value;
	return [flow, onlyOne(flows), template, value].find(isContent);
}

/**
 * Reads the flow that an item contains.
 *
 * @throws {ValidationError} when there is none, or more than one
 */
export function readContent(fields: Fields): FlowContent {
	const held = fields.get('content', '');
	if (held === undefined || held === null || held === '') {
		throw validationError('Content is empty', ACCEPTED_CONTENT);
	}
	const value = onlyOne(unpacked(asJson(held)));
	const several = isRecord(value) ? value.flows : value;
	if (Array.isArray(several) && several.length > 1) {
		throw validationError(
			`Content has ${several.length} flows`,
			'Import one flow per input item. To turn a list into items, use the Split Out node.',
		);
	}
	const found = findContent(value);
	if (found === undefined) {
		const what = value === undefined ? held : value;
		throw validationError(
			isRecord(what)
				? 'Content is not an exported flow: it has no trigger'
				: `Content must be an exported flow, not ${describeValue(what)}`,
			ACCEPTED_CONTENT,
		);
	}
	const content = contentOf(found, { withSecrets: true });
	if (typeof content.trigger.type !== 'string') {
		throw validationError('The trigger of the flow in Content is not complete', ACCEPTED_CONTENT);
	}
	const name = content.displayName.trim() || textOf((value as IDataObject).name).trim();
	if (name === '') {
		throw validationError(
			'The flow in Content has no name',
			'Add a name to Content as flow.displayName.',
		);
	}
	const { schemaVersion } = content;
	if (schemaVersion !== null && !/^\d+$/.test(schemaVersion)) {
		throw validationError(
			`The schemaVersion in Content must be a whole number, not ${describeValue(schemaVersion)}`,
			ACCEPTED_CONTENT,
		);
	}
	return { ...content, displayName: name };
}
