import type { IDataObject } from 'n8n-workflow';

import { type ParameterReader, toPositiveInteger, toText } from '../../descriptions/parameters';
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

/** The query of the call; a name that comes twice is sent twice. */
export function readQuery(context: ParameterReader): IDataObject {
	const query = new Map<string, string[]>();
	for (const [name, value] of readPairs(context, 'Query Parameters', 'query')) {
		query.set(name, [...(query.get(name) ?? []), value]);
	}
	return Object.fromEntries(query);
}

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
	return toPositiveInteger('Timeout', value, limits.maxRunTimeoutSeconds) * 1000;
}

/** JSON in its shortest form; nothing for what is none. */
function jsonOf(text: string): string | undefined {
	try {
		return JSON.stringify(JSON.parse(text));
	} catch {
		return undefined;
	}
}

/**
 * The input of the flow as JSON. An expression gives any value; what is typed is JSON as text.
 *
 * @throws {ValidationError} when it is none
 */
export function readInput({ getParameter }: ParameterReader): string {
	const value = getParameter('input', '');
	if (value === undefined || value === null || value === '') {
		throw validationError('Input is empty', 'Enter JSON, for example {}.');
	}
	if (typeof value !== 'string') return JSON.stringify(value);
	const json = jsonOf(value);
	if (json !== undefined) return json;
	throw validationError(
		`Input must be JSON, not ${describeValue(value)}`,
		'Change Input. For a text, use an expression such as {{ JSON.stringify($json.text) }}.',
	);
}
