import type { Resource } from '../operation';
import { getAll } from './getAll';

export const globalConnection: Resource = {
	name: 'Global Connection',
	value: 'globalConnection',
	operations: [getAll],
};
