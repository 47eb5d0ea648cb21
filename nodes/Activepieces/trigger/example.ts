import type { IDataObject } from 'n8n-workflow';

import { fillProjectNames } from '../resources/builders';
import { commonReason } from '../transport/error';
import type { EventContext } from './event';
import type { ListQuery, ListsRead } from './lists';
import type { TriggerItem } from './oldestItems';

type Example = Pick<TriggerItem, 'time' | 'json'>;

/**
 * The newest record, for Fetch Test Event; undefined when there is none.
 *
 * @param limit number of records of all lists together to choose from
 * @param toExample returns undefined for a record that is no example; `isFiltered` if there may be such
 * @throws {ActivepiecesError} when there is none in the lists that can be read, and others cannot be read
 */
export async function fetchExample(
	{ client }: EventContext,
	readRecords: (query: ListQuery) => Promise<ListsRead>,
	limit: number,
	toExample: (record: IDataObject, list: string) => Example | undefined,
	isFiltered = false,
): Promise<IDataObject | undefined> {
	let missing = limit;
	let newest: Example | undefined;
	const { unread } = await readRecords({
		wanted: () => (isFiltered && missing > 0 ? Infinity : missing),
		take(record, list) {
			const example = toExample(record, list);
			if (example === undefined) return;
			missing--;
			if (newest === undefined || example.time > newest.time) newest = example;
		},
	});
	if (newest === undefined) {
		if (unread.length > 0) throw commonReason(unread.map(({ reason }) => reason));
		return undefined;
	}
	await fillProjectNames(client, [newest.json]);
	return newest.json;
}
