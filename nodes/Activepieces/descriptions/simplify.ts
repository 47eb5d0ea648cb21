import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Work } from '../transport/perItem';

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Applies an operation's own simplification when the item asks for it. */
export function simplified(
	{ context }: Work,
	records: IDataObject[],
	shorten: (record: IDataObject) => IDataObject,
): IDataObject[] {
	return context.getNodeParameter('simplify', true) === true ? records.map(shorten) : records;
}
