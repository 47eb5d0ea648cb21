import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { toRecordName, toText } from '../../descriptions/parameters';
import { validationError } from '../../transport/error';
import { describeValue, isRecord } from '../../transport/values';

/** Fields of a project that Create and Update share, without their descriptions. */
export const nameField = {
	displayName: 'Name',
	name: 'displayName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Customer 42',
} as const satisfies Partial<INodeProperties>;

export const externalIdField = {
	displayName: 'External ID',
	name: 'externalId',
	type: 'string',
	default: '',
	placeholder: 'e.g. customer-42',
} as const satisfies Partial<INodeProperties>;

export const metadataField = {
	displayName: 'Metadata',
	name: 'metadata',
	type: 'json',
	default: '{}',
	description: 'Your own data about the project, as a JSON object',
} as const satisfies Partial<INodeProperties>;

/**
 * Converts the name of a project.
 *
 * @throws {ValidationError} for a name that the service refuses, for example with a dot or a slash
 * (recorded)
 */
export function toProjectName(value: unknown): string {
	const name = toRecordName(nameField.displayName, value, 'project');
	if (!/[./]/.test(name)) return name;
	throw validationError(
		`${nameField.displayName} has a dot or a slash, which Activepieces does not accept in the name of a project`,
		`Change ${nameField.displayName}.`,
	);
}

/** Converts the external ID of a project; empty for none. */
export const toExternalId = (value: unknown): string =>
	toText(externalIdField.displayName, value ?? '');

/** Parses typed JSON; an expression gives the value itself. */
function parse(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return undefined;
	}
}

/**
 * Converts the metadata of a project.
 *
 * @throws {ValidationError} for a value that is not a JSON object
 */
export function toMetadata(value: unknown): IDataObject {
	const metadata = value === '' ? {} : parse(value);
	if (isRecord(metadata)) return metadata;
	throw validationError(
		`${metadataField.displayName} must be a JSON object, not ${describeValue(value)}`,
		`Change ${metadataField.displayName}, for example to {"plan": "pro"}.`,
	);
}
