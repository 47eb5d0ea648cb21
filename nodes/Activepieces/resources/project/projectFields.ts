import { type IDataObject, type INodeProperties, jsonParse } from 'n8n-workflow';

import { textField } from '../../descriptions/fields';
import { toRecordName } from '../../descriptions/recordName';
import { toText } from '../../descriptions/parameters';
import { writeJson } from '../../descriptions/json';
import { validationError } from '../../transport/errors/error';
import { describeValue, isRecord } from '../../transport/values';

/** Fields of a project that Create and Update share, without their descriptions. */
export const nameField = textField('Name', 'displayName', { placeholder: 'e.g. Customer 42' });

export const externalIdField = textField('External ID', 'externalId', {
	placeholder: 'e.g. customer-42',
});

export const metadataField: INodeProperties = {
	displayName: 'Metadata',
	name: 'metadata',
	type: 'json',
	default: '{}',
	description: 'Your own data about the project, as a JSON object',
};

/** @throws {ValidationError} for a name that the service refuses, such as one with a slash (recorded) */
export function toProjectName(value: unknown): string {
	const name = toRecordName(nameField.displayName, value, 'project');
	if (!/[./]/.test(name)) return name;
	throw validationError(
		`${nameField.displayName} has a dot or a slash, which Activepieces does not accept in the name of a project`,
		`Change ${nameField.displayName}.`,
	);
}

export const toExternalId = (value: unknown): string =>
	toText(externalIdField.displayName, value ?? '');

export function toMetadata(value: unknown): IDataObject {
	const { displayName: label } = metadataField;
	const { json, unfit } = typeof value === 'string' ? { json: value } : writeJson(value);
	const metadata = jsonParse<unknown>(json ?? '', { fallbackValue: null });
	if (unfit === undefined && isRecord(metadata)) return metadata;
	throw validationError(
		unfit === undefined
			? `${label} must be a JSON object, not ${describeValue(value)}`
			: `${label} contains ${unfit}, which is not valid in JSON`,
		`Change ${label}, for example to {"plan": "pro"}. {} stands for no metadata.`,
	);
}
