import type { IDataObject } from 'n8n-workflow';

import { toText, toWholeNumber, writeJson } from '../../descriptions/parameters';
import type { Fields, OperationContext } from '../../execution/item';
import { validationError } from '../../transport/error';
import { limits } from '../../transport/limits';
import { unended } from '../../transport/text';
import { describeValue, isRecord } from '../../transport/values';

/** What is wrong with a text that is not JSON, as a sentence that names the place; undefined for JSON. */
export function jsonError(text: string): string | undefined {
	try {
		JSON.parse(text);
		return undefined;
	} catch (error) {
		return `${unended((error as Error).message)}.`;
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
		const error = jsonError(value);
		if (error === undefined) return value;
		throw validationError(
			`Input must be JSON, not ${describeValue(value)}`,
			`${error} Change Input. To send text, use an expression such as {{ JSON.stringify($json.text) }}.`,
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

/** The rows of a collection of names and values. A row without a name was not filled in. */
function readPairs(
	fields: Fields,
	label: string,
	name: string,
): Array<[name: string, value: string]> {
	const held = fields.get(`options.${name}`, {});
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

/** The query parameters of the call, in the order of the rows. */
export const readQuery = (context: Fields): Array<[name: string, value: string]> =>
	readPairs(context, 'Query Parameters', 'query');

/** Headers that the node or its HTTP client sets itself */
const RESERVED = ['connection', 'content-length', 'content-type', 'host', 'transfer-encoding'];

/** @throws {ValidationError} for a name or value that HTTP does not allow in a header */
function assertHeader(name: string, value: string): void {
	if (RESERVED.includes(name.toLowerCase())) {
		throw validationError(
			`The node sets the header ${name} itself`,
			'Remove it under Options > Headers. Input is always sent as JSON.',
		);
	}
	const isName = /^[!#$%&'*+.^_`|~\w-]+$/.test(name);
	// Visible ASCII, space, tab, and the characters that Node.js sends as Latin-1.
	if (isName && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return;
	throw validationError(
		isName
			? `The value of the header ${name} has characters that HTTP does not allow`
			: `${describeValue(name)} is not a valid header name`,
		'Change it under Options > Headers.',
	);
}

/** The headers of the call, in lower case: of a header in two spellings the last one counts. */
export function readHeaders(context: Fields): Record<string, string> {
	const headers = readPairs(context, 'Headers', 'headers');
	for (const [name, value] of headers) assertHeader(name, value);
	return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
}

/** How long a person wants to wait, in milliseconds; undefined when the node decides. */
export function readTimeoutMs(fields: Fields): number | undefined {
	const value = fields.get('options.timeoutSeconds', 0);
	if (value === 0 || value === '0') return undefined;
	return toWholeNumber('Timeout (Seconds)', value, { max: limits.maxRunTimeoutSeconds }) * 1000;
}
