import type { IDataObject } from 'n8n-workflow';

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

/** In 0.73 null is an empty text (recorded). */
export const textOrNull = (value: unknown) =>
	typeof value === 'string' && value !== '' ? value : null;

/** Fields as the record has them; missing ones are null. */
export function orNull(record: IDataObject, ...names: string[]): IDataObject {
	const fields: IDataObject = {};
	for (const name of names) fields[name] = record[name] ?? null;
	return fields;
}

/** Longer texts are not shown, because they may be whole documents. */
const MAX_SHOWN = 100;

/**
 * Describes the value of a field for messages, whatever an expression gives. `String(value)` throws for
 * `{"toString": 1}`, for symbols in a template, and for objects without a prototype.
 *
 * Part of a long text is not shown: a key that is cut in two would not be redacted.
 */
export function describeValue(value: unknown): string {
	switch (typeof value) {
		case 'string':
			return value.length > MAX_SHOWN ? `a string of ${value.length} characters` : `"${value}"`;
		case 'number':
		case 'boolean':
		case 'undefined':
			return String(value);
		case 'object':
			if (value === null) return 'null';
			if (!Array.isArray(value)) return 'an object';
			return value.length === 0 ? 'an empty list' : 'a list';
		default:
			return `a ${typeof value}`;
	}
}

/** Overhead of an object or an array, and of each of its values */
const PER_VALUE = 16;

/**
 * The approximate memory of a record in bytes. Not recursive, because a server may nest values to any depth.
 */
export function sizeOf(root: unknown): number {
	const open: unknown[] = [root];
	let size = 0;
	while (open.length > 0) {
		const value = open.pop();
		size += PER_VALUE;
		if (typeof value === 'string') size += value.length;
		else if (Array.isArray(value)) for (const each of value) open.push(each);
		else if (isRecord(value)) {
			for (const name of Object.keys(value)) {
				size += name.length;
				open.push(value[name]);
			}
		}
	}
	return size;
}
