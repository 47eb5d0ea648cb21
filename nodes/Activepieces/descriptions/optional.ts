import type { INodeProperties } from 'n8n-workflow';

import { validationError } from '../transport/errors/activepiecesError';
import { cleanInput } from '../transport/values/cleanInput';
import { describeValue } from '../transport/values/describeValue';

/** Whether what a workflow holds for a field is an expression, as n8n writes them. */
const isExpression = (saved: unknown): boolean =>
	typeof saved === 'string' && saved.startsWith('=');

/** A field that may be left empty, and what it has for the item. */
export interface OptionalField<T> {
	label: string;
	value: unknown;
	/** What the workflow holds for it */
	saved: () => unknown;
	type?: INodeProperties['type'];
	/** What an empty field means, for messages; by default all */
	emptyMeans?: string;
	/** Makes of a value that is not blank what is used; an empty list of one with nothing in it */
	parse: (label: string, value: unknown) => T;
}

/** Whether nothing stands in a value, or in any part of a list. */
const isBlank = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(typeof value === 'string' && cleanInput(value) === '') ||
	(Array.isArray(value) && value.every(isBlank));

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/**
 * Reads a field that means all, or another thing, when it is left empty. Nothing that an expression gives is not an empty
 * field: with a delete behind the list, the accident would take away everything.
 *
 * An empty text is what a person leaves, and a model that fills the field. Space alone is the same when it
 * was typed; of an expression it is the rest of ` {{ $json.missing }}`, in which n8n writes nothing.
 *
 * @returns nothing when the field was left empty
 * @throws {ValidationError} when it has no value although it was not left empty
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
	// What is left of ` , ` is an empty list.
	if (parsed !== undefined && !isEmptyList(parsed)) return parsed;
	// A choice of several that was added and not made is saved as an empty list.
	const maybeLeft = typeof value === 'string' || (type === 'multiOptions' && isEmptyList(value));
	if (maybeLeft && !isExpression(saved())) return undefined;
	throw validationError(
		`The expression in ${label} returns no value`,
		`Its result is ${describeValue(value)}. This may be unintended, so the node does not treat it as ${emptyMeans}. Change the expression, or leave ${label} empty (an empty text) for ${emptyMeans}.`,
	);
}
