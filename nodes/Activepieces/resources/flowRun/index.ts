import type { Resource } from '../operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { flowRunLocator } from './locator';
import { retry } from './retry.operation';

export const flowRun: Resource = {
	name: 'Flow Run',
	value: 'flowRun',
	locators: [flowRunLocator],
	operations: [getAll, get, retry],
};
