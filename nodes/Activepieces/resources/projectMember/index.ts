import type { Resource } from '../operation';
import { remove } from './delete';
import { getAll } from './getAll';
import { memberLocator, roleList } from './projectMember';
import { update } from './update';

export const projectMember: Resource = {
	name: 'Project Member',
	value: 'projectMember',
	locators: [memberLocator],
	optionLists: [roleList],
	operations: [getAll, update, remove],
};
