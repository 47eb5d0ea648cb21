import type { Resource } from '../operation';
import { create } from './create';
import { remove } from './delete';
import { folderLocator, folderOrNoneLocator } from './folder';
import { get } from './get';
import { getAll } from './getAll';
import { update } from './update';

export const folder: Resource = {
	name: 'Folder',
	value: 'folder',
	locators: [folderLocator, folderOrNoneLocator],
	operations: [getAll, get, create, update, remove],
};
