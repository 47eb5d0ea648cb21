import type { OperationContext } from '../../execution/operationContext';
import { validationError } from '../../transport/errors/activepiecesError';
import { describeValue } from '../../transport/values/describeValue';

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** What JSON cannot hold, in words; nothing for what it can. */
function unfitFor(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
	return typeof value === 'symbol' || typeof value === 'function' ? `a ${typeof value}` : undefined;
}

/**
 * A value as JSON. What is `undefined` is left out, as n8n does when it stores an item.
 *
 * @returns nothing when it cannot be written, and why, if that is known
 */
function writeJson(value: unknown): { json?: string; unfit?: string } {
	let unfit: string | undefined;
	try {
		// JavaScript itself would write null for a number that is none, and leave the others out.
		const json = JSON.stringify(value, (_name, each: unknown) => {
			unfit ??= unfitFor(each);
			return unfit === undefined ? each : null;
		});
		return { json, unfit };
	} catch {
		return { unfit };
	}
}

/** What Input is when nobody changes it */
export const WHOLE_ITEM = '={{ $json }}';

/** What n8n gives for Input. Its sandbox takes longer to hand out a whole item than all else that a call needs. */
function inputOf({ getParameter, json }: InputReader): unknown {
	const isWholeItem = getParameter('input', '', { rawExpressions: true }) === WHOLE_ITEM;
	return isWholeItem && json !== undefined ? json : getParameter('input', '');
}

type InputReader = Pick<OperationContext, 'getParameter' | 'json'>;

/**
 * The input of the flow as JSON. An expression gives any value. What is typed is JSON as text, and is sent as
 * it stands: JSON has numbers that JavaScript would round.
 *
 * @throws {ValidationError} when it is none
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
			? 'Input cannot be written as JSON'
			: `Input contains ${unfit}, which JSON cannot hold`,
		'Change the expression in Input.',
	);
}
