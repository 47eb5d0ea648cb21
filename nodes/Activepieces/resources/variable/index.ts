import type { Resource } from '../operation';
import { remove } from './delete';
import { getAll } from './getAll';
import { upsert } from './upsert';
import { variableLocator } from './variable';

export const variable: Resource = {
	name: 'Variable',
	value: 'variable',
	locators: [variableLocator],
	operations: [getAll, upsert, remove],
};
