import { validationError } from '../transport/errors/activepiecesError';
import { cleanInput } from '../transport/values/cleanInput';

/**
 * Reads the name that a folder or a flow is to have. The service would accept an empty one (recorded), and a
 * record without a name cannot be found again. Nor does it trim: "Sales " would stand beside "Sales".
 *
 * @param label of the field, for messages
 * @throws {ValidationError} when the name is blank or no text
 */
export function toRecordName(label: string, value: unknown, noun: string): string {
	const name = typeof value === 'number' ? String(value) : (value ?? '');
	if (typeof name !== 'string') throw validationError(`${label} must be text`, `Change ${label}.`);
	const trimmed = name.trim();
	// A name of characters that nobody sees is none; within a name they may join the parts of an emoji.
	if (cleanInput(trimmed) === '') {
		throw validationError(`${label} is empty`, `Enter the name of the ${noun}.`);
	}
	return trimmed;
}
