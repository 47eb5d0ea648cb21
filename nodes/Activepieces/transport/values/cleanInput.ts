/** Removes invisible characters and surrounding whitespace from a text, which may come with pasted text. */
export function cleanInput(value: unknown): string {
	return typeof value === 'string' ? value.replace(/\p{Cf}/gu, '').trim() : '';
}
