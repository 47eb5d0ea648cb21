import { textField } from '../../descriptions/fields';
import { toRecordName } from '../../descriptions/recordName';
import { toText } from '../../descriptions/parameters';
import { validationError } from '../../transport/errors/error';

/** Fields of a project that Create and Update share, without their descriptions. */
export const projectNameField = textField('Name', 'displayName', {
	placeholder: 'e.g. Customer 42',
});

export const projectExternalIdField = textField('External ID', 'externalId', {
	placeholder: 'e.g. customer-42',
});

/** @throws {ValidationError} for a name that the service refuses, such as one with a slash (recorded) */
export function toProjectName(value: unknown): string {
	const name = toRecordName(projectNameField.displayName, value, 'project');
	if (!/[./]/.test(name)) return name;
	throw validationError(
		`${projectNameField.displayName} has a dot or a slash, which Activepieces does not accept in the name of a project`,
		`Change ${projectNameField.displayName}.`,
	);
}

export const toExternalId = (value: unknown): string =>
	toText(projectExternalIdField.displayName, value ?? '');
