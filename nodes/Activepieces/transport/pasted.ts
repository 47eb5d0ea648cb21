/** A text as it was meant when it was pasted: zero-width characters come along from web pages, and space. */
export function pasted(value: unknown): string {
	return typeof value === 'string' ? value.replace(/[\u200b-\u200d\ufeff]/g, '').trim() : '';
}
