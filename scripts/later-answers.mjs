import { tryJson } from './contract-forms.mjs';

/** An answer as JSON; of one cut off in the middle of its first record, the fields that are whole. */
export function parsed(answer) {
	const text = answer.replace(/\s*⟵ shortened; \d+ characters in all$/, '');
	const whole = tryJson(text);
	if (whole !== null || !text.startsWith('{')) return { value: whole, cut: false };
	for (let end = text.lastIndexOf(',"'); end > 0; end = text.lastIndexOf(',"', end - 1)) {
		const start = text.slice(0, end);
		for (const close of [']}', '}]}', '}']) {
			const value = tryJson(start + close);
			if (value !== null) return { value, cut: true };
		}
	}
	return undefined;
}

/** The records of an answer: of a list, of an array, or the one it is. */
export function rowsOf(value) {
	if (Array.isArray(value)) return value.filter((row) => typeof row === 'object');
	if (Array.isArray(value.data)) return rowsOf(value.data);
	return typeof value === 'object' ? [value] : [];
}
