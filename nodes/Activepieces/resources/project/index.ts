import type { Resource } from '../operation';
import { getAll } from './getAll.operation';

export const project: Resource = {
	name: 'Project',
	value: 'project',
	operations: [getAll],
};
