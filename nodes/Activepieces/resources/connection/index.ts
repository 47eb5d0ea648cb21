import type { Resource } from '../operation';
import { connectionLocator } from './connection';
import { remove } from './delete';
import { getAll } from './getAll';

export const connection: Resource = {
	name: 'Connection',
	value: 'connection',
	locators: [connectionLocator],
	operations: [getAll, remove],
};
