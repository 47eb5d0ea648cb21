import { connectionOptions } from '../connection/connection';
import type { Resource } from '../operation';
import { create } from './create';
import { remove } from './delete';
import { exportOperation } from './export';
import { flowExternalIdOptions, flowLocator, flowOptions } from './flow';
import { get } from './get';
import { getAll } from './getAll';
import { importOperation } from './import';
import { publish } from './publish';
import { run } from './run';
import { setStatus } from './setStatus';
import { update } from './update';

export const flow: Resource = {
	name: 'Flow',
	value: 'flow',
	locators: [flowLocator],
	optionLists: [connectionOptions, flowExternalIdOptions, flowOptions],
	operations: [
		getAll,
		get,
		setStatus,
		publish,
		run,
		create,
		update,
		remove,
		exportOperation,
		importOperation,
	],
};
