import type { Resource } from '../operation';
import { getAll } from './getAll.operation';
import { deleteOperation } from './delete.operation';
import { templateLocator } from './locator';

export const flowTemplate: Resource = {
	name: 'Flow Template',
	value: 'flowTemplate',
	locators: [templateLocator],
	operations: [getAll, deleteOperation],
};
