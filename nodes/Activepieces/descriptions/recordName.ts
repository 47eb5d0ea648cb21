import { validationError } from '../transport/errors/activepiecesError';
import { describeValue } from '../transport/values/describeValue';
import { cleanInput } from '../transport/values/plainText';

/**
 * Converts the new name of a folder or a flow. The service accepts an empty name (recorded), and nobody
 * can find a record without one. The service does not trim either, so "Sales " would become a second
 * "Sales".
 *
 * @param label of the field, for messages
 * @throws {ValidationError} when the name is blank or not a text
 */
export function toRecordName(label: string, value: unknown, noun: string): string {
	const name = typeof value === 'number' ? String(value) : (value ?? '');
	if (typeof name !== 'string')
		throw validationError(`${label} must be text, not ${describeValue(value)}`, `Change ${label}.`);
	const trimmed = name.trim();
	// A name that consists of invisible characters counts as empty. Within a name they may join the parts of
	// an emoji.
	if (cleanInput(trimmed) === '') {
		throw validationError(`${label} is empty`, `Enter the name of the ${noun}.`);
	}
	return trimmed;
}
