import type { Resource } from '../operation';
import { create } from './create.operation';
import { deleteOperation } from './delete.operation';
import { getAll } from './getAll.operation';
import { projectLocator } from './project';
import { update } from './update.operation';

export const project: Resource = {
	name: 'Project',
	value: 'project',
	locators: [projectLocator],
	operations: [getAll, create, update, deleteOperation],
};
