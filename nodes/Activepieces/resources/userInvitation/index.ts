import type { Resource } from '../operation';
import { deleteOperation } from './delete.operation';

export const userInvitation: Resource = {
	name: 'User Invitation',
	value: 'userInvitation',
	operations: [deleteOperation],
};
