import type { OperationContext } from '../../execution/item';
import { validationError } from '../../transport/error';
import { describeValue } from '../../transport/values';

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Describes a value that JSON cannot hold; undefined for a value that it can. */
function unfitFor(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
	return typeof value === 'symbol' || typeof value === 'function' ? `a ${typeof value}` : undefined;
}

/**
 * Writes a value as JSON, without values that are `undefined`, as n8n stores an item.
 *
 * @returns no JSON when it cannot be written, with the reason if it is known
 */
function writeJson(value: unknown): { json?: string; unfit?: string } {
	let unfit: string | undefined;
	try {
		// JSON.stringify would write null for NaN and Infinity, and leave out the others.
		const json = JSON.stringify(value, (_name, each: unknown) => {
			unfit ??= unfitFor(each);
			return unfit === undefined ? each : null;
		});
		return { json, unfit };
	} catch {
		return { unfit };
	}
}

/** The default of Input */
export const WHOLE_ITEM = '={{ $json }}';

/** The value of Input. n8n's sandbox takes longer to return a whole item than the rest of a call takes. */
function inputOf(item: InputReader): unknown {
	const { json } = item;
	const isWholeItem = item.raw('input', '') === WHOLE_ITEM;
	return isWholeItem && json !== undefined ? json : item.get('input', '');
}

type InputReader = Pick<OperationContext, 'get' | 'raw' | 'json'>;

/**
 * The input of the flow as JSON. An expression may give any value. Typed JSON is sent unchanged, because
 * it may contain numbers that JavaScript would round.
 *
 * @throws {ValidationError} when the value is not JSON
 */
export function readInput(context: InputReader): string {
	const value = inputOf(context);
	if (value === undefined || value === null || value === '') {
		throw validationError('Input is empty', 'Enter JSON, for example {}.');
	}
	if (typeof value === 'string') {
		if (isJson(value)) return value;
		throw validationError(
			`Input must be JSON, not ${describeValue(value)}`,
			'Change Input. To send text, use an expression such as {{ JSON.stringify($json.text) }}.',
		);
	}
	const { json, unfit } = writeJson(value);
	if (json !== undefined && unfit === undefined) return json;
	throw validationError(
		unfit === undefined
			? 'Input cannot be converted to JSON'
			: `Input contains ${unfit}, which is not valid in JSON`,
		'Change the expression in Input.',
	);
}
