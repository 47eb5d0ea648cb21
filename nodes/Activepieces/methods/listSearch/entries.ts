import type { IDataObject, INodeListSearchResult } from 'n8n-workflow';

import type { ListSource } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import { limits } from '../../transport/limits';
import { plainText } from '../../transport/text';
import { toId } from '../../transport/values';
import { type LinkedRecord, recordUrl } from '../../transport/recordUrl';
import { searchText } from './searchText';

/** The entries that a search has found, without duplicates. */
export class Entries {
	readonly results: INodeListSearchResult['results'] = [];

	private readonly seen = new Set<string>();

	private readonly wanted: string;

	/** @param page the page that an entry links to, which n8n opens with an arrow */
	constructor(
		private readonly client: ApiClient,
		text: string,
		private readonly page?: LinkedRecord,
	) {
		this.wanted = searchText(text);
	}

	/** Whether a record with this value was seen, even if it did not become an entry. */
	has(value: string): boolean {
		return this.seen.has(value);
	}

	/**
	 * Adds the matching records of a page.
	 *
	 * @returns whether the page had a record that was not seen before
	 */
	add(source: ListSource, records: IDataObject[]): boolean {
		const before = this.seen.size;
		for (const record of records) {
			const value = toId(source.value?.(record) ?? record.id) ?? '';
			if (value === '' || this.seen.has(value)) continue;
			this.seen.add(value);
			const label = source.label(record);
			if (!searchText(`${value} ${label}`).includes(this.wanted)) continue;
			const url = this.page && recordUrl(this.client.baseUrl, this.page, record);
			const name = plainText(label, limits.locatorLabelLength);
			this.results.push({ name, value, ...(url ? { url } : {}) });
		}
		return this.seen.size > before;
	}
}
