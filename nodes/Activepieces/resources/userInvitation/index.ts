import type { Resource } from '../operation';
import { deleteOperation } from './delete.operation';
import { getAll } from './getAll.operation';
import { invitationLocator } from './locator';

export const userInvitation: Resource = {
	name: 'User Invitation',
	value: 'userInvitation',
	locators: [invitationLocator],
	operations: [getAll, deleteOperation],
};
