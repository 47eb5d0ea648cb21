import type { Resource } from '../operation';
import { remove } from './delete';
import { getAll } from './getAll';
import { globalConnectionLocator } from './globalConnection';
import { projectOptions } from './projects';
import { update } from './update';
import { upsert } from './upsert';

export const globalConnection: Resource = {
	name: 'Global Connection',
	value: 'globalConnection',
	locators: [globalConnectionLocator],
	optionLists: [projectOptions],
	operations: [getAll, upsert, update, remove],
};
