import { jsonParse, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { validationError } from '../transport/errors/error';
import { describeValue } from '../transport/texts';
import { isRecord } from '../transport/values';
import { writeJson } from './parameters';
import { jsonFields } from './properties';

const LABEL = 'Metadata';

/**
 * The data of their own that people store with a record.
 *
 * @param more what the description says after its first sentence
 */
export const metadataFields = (noun: string, more = ''): INodeProperties[] =>
	jsonFields(LABEL, 'metadata', {
		description: `Your own data about the ${noun}, as a JSON object${more}`,
	});

export function toMetadata(value: unknown): IDataObject {
	const { json, unfit } = typeof value === 'string' ? { json: value } : writeJson(value);
	const metadata = jsonParse<unknown>(json ?? '', { fallbackValue: null });
	if (unfit === undefined && isRecord(metadata)) return metadata;
	throw validationError(
		unfit === undefined
			? `${LABEL} must be a JSON object, not ${describeValue(value)}`
			: `${LABEL} contains ${unfit}, which is not valid in JSON`,
		`Change ${LABEL}, for example to {"plan": "pro"}. {} stands for no metadata.`,
	);
}

/** The metadata of a record that is created or overwritten: none for an empty field, or for `{}`, its default. */
export function readMetadata(value: unknown): { metadata?: IDataObject } {
	const metadata = value === '' ? {} : toMetadata(value);
	return Object.keys(metadata).length === 0 ? {} : { metadata };
}
