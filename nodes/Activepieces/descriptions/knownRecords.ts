/** What identifies the records of a list: by it one is found that an item, or a file, names. */
import type { IDataObject } from 'n8n-workflow';

import { toId } from '../transport/ids';
import { comparable } from '../transport/names';
import { textOf } from '../transport/values';
import type { Locator } from './locator';

/** The records themselves, such as flows with their steps, are not kept. */
export interface KnownRecord {
	id: string;
	/** As it is compared */
	name: string;
	externalIds: string[];
}

export const identify = (
	record: IDataObject,
	{ byName, byExternalId }: Pick<Locator, 'byName' | 'byExternalId'>,
): KnownRecord => ({
	id: toId(record.id) ?? '',
	name: comparable(byName?.(record)),
	externalIds: (byExternalId?.(record) ?? []).map(textOf),
});

type KeyMode = 'id' | 'name' | 'externalId';

export const KEY_WORDS: Record<KeyMode, string> = {
	id: 'ID',
	name: 'name',
	externalId: 'external ID',
};

export interface RecordKey<Mode extends KeyMode = KeyMode> {
	mode: Mode;
	text: string;
}

/** The records with a key; names are compared in any letter case. */
export function withKey<R extends KnownRecord>(records: R[], { mode, text }: RecordKey): R[] {
	if (mode === 'id') return records.filter(({ id }) => id === text);
	if (mode === 'externalId') {
		return records.filter(({ externalIds }) => externalIds.includes(text));
	}
	const name = comparable(text);
	return records.filter((each) => each.name === name);
}
