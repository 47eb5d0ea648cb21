import type { Resource } from '../operation';
import { create } from './create';
import { remove } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { update } from './update';

export const tableRecord: Resource = {
	name: 'Table Record',
	value: 'tableRecord',
	operations: [getAll, get, create, update, remove],
};
