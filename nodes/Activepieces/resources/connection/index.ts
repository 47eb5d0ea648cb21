import type { Resource } from '../operation';
import { deleteOperation } from './delete.operation';
import { getAll } from './getAll.operation';
import { connectionLocator } from './connection';

export const connection: Resource = {
	name: 'Connection',
	value: 'connection',
	locators: [connectionLocator],
	operations: [getAll, deleteOperation],
};
