import type { INodeProperties } from 'n8n-workflow';

import { validationError } from '../transport/errors/activepiecesError';
import { isRecord } from '../transport/values/isRecord';
import type { ParameterReader } from './parameters';

/** The fields that an Update changes: those that a person adds. */
export const updateFields = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	options,
});

/**
 * Reads what is to be changed. A field that was added and has no value is not one that was left out: its reader
 * says what it means.
 *
 * @param readers by the names of the fields; each throws for a value that cannot be used
 * @param fields their display names
 * @throws {ValidationError} when nothing is to be changed, or when a value cannot be used
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
