import type { INodeProperties } from 'n8n-workflow';

import { validationError } from '../transport/errors/activepiecesError';
import { cleanInput } from '../transport/values/plainText';
import { describeValue } from '../transport/values/describeValue';

/** Whether a saved value is an expression, as n8n writes them. */
const isExpression = (saved: unknown): boolean =>
	typeof saved === 'string' && saved.startsWith('=');

/** An optional field and its value for the item. */
export interface OptionalField<T> {
	label: string;
	value: unknown;
	/** Reads the value as the workflow saves it */
	saved: () => unknown;
	type?: INodeProperties['type'];
	/** What an empty field means, for messages; by default "all" */
	emptyMeans?: string;
	/** Converts a value that is not blank. A list without entries becomes an empty list. */
	parse: (label: string, value: unknown) => T;
}

/** Whether a value is blank, or every entry of a list. */
const isBlank = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(typeof value === 'string' && cleanInput(value) === '') ||
	(Array.isArray(value) && value.every(isBlank));

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/**
 * Reads a field that means "all", or something else, when it is empty. An expression without a result
 * does not count as an empty field: if a delete follows the list, that accident would delete everything.
 *
 * An empty text comes from a person who left the field empty, or from a model that fills it in.
 * Whitespace that was typed means the same. Whitespace from an expression is what remains of ` {{
 * $json.missing }}`, for which n8n writes nothing.
 *
 * @returns undefined when the field was left empty
 * @throws {ValidationError} when the field has no value although it was not left empty
 */
export function readOptional<T>({
	label,
	value,
	saved,
	type,
	emptyMeans = 'all',
	parse,
}: OptionalField<T>): T | undefined {
	if (value === '') return undefined;
	const parsed = isBlank(value) ? undefined : parse(label, value);
	// ` , ` leaves an empty list.
	if (parsed !== undefined && !isEmptyList(parsed)) return parsed;
	// A multiple choice that was added without choosing anything is saved as an empty list.
	const maybeLeft = typeof value === 'string' || (type === 'multiOptions' && isEmptyList(value));
	if (maybeLeft && !isExpression(saved())) return undefined;
	throw validationError(
		`The expression in ${label} returns no value`,
		`It returned ${describeValue(value)}, which may be unintended. Change the expression. To mean "${emptyMeans}", leave ${label} empty or return an empty string.`,
	);
}
