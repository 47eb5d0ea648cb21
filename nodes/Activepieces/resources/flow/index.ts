import type { Resource } from '../operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { flowLocator } from './locator';
import { publish } from './publish.operation';
import { setStatus } from './setStatus.operation';

export const flow: Resource = {
	name: 'Flow',
	value: 'flow',
	locators: [flowLocator],
	operations: [getAll, get, setStatus, publish],
};
