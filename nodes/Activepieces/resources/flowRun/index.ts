import type { Resource } from '../operation';
import { cancel } from './cancel';
import { anyRunLocator, flowRunLocator, waitingRunLocator } from './runLocators';
import { get } from './get';
import { getAll } from './getAll';
import { getSteps } from './getSteps';
import { retry } from './retry';

export const flowRun: Resource = {
	name: 'Flow Run',
	value: 'flowRun',
	locators: [flowRunLocator, anyRunLocator, waitingRunLocator],
	operations: [getAll, get, getSteps, retry, cancel],
};
