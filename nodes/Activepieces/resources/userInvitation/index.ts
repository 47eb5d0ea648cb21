import type { Resource } from '../operation';
import { deleteOperation } from './delete.operation';
import { getAll } from './getAll.operation';

export const userInvitation: Resource = {
	name: 'User Invitation',
	value: 'userInvitation',
	operations: [deleteOperation, getAll],
};
