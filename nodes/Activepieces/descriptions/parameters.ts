import type { OperationContext } from '../execution/operationContext';
import { type ValidationError, validationError } from '../transport/errors/activepiecesError';
import { describeValue } from '../transport/values/describeValue';
import { toId } from '../transport/values/toId';

export type ParameterReader = Pick<OperationContext, 'getParameter'>;

/** The error for a value that a field cannot have. */
const parameterError = (label: string, expected: string, value: unknown): ValidationError =>
	validationError(`${label} must be ${expected}, not ${describeValue(value)}`, `Change ${label}.`);

/**
 * Reads a boolean. An expression may give it as text.
 *
 * @throws {ValidationError} for any other value
 */
export function getBoolean(
	{ getParameter }: ParameterReader,
	label: string,
	name: string,
	fallback: boolean,
): boolean {
	const value = getParameter(name, fallback);
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw parameterError(label, 'true or false', value);
}

/**
 * Converts a whole number within bounds. An expression may give it as text.
 *
 * @throws {ValidationError} for any other value
 */
export function toWholeNumber(label: string, value: unknown, min: number, max = Infinity): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isInteger(number) || number < min) {
		throw parameterError(label, `a whole number of ${min} or more`, value);
	}
	if (number > max) throw parameterError(label, `a whole number of ${max} or less`, value);
	return number;
}

/**
 * Converts a count. An expression may give it as text.
 *
 * @throws {ValidationError} for a value that is not a count
 */
export const toPositiveInteger = (label: string, value: unknown, max?: number): number =>
	toWholeNumber(label, value, 1, max);

/** Reads a count: see `toPositiveInteger`. */
export function getPositiveInteger(
	{ getParameter }: ParameterReader,
	label: string,
	name: string,
	fallback: number,
	max?: number,
): number {
	return toPositiveInteger(label, getParameter(name, fallback), max);
}

/**
 * Reads one of a few values. An expression or an agent may give any value.
 *
 * @throws {ValidationError} for a value that is not one of them
 */
export function getOption<Option extends string>(
	{ getParameter }: ParameterReader,
	label: string,
	name: string,
	options: readonly Option[],
	fallback: Option,
): Option {
	const value = getParameter(name, fallback);
	const option = options.find((each) => each === value);
	if (option !== undefined) return option;
	throw parameterError(label, `one of ${options.join(', ')}`, value);
}

/**
 * Removes whitespace around a text, which comes from pasting. An expression may give the text as a
 * number.
 *
 * @throws {ValidationError} for any other value
 */
export function toText(label: string, value: unknown): string {
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	if (typeof value === 'string') return value.trim();
	throw parameterError(label, 'text', value);
}

/**
 * Converts the text of an ID.
 *
 * @throws {ValidationError} for a value that cannot be an ID
 */
export function toIdText(label: string, value: unknown): string {
	const id = toId(value);
	if (id !== undefined) return id;
	throw validationError(
		`${label} must contain only IDs, not ${describeValue(value)}`,
		`Change ${label}.`,
	);
}

/**
 * Turns `a, b` into `['a', 'b']`. A list from an expression is kept as it is, so that its values may
 * contain commas; empty entries are removed.
 *
 * @param toItem converts an entry
 * @throws {ValidationError} for a value that is neither text nor a list
 */
export function splitList(label: string, value: unknown, toItem = toText): string[] {
	const values: unknown[] = Array.isArray(value) ? value : toText(label, value ?? '').split(',');
	return values
		.filter((each) => each !== undefined && each !== null)
		.map((each) => toItem(label, each))
		.filter((each) => each !== '');
}
