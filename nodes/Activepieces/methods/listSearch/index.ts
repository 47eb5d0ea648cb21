import type { INodeType } from 'n8n-workflow';

import { resources } from '../../resources';
import { createSearch } from './search';

const locators = resources.flatMap((resource) => resource.locators ?? []);

/** The searches under the names by which the locators' fields call them. */
export const listSearch: NonNullable<NonNullable<INodeType['methods']>['listSearch']> =
	Object.fromEntries(locators.map((locator) => [locator.searchMethod, createSearch(locator)]));
