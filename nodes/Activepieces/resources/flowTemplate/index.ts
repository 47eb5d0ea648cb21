import type { Resource } from '../operation';
import { getAll } from './getAll.operation';
import { deleteOperation } from './delete.operation';

export const flowTemplate: Resource = {
	name: 'Flow Template',
	value: 'flowTemplate',
	operations: [getAll, deleteOperation],
};
