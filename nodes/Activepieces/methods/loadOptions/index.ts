import type { ILoadOptionsFunctions, INodePropertyOptions, INodeType } from 'n8n-workflow';

import type { OptionList } from '../../descriptions/locator';
import { resources } from '../../resources';
import { limits } from '../../transport/limits';
import { chosenProject, readForEditor } from '../editorList';
import { searchSources } from '../listSearch/searchSources';

type Load = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/**
 * Makes the method that loads the list of a field with several records. n8n searches such a list itself
 * and cannot scroll it, so all of it is returned at once, as far as it can be read in time.
 */
const createLoad = ({ noun, sources }: OptionList): Load =>
	async function () {
		const { results } = await readForEditor(this, { place: 'optionList', noun }, async (client) => {
			const lists = await sources(client, chosenProject(this));
			return await searchSources(client, lists, {
				bounds: {
					entries: limits.optionEntries,
					pageSize: limits.optionPageSize,
					maxElapsedMs: (entries) => (entries === 0 ? Infinity : limits.locatorShortListMs),
				},
			});
		});
		return results
			.slice(0, limits.optionEntries)
			.map(({ name, value }) => ({ name, value }))
			.sort((a, b) => a.name.localeCompare(b.name, 'en'));
	};

const optionLists = resources.flatMap((resource) => resource.optionLists ?? []);

/** The methods by the names that the fields refer to. */
export const loadOptions: NonNullable<NonNullable<INodeType['methods']>['loadOptions']> =
	Object.fromEntries(optionLists.map((list) => [list.loadMethod, createLoad(list)]));
