import type { IDataObject } from 'n8n-workflow';

import type { Session } from '../transport/session';
import type { Shape } from './shape';

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
 * The named fields of each record, under the names as given. A field of the simplified record comes
 * before one of the raw record; where a path leads nowhere the value is null.
 *
 * A name that no record has is a slip: told, since an agent would take null for a fact. A path is not
 * judged, because some records lack what it leads to, such as the schedule of a flow.
 *
 * @param shorten makes the simplified record
 */
export function selectFields(
	session: Session,
	names: string[],
	shorten: (record: IDataObject) => IDataObject,
): Shape {
	const simplified = Object.keys(shorten({}));
	/** Names that no record had so far */
	const unknown = new Set(
		names.filter((name) => !name.includes('.') && !simplified.includes(name)),
	);
	return {
		keep(record) {
			for (const name of unknown) if (Object.hasOwn(record, name)) unknown.delete(name);
			const short = shorten(record);
			return Object.fromEntries(
				names.map((name) => [
					name,
					Object.hasOwn(short, name) ? short[name] : valueAt(record, name),
				]),
			) as IDataObject;
		},
		whole(records) {
			const [slip] = unknown;
			if (slip === undefined || records.length === 0) return records;
			throw session.refusal(
				`No record has the field "${slip}"`,
				`Change Fields. Simplified has ${simplified.join(', ')}. Fields of the raw record work as well, also as paths such as version.state.`,
			);
		},
	};
}
