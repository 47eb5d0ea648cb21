import type { Resource } from '../operation';
import { get } from './get.operation';
import { update } from './update.operation';

export const folder: Resource = {
	name: 'Folder',
	value: 'folder',
	operations: [get, update],
};
