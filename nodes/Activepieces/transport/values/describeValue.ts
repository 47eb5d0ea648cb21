/** More of a text than this is not shown: it may be a whole document. */
const MAX_LENGTH = 100;

function isList(value: unknown): boolean {
	try {
		return Array.isArray(value);
	} catch {
		// A proxy that was revoked.
		return false;
	}
}

/**
 * A value of a field as messages show it, for whatever an expression gives. `String(value)` throws for
 * `{"toString": 1}`, for symbols in a template, and for objects without a prototype.
 *
 * A long text is not shown in part: a key in it that is cut in two would not be taken out of the message.
 */
export function describeValue(value: unknown): string {
	switch (typeof value) {
		case 'string':
			return value.length > MAX_LENGTH ? `a text of ${value.length} characters` : `"${value}"`;
		case 'number':
		case 'boolean':
		case 'undefined':
			return String(value);
		case 'object':
			return value === null ? 'null' : isList(value) ? 'a list' : 'an object';
		default:
			return `a ${typeof value}`;
	}
}
