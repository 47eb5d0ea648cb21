import type { Resource } from '../resource';
import { deleteOperation } from './delete.operation';

export const userInvitation: Resource = {
	name: 'User Invitation',
	value: 'userInvitation',
	operations: [deleteOperation],
};
