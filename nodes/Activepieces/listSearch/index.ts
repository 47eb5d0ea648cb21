import type { Locator } from '../descriptions/locator';
import { folderLocator } from './folders';
import { invitationLocator } from './invitations';
import { projectLocator } from './projects';
import { templateLocator } from './templates';

const locators: Locator[] = [folderLocator, invitationLocator, projectLocator, templateLocator];

/** The searches under the names by which the locators' fields call them. */
export const listSearch: Record<string, Locator['search']> = Object.fromEntries(
	locators.map(({ searchMethod, search }) => [searchMethod, search]),
);
