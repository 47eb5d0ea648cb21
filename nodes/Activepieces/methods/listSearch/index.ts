import type { INodeType } from 'n8n-workflow';

import type { Locator } from '../../descriptions/locator';
import { flowLocator } from '../../resources/flow/locator';
import { flowRunLocator } from '../../resources/flowRun/locator';
import { templateLocator } from '../../resources/flowTemplate/locator';
import { folderLocator } from '../../resources/folder/locator';
import { projectLocator } from '../../resources/project/locator';
import { invitationLocator } from '../../resources/userInvitation/locator';
import { createSearch } from './search';

const locators: Locator[] = [
	flowLocator,
	flowRunLocator,
	folderLocator,
	invitationLocator,
	projectLocator,
	templateLocator,
];

/** The searches under the names by which the locators' fields call them. */
export const listSearch: NonNullable<NonNullable<INodeType['methods']>['listSearch']> =
	Object.fromEntries(locators.map((locator) => [locator.searchMethod, createSearch(locator)]));
