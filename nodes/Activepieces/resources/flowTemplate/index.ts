import type { Resource } from '../operation';
import { create } from './create';
import { remove } from './delete';
import { templateLocator } from './flowTemplate';
import { get } from './get';
import { getAll } from './getAll';

export const flowTemplate: Resource = {
	name: 'Flow Template',
	value: 'flowTemplate',
	locators: [templateLocator],
	operations: [getAll, get, create, remove],
};
