/**
 * JSON types by field name, nested; an array shows the form of its first element.
 * @param {(key: string, value: unknown) => boolean} leftOut fields that are none of the service's
 */
export function formOf(value, leftOut = () => false) {
	if (value === null) return 'null';
	if (Array.isArray(value)) return value.slice(0, 1).map((each) => formOf(each, leftOut));
	if (typeof value !== 'object') return typeof value;
	return Object.fromEntries(
		Object.keys(value)
			.filter((key) => !leftOut(key, value[key]))
			.sort()
			.map((key) => [key, formOf(value[key], leftOut)]),
	);
}

/** Null for text that is no JSON. */
export function tryJson(text) {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
