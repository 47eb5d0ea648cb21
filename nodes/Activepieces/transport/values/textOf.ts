/**
 * A field of a record as text, from a text or a number; empty for anything else. A server may send
 * anything: `String(value)` throws for `{"toString": 1}`.
 */
export const textOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
