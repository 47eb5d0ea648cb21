import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../transport/client';
import { ValidationError } from '../transport/errors/activepiecesError';

/** What a simplified record has from beside the record: the address of its page, its project's name. */
export type RecordSource = Pick<ApiClient, 'baseUrl' | 'projectNames'>;

/** Makes of a record the fields that a person looks at; of an empty record, the fields' names. */
export type Simplify = (record: IDataObject, source?: RecordSource) => IDataObject;

/** How the records of a list come out. */
export interface OutputMode {
	/** Makes of a record what is kept of it, as its page comes in */
	transform: (record: IDataObject) => IDataObject;
	/**
	 * Looks at the list when it is complete, and gives it.
	 *
	 * @throws {ValidationError} when a field was asked for that no record has
	 */
	finish: (records: IDataObject[]) => IDataObject[];
	/** Whether a field of the simplified record comes out */
	has: (field: string) => boolean;
}

export const raw: OutputMode = {
	transform: (record) => record,
	finish: (records) => records,
	has: () => false,
};

export const simplified = (simplify: Simplify): OutputMode => ({
	...raw,
	transform: (record) => simplify(record),
	has: (field) => Object.hasOwn(simplify({}), field),
});

/** The value at a path such as `version.trigger.type`; null where the record has none. */
function valueAt(record: IDataObject, path: string): unknown {
	let value: unknown = record;
	for (const key of path.split('.')) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
		value = (value as IDataObject)[key];
	}
	return value;
}

/**
 * The id and the named fields of each record, under the names as given. A field of the simplified record
 * comes before one of the raw record; where a path leads nowhere the value is null.
 *
 * An unknown field is refused: an agent would take null for a fact. A path is not judged,
 * because some records lack what it leads to, such as the schedule of a flow.
 */
export function selectedFields(names: string[], simplify: Simplify): OutputMode {
	const simplifiedNames = Object.keys(simplify({}));
	const unseen = new Set(
		names.filter((name) => !name.includes('.') && !simplifiedNames.includes(name)),
	);
	return {
		transform(record) {
			for (const name of unseen) if (Object.hasOwn(record, name)) unseen.delete(name);
			const simple = simplify(record);
			const withId = Object.hasOwn(record, 'id') ? ['id', ...names] : names;
			return Object.fromEntries(
				withId.map((name) => [
					name,
					Object.hasOwn(simple, name) ? simple[name] : valueAt(record, name),
				]),
			) as IDataObject;
		},
		has: (field) => names.includes(field),
		finish(records) {
			const [unknownField] = unseen;
			if (unknownField === undefined || records.length === 0) return records;
			throw new ValidationError({
				message: `No record has the field "${unknownField}"`,
				description: `Change Fields. Simplified has ${simplifiedNames.join(', ')}. You can also enter fields of the raw record, including paths such as version.state.`,
			});
		},
	};
}
