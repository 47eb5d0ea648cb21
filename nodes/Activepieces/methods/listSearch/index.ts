import type { INodeType } from 'n8n-workflow';

import { resources } from '../../resources';
import { createSearch } from './search';

const locators = resources.flatMap((resource) => resource.locators ?? []);

/** The searches by the names that the locators' fields refer to. */
export const listSearch: NonNullable<NonNullable<INodeType['methods']>['listSearch']> =
	Object.fromEntries(locators.map((locator) => [locator.searchMethod, createSearch(locator)]));
