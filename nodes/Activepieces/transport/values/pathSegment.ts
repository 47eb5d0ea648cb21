import { toId } from './toId';

/** An ID that is safe in a URL, or the reason why it is invalid. */
export type PathSegment = { segment: string } | { invalid: string };

/**
 * Encodes an ID as exactly one path segment, so that no ID can reach another route: `../users/x` becomes
 * `..%2Fusers%2Fx`. Dot segments are refused, because URL parsers resolve them even when they are encoded.
 */
export function pathSegment(value: unknown): PathSegment {
	const id = toId(value ?? '');
	if (id === undefined) return { invalid: 'is not an ID' };
	if (id === '') return { invalid: 'is empty' };
	if (id === '.' || id === '..') return { invalid: `is "${id}", which is not an ID` };
	try {
		return { segment: encodeURIComponent(id) };
	} catch {
		return { invalid: 'contains a character that is not allowed in a URL' };
	}
}
