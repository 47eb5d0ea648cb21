import type { IDataObject } from 'n8n-workflow';

import { type ParameterReader, toPositiveInteger, toText } from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/operationContext';
import { describeValue } from '../../transport/describeValue';
import { validationError } from '../../transport/errors/activepiecesError';
import { isRecord } from '../../transport/isRecord';
import { limits } from '../../transport/limits';

/** The rows of a collection of names and values. A row without a name is one that was not filled in. */
function readPairs(
	{ getParameter }: ParameterReader,
	label: string,
	name: string,
): Array<[name: string, value: string]> {
	const held = getParameter(`options.${name}`, {});
	const rows = isRecord(held) && Array.isArray(held.values) ? (held.values as unknown[]) : [];
	return rows
		.map((row): IDataObject => (isRecord(row) ? row : {}))
		.map((row): [string, string] => [
			toText(`${label} > Name`, row.name ?? ''),
			typeof row.value === 'boolean'
				? String(row.value)
				: toText(`${label} > Value`, row.value ?? ''),
		])
		.filter(([each]) => each !== '');
}

/** The query of the call, in the order of the rows. */
export const readQuery = (context: ParameterReader): Array<[name: string, value: string]> =>
	readPairs(context, 'Query Parameters', 'query');

/** What the node or its HTTP client sets itself */
const RESERVED = ['connection', 'content-length', 'content-type', 'host', 'transfer-encoding'];

/** @throws {ValidationError} for what HTTP does not take as a header */
function assertHeader(name: string, value: string): void {
	if (RESERVED.includes(name.toLowerCase())) {
		throw validationError(
			`The node sets the header ${name} itself`,
			'Remove it under Options > Headers. Input is always sent as JSON.',
		);
	}
	const isName = /^[!#$%&'*+.^_`|~\w-]+$/.test(name);
	// Visible ASCII, space and tab, and what Node.js sends as Latin-1.
	if (isName && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return;
	throw validationError(
		isName
			? `The value of the header ${name} has characters that HTTP does not allow`
			: `${describeValue(name)} is not the name of a header`,
		'Change it under Options > Headers.',
	);
}

/** The headers of the call. */
export function readHeaders(context: ParameterReader): Record<string, string> {
	const headers = readPairs(context, 'Headers', 'headers');
	for (const [name, value] of headers) assertHeader(name, value);
	return Object.fromEntries(headers);
}

/** How long a person wants to wait, in milliseconds; nothing when that is left to the node. */
export function readTimeoutMs({ getParameter }: ParameterReader): number | undefined {
	const value = getParameter('options.timeoutSeconds', 0);
	if (value === 0 || value === '0') return undefined;
	return toPositiveInteger('Timeout (Seconds)', value, limits.maxRunTimeoutSeconds) * 1000;
}

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
