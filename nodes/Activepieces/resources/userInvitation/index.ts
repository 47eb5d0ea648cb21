import type { Resource } from '../operation';
import { create } from './create';
import { remove } from './delete';
import { getAll } from './getAll';
import { invitationLocator } from './userInvitation';

export const userInvitation: Resource = {
	name: 'User Invitation',
	value: 'userInvitation',
	locators: [invitationLocator],
	operations: [getAll, create, remove],
};
