import type { Resource } from '../operation';
import { remove } from './delete';
import { templateLocator } from './flowTemplate';
import { getAll } from './getAll';

export const flowTemplate: Resource = {
	name: 'Flow Template',
	value: 'flowTemplate',
	locators: [templateLocator],
	operations: [getAll, remove],
};
