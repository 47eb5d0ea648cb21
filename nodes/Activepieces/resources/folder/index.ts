import type { Resource } from '../operation';
import { create } from './create.operation';
import { deleteOperation } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { folderLocator, folderOrNoneLocator } from './folder';
import { update } from './update.operation';

export const folder: Resource = {
	name: 'Folder',
	value: 'folder',
	locators: [folderLocator, folderOrNoneLocator],
	operations: [getAll, get, create, update, deleteOperation],
};
