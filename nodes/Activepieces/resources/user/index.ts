import type { Resource } from '../operation';
import { get } from './get';
import { getAll } from './getAll';
import { update } from './update';
import { userLocator } from './user';

export const user: Resource = {
	name: 'User',
	value: 'user',
	locators: [userLocator],
	operations: [getAll, get, update],
};
