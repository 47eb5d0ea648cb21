import type { IDataObject } from 'n8n-workflow';

/* Values of any kind, as a server or an expression gives them. */

export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const recordOf = (value: unknown): IDataObject => (isRecord(value) ? value : {});

/**
 * A field of a record as text, from a text or a number; empty for anything else. A server may send
 * anything: `String(value)` throws for `{"toString": 1}`.
 */
export const textOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? `${value}` : '';

/** Fields as the record has them; missing ones are null. */
export function orNull(record: IDataObject, ...names: string[]): IDataObject {
	const fields: IDataObject = {};
	for (const name of names) fields[name] = record[name] ?? null;
	return fields;
}
