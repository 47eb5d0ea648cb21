/** Longer texts are not shown, because they may be whole documents. */
const MAX_LENGTH = 100;

function isList(value: unknown): value is unknown[] {
	try {
		return Array.isArray(value);
	} catch {
		// A revoked proxy.
		return false;
	}
}

/**
 * Describes the value of a field for messages, whatever an expression gives. `String(value)` throws for
 * `{"toString": 1}`, for symbols in a template, and for objects without a prototype.
 *
 * Part of a long text is not shown: a key that is cut in two would not be redacted.
 */
export function describeValue(value: unknown): string {
	switch (typeof value) {
		case 'string':
			return value.length > MAX_LENGTH ? `a string of ${value.length} characters` : `"${value}"`;
		case 'number':
		case 'boolean':
		case 'undefined':
			return String(value);
		case 'object':
			if (value === null) return 'null';
			if (!isList(value)) return 'an object';
			return value.length === 0 ? 'an empty list' : 'a list';
		default:
			return `a ${typeof value}`;
	}
}
