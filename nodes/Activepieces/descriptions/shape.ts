import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Work } from '../transport/perItem';
import { selectFields } from './selectFields';
import { readChoice, readFlag, splitList } from './value';

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
			description: 'The fields that a person looks at',
		},
		{
			name: 'Raw',
			value: 'raw',
			description: 'The record as Activepieces sent it',
		},
		{
			name: 'Selected Fields',
			value: 'selectedFields',
			description: 'Only the fields you name',
		},
	],
	default: 'simplified',
	displayOptions: { show: { '@tool': [true] } },
	description: 'How much of each record the agent gets',
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
		'Comma-separated fields as Simplified names them, or paths into the raw record. A path that a record lacks gives null; a name that no record has is refused.',
};

/** How records come out: Simplify, or Output where the node is a tool of an agent. */
export const shapeFields: INodeProperties[] = [simplify, output, fields];

/** How records come out. */
export interface Shape {
	/** Makes of a record what is kept of it */
	keep: (record: IDataObject) => IDataObject;
	/**
	 * Looks at the list when it is whole, and gives it.
	 *
	 * @throws {NodeOperationError} when a field was asked for that no record has
	 */
	whole: (records: IDataObject[]) => IDataObject[];
}

/**
 * How the item wants its records: as they are, shortened by the operation's own function, or with
 * certain fields only.
 *
 * @throws {NodeOperationError} when Output, Fields or Simplify cannot be used; nothing was sent then
 */
export function readShape(
	{ context, session }: Work,
	shorten: (record: IDataObject) => IDataObject,
): Shape {
	const choices = ['simplified', 'raw', 'selectedFields'] as const;
	const choice = readChoice(context, 'Output', 'output', choices, 'simplified');
	if (choice === 'selectedFields') {
		const names = splitList(context.getNodeParameter('fields', ''));
		if (names.length === 0) {
			throw session.refusal(
				'Fields is empty',
				'Enter the fields to return, or choose another Output. Nothing was sent.',
			);
		}
		return selectFields(session, names, shorten);
	}
	const isShort = choice === 'simplified' && readFlag(context, 'Simplify', 'simplify', true);
	return { keep: isShort ? shorten : (record) => record, whole: (records) => records };
}
