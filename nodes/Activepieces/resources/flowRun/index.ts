import type { Resource } from '../operation';
import { cancel } from './cancel.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { flowRunLocator, waitingRunLocator } from './flowRun';
import { retry } from './retry.operation';

export const flowRun: Resource = {
	name: 'Flow Run',
	value: 'flowRun',
	locators: [flowRunLocator, waitingRunLocator],
	operations: [getAll, get, retry, cancel],
};
