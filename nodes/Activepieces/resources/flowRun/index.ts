import type { Resource } from '../operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { retry } from './retry.operation';

export const flowRun: Resource = {
	name: 'Flow Run',
	value: 'flowRun',
	operations: [getAll, get, retry],
};
