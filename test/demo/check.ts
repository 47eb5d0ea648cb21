import type { IDataObject } from 'n8n-workflow';

/** Something came out otherwise than it should, told in one line. */
export class Deviation extends Error {}

const brief = (value: unknown): string => {
	const text = JSON.stringify(value) ?? 'nothing';
	return text.length > 120 ? `${text.slice(0, 120)}…` : text;
};

/** @throws Deviation when `condition` is false */
export function holds(what: string, condition: boolean): void {
	if (!condition) throw new Deviation(what);
}

/** JSON in which the order of an object's fields does not matter. */
const canonical = (value: unknown): string | undefined =>
	JSON.stringify(value, (_key, each: unknown) =>
		typeof each === 'object' && each !== null && !Array.isArray(each)
			? Object.fromEntries(Object.entries(each).sort())
			: each,
	);

/** @throws Deviation when the two differ as JSON */
export function same(what: string, actual: unknown, wanted: unknown): void {
	if (canonical(actual) === canonical(wanted)) return;
	throw new Deviation(`${what}: ${brief(actual)} instead of ${brief(wanted)}`);
}

/**
 * Compares what the node gave with what the service holds: each record once, none else, in any order.
 * @param pick gives, for a record of the service, the fields that its item must have with these values
 * @throws Deviation at the first difference
 */
export function sameRecords<Row extends { id: string }>(
	what: string,
	items: IDataObject[],
	rows: Row[],
	pick: (row: Row) => IDataObject,
): void {
	same(`Number of ${what}`, items.length, rows.length);
	const given = new Map(items.map((item) => [item.id, item]));
	same(`Number of different ${what}`, given.size, rows.length);
	for (const row of rows) {
		const item = given.get(row.id);
		if (item === undefined) throw new Deviation(`${row.id} is missing among the ${what}`);
		for (const [field, value] of Object.entries(pick(row))) {
			same(`${field} of ${row.id} among the ${what}`, item[field], value);
		}
	}
}
