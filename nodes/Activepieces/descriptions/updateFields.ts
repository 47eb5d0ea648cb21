import type { INodeProperties } from 'n8n-workflow';

import type { FieldReader } from '../execution/fieldReader';
import { validationError } from '../transport/errors/error';
import { isRecord } from '../transport/values';
import { collectionField } from './fields';

/** The fields that an Update can change. Only fields that a person adds are changed. */
export const updateFields = (options: INodeProperties[]): INodeProperties =>
	collectionField('Update Fields', 'updateFields', 'Add field', options);

/** A field that was added without a value is not treated as left out: its reader decides what that means. */
export function getUpdate<Update extends object>(
	fields: FieldReader,
	readers: { [Name in keyof Update]: (value: unknown) => Update[Name] },
	names: string,
): Partial<Update> {
	const given = fields.get('updateFields', {});
	const values = isRecord(given) ? given : {};
	const update = Object.entries<(value: unknown) => unknown>(readers)
		.filter(([name]) => Object.hasOwn(values, name))
		.map(([name, read]) => [name, read(values[name])]);
	if (update.length > 0) return Object.fromEntries(update) as Partial<Update>;
	throw validationError('Update Fields is empty', `Add ${names}.`);
}
