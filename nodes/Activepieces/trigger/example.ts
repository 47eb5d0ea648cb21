import type { IDataObject } from 'n8n-workflow';

import { fillProjectNames } from '../resources/project/projectNames';
import { ActivepiecesError, commonReason, type UserMessage } from '../transport/errors/error';
import type { EventContext, TriggerEvent } from './event';
import type { ListQuery, ListsRead } from './lists';
import type { TriggerItem } from './oldestItems';

type Example = Pick<TriggerItem, 'time' | 'json'>;

/** An event that reads lists. Its fields are those that decide what is read. */
export interface ListEvent extends Omit<TriggerEvent, 'poll' | 'example'> {
	/** Number of records of all lists together, the newest of which is the example; by default 1 */
	exampleLimit?: number;
	noExample: UserMessage;
}

/** @param toExample returns undefined for a record that is no example; `isFiltered` if there may be such */
export async function fetchExample(
	context: EventContext,
	{ exampleLimit = 1, noExample }: ListEvent,
	readRecords: (query: ListQuery) => Promise<ListsRead>,
	toExample: (record: IDataObject, list: string) => Example | undefined,
	isFiltered = false,
): Promise<IDataObject> {
	let missing = exampleLimit;
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
		throw new ActivepiecesError(noExample);
	}
	await fillProjectNames(context.client, [newest.json]);
	return newest.json;
}
