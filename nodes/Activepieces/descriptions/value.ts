import { type IExecutePaginationFunctions, NodeOperationError } from 'n8n-workflow';

/** Makes the error for a value that a field cannot have; it is thrown before anything is sent. */
function unusable(
	context: IExecutePaginationFunctions,
	label: string,
	expected: string,
	value: unknown,
): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		`${label} must be ${expected}, not "${String(value)}"`,
		{ description: `Change ${label}. Nothing was sent.` },
	);
}

/** Reads a switch. An expression may give it as text; anything but true and false is refused. */
export function readFlag(
	context: IExecutePaginationFunctions,
	label: string,
	name: string,
	fallback: boolean,
): boolean {
	const value = context.getNodeParameter(name, fallback);
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw unusable(context, label, 'true or false', value);
}

/** Reads a number of things. An expression may give it as text; what counts nothing is refused. */
export function readCount(
	context: IExecutePaginationFunctions,
	label: string,
	name: string,
	fallback: number,
): number {
	const value = context.getNodeParameter(name, fallback);
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isInteger(number) && number >= 1) return number;
	throw unusable(context, label, 'a whole number of 1 or more', value);
}

/** Reads a choice among a few values. An expression, or an agent, may give anything. */
export function readChoice<Choice extends string>(
	context: IExecutePaginationFunctions,
	label: string,
	name: string,
	choices: readonly Choice[],
	fallback: Choice,
): Choice {
	const value = context.getNodeParameter(name, fallback);
	const choice = choices.find((each) => each === value);
	if (choice !== undefined) return choice;
	throw unusable(context, label, `one of ${choices.join(', ')}`, value);
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
