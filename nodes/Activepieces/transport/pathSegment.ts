/** An id made safe for a URL, or the reason why it is refused before anything is sent. */
export type PathSegment = { segment: string } | { refusal: string };

/**
 * Encodes an id as exactly one path segment, so that no id can reach another route: `../users/x`
 * becomes `..%2Fusers%2Fx`. The dot segments are refused because URL parsers resolve them even
 * when they are encoded. Surrounding space is dropped; it comes from pasting and is in no id.
 */
export function pathSegment(value: unknown): PathSegment {
	const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (id === '') return { refusal: 'is empty' };
	if (id === '.' || id === '..') return { refusal: `is "${id}", which is not an ID` };
	try {
		return { segment: encodeURIComponent(id) };
	} catch {
		return { refusal: 'has a character that no web address can hold' };
	}
}
