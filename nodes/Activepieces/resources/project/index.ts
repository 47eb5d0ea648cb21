import type { Resource } from '../operation';
import { create } from './create';
import { remove } from './delete';
import { getAll } from './getAll';
import { projectLocator, teamProjectLocator } from './project';
import { update } from './update';

export const project: Resource = {
	name: 'Project',
	value: 'project',
	locators: [projectLocator, teamProjectLocator],
	operations: [getAll, create, update, remove],
};
