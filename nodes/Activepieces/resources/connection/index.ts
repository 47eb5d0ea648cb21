import type { Resource } from '../operation';
import { getAll } from './getAll.operation';

export const connection: Resource = {
	name: 'Connection',
	value: 'connection',
	operations: [getAll],
};
