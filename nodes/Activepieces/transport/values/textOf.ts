/**
 * A field of a record as text, as it is or from a number; empty for anything else. Nobody knows what a
 * server sends: `String(value)` throws for `{"toString": 1}`.
 */
export const textOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
