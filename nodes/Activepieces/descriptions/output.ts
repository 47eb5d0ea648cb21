import type { INodeProperties } from 'n8n-workflow';

import type { OperationContext } from '../execution/operationContext';
import { validationError } from '../transport/errors/activepiecesError';
import { limits } from '../transport/limits';
import { type OutputMode, raw, selectedFields, type Simplify, simplified } from './outputMode';
import { getBoolean, getOption, splitList } from './parameters';

const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	displayOptions: { hide: { '@tool': [true] } },
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** What takes the place of Simplify where the node is a tool: an agent pays for every field it reads. */
const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The most useful fields of the record',
		},
		{
			name: 'Raw',
			value: 'raw',
			description: 'The record as Activepieces returns it',
		},
		{
			name: 'Selected Fields',
			value: 'selectedFields',
			description: 'Only the fields that you enter',
		},
	],
	default: 'simplified',
	displayOptions: { show: { '@tool': [true] } },
	description: 'Which fields of each record to return to the agent',
};

const fields: INodeProperties = {
	displayName: 'Fields',
	name: 'fields',
	type: 'string',
	// Not required: n8n would ask for it whatever an Output from an expression turns out to be.
	default: '',
	placeholder: 'e.g. name, status, version.trigger.displayName',
	displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
	description:
		'Comma-separated names of simplified fields, or paths in the raw record. A path that a record lacks returns null. A name that no record has is refused.',
};

/** How records come out: Simplify, or Output where the node is a tool of an agent. */
export const outputFields: INodeProperties[] = [simplify, output, fields];

/**
 * How the item wants its records: as they are, simplified by the operation's own function, or with
 * certain fields only.
 *
 * @throws {ValidationError} when Output, Fields or Simplify cannot be used
 */
export function getOutputMode(
	context: Pick<OperationContext, 'client' | 'getParameter'>,
	simplifyRecord: Simplify,
): OutputMode {
	const simplifyHere: Simplify = (record) => simplifyRecord(record, context.client);
	const options = ['simplified', 'raw', 'selectedFields'] as const;
	const option = getOption(context, 'Output', 'output', options, 'simplified');
	if (option === 'raw') return raw;
	if (option === 'simplified') {
		return getBoolean(context, 'Simplify', 'simplify', true) ? simplified(simplifyHere) : raw;
	}
	const names = splitList('Fields', context.getParameter('fields', ''));
	if (names.length === 0) {
		throw validationError(
			'Fields is empty',
			'Enter the fields to return, or choose another Output.',
		);
	}
	if (names.length > limits.maxFields) {
		throw validationError(
			`Fields has ${names.length} names, more than ${limits.maxFields}`,
			'Enter fewer fields, or set Output to Raw.',
		);
	}
	return selectedFields(names, simplifyHere);
}
