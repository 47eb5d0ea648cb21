import type { Resource } from '../operation';
import { getAll } from './getAll';
import { tableLocator } from './table';

export const table: Resource = {
	name: 'Table',
	value: 'table',
	locators: [tableLocator],
	operations: [getAll],
};
