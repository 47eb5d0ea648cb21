import type { INodeProperties } from 'n8n-workflow';

import { validationError } from '../transport/errors/activepiecesError';
import { isRecord } from '../transport/values/isRecord';
import type { ParameterReader } from './parameters';

/** The fields that an Update can change. Only fields that a person adds are changed. */
export const updateFields = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	options,
});

/**
 * Reads the changes. A field that was added without a value is not treated as left out: its reader
 * decides what that means.
 *
 * @param readers by field name; each throws for a value that cannot be used
 * @param fields display names
 * @throws {ValidationError} when there is no change, or when a value cannot be used
 */
export function getUpdate<Update extends object>(
	{ getParameter }: ParameterReader,
	readers: { [Name in keyof Update]: (value: unknown) => Update[Name] },
	fields: string,
): Partial<Update> {
	const given = getParameter('updateFields', {});
	const values = isRecord(given) ? given : {};
	const update = Object.entries<(value: unknown) => unknown>(readers)
		.filter(([name]) => Object.hasOwn(values, name))
		.map(([name, read]) => [name, read(values[name])]);
	if (update.length > 0) return Object.fromEntries(update) as Partial<Update>;
	throw validationError('Update Fields is empty', `Add ${fields}.`);
}
