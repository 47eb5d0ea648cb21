import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { Locator } from '../../descriptions/locator';
import { chosenProject, readForEditor } from '../editorList';
import { searchSources } from './searchSources';
import { searchText } from './searchText';

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** The search method behind a locator's From List. */
export function createSearch({ noun, page, firstEntry, sources }: Locator): Search {
	return async function (filter = '', paginationToken) {
		const list = { place: 'locator', noun: `${noun}s` } as const;
		const found = await readForEditor(this, list, async (client) => {
			const lists = await sources(client, chosenProject(this));
			return await searchSources(client, lists, { page, filter, paginationToken });
		});
		const isFirst =
			paginationToken === undefined &&
			firstEntry !== undefined &&
			searchText(firstEntry.name).includes(searchText(filter.trim()));
		return isFirst ? { ...found, results: [firstEntry, ...found.results] } : found;
	};
}
