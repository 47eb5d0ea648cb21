import type { OperationContext } from '../execution/operationContext';
import { type ValidationError, validationError } from '../transport/errors/activepiecesError';
import { describeValue } from '../transport/values/describeValue';
import { toId } from '../transport/values/toId';

export type ParameterReader = Pick<OperationContext, 'getParameter'>;

/** The error for a value that a field cannot have. */
const parameterError = (label: string, expected: string, value: unknown): ValidationError =>
	validationError(`${label} must be ${expected}, not ${describeValue(value)}`, `Change ${label}.`);

/**
 * Reads a switch. An expression may give it as text.
 *
 * @throws {ValidationError} for anything but true and false
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
 * A whole number within bounds. An expression may give it as text.
 *
 * @throws {ValidationError} for anything else
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
 * A number of things. An expression may give it as text.
 *
 * @throws {ValidationError} for anything that counts nothing
 */
export const toPositiveInteger = (label: string, value: unknown, max?: number): number =>
	toWholeNumber(label, value, 1, max);

/** Reads a number of things: see `toPositiveInteger`. */
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
 * Reads a choice among a few values. An expression, or an agent, may give anything.
 *
 * @throws {ValidationError} for a value that is not among them
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
 * Text without the space around it, which comes from pasting. An expression may give it as a number.
 *
 * @throws {ValidationError} for anything else
 */
export function toText(label: string, value: unknown): string {
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	if (typeof value === 'string') return value.trim();
	throw parameterError(label, 'text', value);
}

/**
 * The text of an ID.
 *
 * @throws {ValidationError} for what cannot be one
 */
export function toIdText(label: string, value: unknown): string {
	const id = toId(value);
	if (id !== undefined) return id;
	throw validationError(
		`${label} must be ${label.endsWith('s') ? 'IDs' : 'an ID'}, not ${describeValue(value)}`,
		`Change ${label}.`,
	);
}

/**
 * `a, b` as `['a', 'b']`. A list from an expression is taken as it is, so that values may hold
 * commas; what is not set in it is left out.
 *
 * @param toItem reads one of them
 * @throws {ValidationError} for what is no text
 */
export function splitList(label: string, value: unknown, toItem = toText): string[] {
	const values: unknown[] = Array.isArray(value) ? value : toText(label, value ?? '').split(',');
	return values
		.filter((each) => each !== undefined && each !== null)
		.map((each) => toItem(label, each))
		.filter((each) => each !== '');
}
