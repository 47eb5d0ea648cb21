import type { Resource } from '../resource';
import { getAll } from './getAll.operation';

export const globalConnection: Resource = {
	name: 'Global Connection',
	value: 'globalConnection',
	operations: [getAll],
};
