import { validationError } from '../transport/errors/error';
import { emptyError, toText } from './parameters';
import { isVisible } from './recordName';

/** n8n saves with the workflow what is typed into a field. */
export const USE_EXPRESSION = 'The workflow stores what you type here, so use an expression.';

/** A line from a file ends in a line break, which no key has; a text of several lines keeps its own. */
function withoutLineEnd(secret: string): string {
	const [line, ...others] = secret.split(/[\r\n]/);
	return line !== '' && others.every((other) => other === '') ? line : secret;
}

/**
 * A secret as it is, because it may begin or end with a space. It replaces one that nobody can read back, so what
 * an expression without a value leaves, such as a space, is refused. Messages never show a text.
 */
export function toSecret(label: string, value: unknown): string {
	// JavaScript has already changed its last digits.
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw validationError(`${label} has more digits than a number keeps`, 'Use text instead.');
	}
	const secret = typeof value === 'string' ? value : toText(label, value ?? '');
	if (isVisible(secret)) return withoutLineEnd(secret);
	throw emptyError(label);
}
