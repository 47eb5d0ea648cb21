import type { IDataObject } from 'n8n-workflow';

import type { Session } from '../transport/session';

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
 * A name that no record has is a slip: told, since an agent would take null for a fact. A path is not
 * judged, because some records lack what it leads to, such as the schedule of a flow.
 */
function refuseUnknown(
	session: Session,
	records: IDataObject[],
	names: string[],
	simplified: string[],
) {
	const unknown = names.find(
		(name) =>
			!name.includes('.') &&
			!simplified.includes(name) &&
			!records.some((record) => Object.hasOwn(record, name)),
	);
	if (unknown === undefined || records.length === 0) return;
	throw session.refusal(
		`No record has the field "${unknown}"`,
		`Change Fields. Simplified has ${simplified.join(', ')}. Fields of the raw record work as well, also as paths such as version.state.`,
	);
}

/**
 * The named fields of each record, under the names as given. A field of the simplified record comes
 * before one of the raw record; where a path leads nowhere the value is null.
 *
 * @param shorten makes the simplified record
 * @throws {NodeOperationError} when no record has a field of that name
 */
export function selectFields(
	session: Session,
	records: IDataObject[],
	names: string[],
	shorten: (record: IDataObject) => IDataObject,
): IDataObject[] {
	refuseUnknown(session, records, names, Object.keys(shorten({})));
	return records.map((record) => {
		const simplified = shorten(record);
		return Object.fromEntries(
			names.map((name) => [
				name,
				Object.hasOwn(simplified, name) ? simplified[name] : valueAt(record, name),
			]),
		) as IDataObject;
	});
}
