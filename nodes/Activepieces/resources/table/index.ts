import type { Resource } from '../operation';
import { clear } from './clear';
import { create } from './create';
import { remove } from './delete';
import { getAll } from './getAll';
import { tableLocator } from './table';

export const table: Resource = {
	name: 'Table',
	value: 'table',
	locators: [tableLocator],
	operations: [getAll, create, clear, remove],
};
