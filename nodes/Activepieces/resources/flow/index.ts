import { connectionOptions } from '../connection/connection';
import type { Resource } from '../operation';
import { create } from './create.operation';
import { deleteOperation } from './delete.operation';
import { exportOperation } from './export.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { importOperation } from './import.operation';
import { flowExternalIdOptions, flowLocator, flowOptions } from './flow';
import { publish } from './publish.operation';
import { run } from './run.operation';
import { setStatus } from './setStatus.operation';
import { update } from './update.operation';

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
		deleteOperation,
		exportOperation,
		importOperation,
	],
};
