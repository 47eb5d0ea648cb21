import type { Resource } from '../operation';
import { create } from './create';
import { remove } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { update } from './update';
import { upsert } from './upsert';

export const tableRecord: Resource = {
	name: 'Table Record',
	value: 'tableRecord',
	operations: [getAll, get, create, upsert, update, remove],
};
