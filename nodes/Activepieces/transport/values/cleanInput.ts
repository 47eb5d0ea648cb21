/**
 * A text without the characters that nobody sees, and without the space around it: both come along when
 * it is pasted.
 */
export function cleanInput(value: unknown): string {
	return typeof value === 'string' ? value.replace(/\p{Cf}/gu, '').trim() : '';
}
