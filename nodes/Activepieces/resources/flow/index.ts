import type { Resource } from '../operation';
import { getAll } from './getAll.operation';

export const flow: Resource = {
	name: 'Flow',
	value: 'flow',
	operations: [getAll],
};
