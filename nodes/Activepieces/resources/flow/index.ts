import type { Resource } from '../operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { publish } from './publish.operation';
import { setStatus } from './setStatus.operation';

export const flow: Resource = {
	name: 'Flow',
	value: 'flow',
	operations: [getAll, get, setStatus, publish],
};
