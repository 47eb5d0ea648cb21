import type { OperationContext } from '../execution/operationContext';
import { validationError } from '../transport/errors/activepiecesError';

type ParameterReader = Pick<OperationContext, 'getParameter'>;

/** The error for a value that a field cannot have. */
const parameterError = (label: string, expected: string, value: unknown) =>
	validationError(`${label} must be ${expected}, not "${String(value)}"`, `Change ${label}.`);

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
 * A number of things. An expression may give it as text.
 *
 * @throws {ValidationError} for anything that counts nothing
 */
export function toPositiveInteger(label: string, value: unknown): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isInteger(number) && number >= 1) return number;
	throw parameterError(label, 'a whole number of 1 or more', value);
}

/** Reads a number of things: see `toPositiveInteger`. */
export function getPositiveInteger(
	{ getParameter }: ParameterReader,
	label: string,
	name: string,
	fallback: number,
): number {
	return toPositiveInteger(label, getParameter(name, fallback));
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
 * `a, b` as `['a', 'b']`. A list from an expression is taken as it is, so that values may hold
 * commas; what is not set in it is left out.
 */
export function splitList(value: unknown): string[] {
	const values: unknown[] = Array.isArray(value) ? value : String(value ?? '').split(',');
	return values
		.filter((each) => each !== undefined && each !== null)
		.map((each) => String(each).trim())
		.filter((each) => each !== '');
}
