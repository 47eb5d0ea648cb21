import { textField } from '../../descriptions/fields';
import { toRecordName } from '../../descriptions/recordName';
import { toText } from '../../descriptions/parameters';
import { validationError } from '../../transport/errors/error';

/** Fields of a project that Create and Update share, without their descriptions. */
export const nameField = textField('Name', 'displayName', { placeholder: 'e.g. Customer 42' });

export const externalIdField = textField('External ID', 'externalId', {
	placeholder: 'e.g. customer-42',
});

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
