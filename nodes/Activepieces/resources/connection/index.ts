import type { Resource } from '../operation';
import { connectionLocator } from './connection';
import { remove } from './delete';
import { getAll } from './getAll';
import { pieceLocator } from './piece';
import { update } from './update';
import { upsert } from './upsert';

export const connection: Resource = {
	name: 'Connection',
	value: 'connection',
	locators: [connectionLocator, pieceLocator],
	operations: [getAll, upsert, update, remove],
};
