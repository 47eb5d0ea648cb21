import type { Resource } from '../operation';
import { getAll } from './getAll.operation';
import { projectLocator } from './locator';

export const project: Resource = {
	name: 'Project',
	value: 'project',
	locators: [projectLocator],
	operations: [getAll],
};
