import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Work } from '../transport/perItem';
import { readFlag } from './value';

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** How the item wants its records: as they are, or shortened by the operation's own function. */
export function readShape(
	{ context }: Work,
	shorten: (record: IDataObject) => IDataObject,
): (records: IDataObject[]) => IDataObject[] {
	return readFlag(context, 'Simplify', 'simplify', true)
		? (records) => records.map(shorten)
		: (records) => records;
}
