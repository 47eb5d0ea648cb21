/** A text without the zero-width characters and the space that come along when it is pasted. */
export function cleanInput(value: unknown): string {
	return typeof value === 'string'
		? value.replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '').trim()
		: '';
}
