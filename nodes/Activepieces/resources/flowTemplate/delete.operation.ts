import { locatorField, targetOf } from '../../descriptions/locator';
import { templateLocator } from '../../listSearch/templates';
import { deleteRecord } from '../../transport/deletion';
import type { Endpoint } from '../../transport/request';
import type { Operation } from '../resource';

const endpoint: Endpoint = { method: 'DELETE', path: '/v1/flow-templates/{id}' };

export const deleteOperation: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete flow template',
	description: 'Delete a flow template permanently',
	hint: 'Deletes one template per input item, which cannot be undone',
	endpoint,
	fields: [locatorField(templateLocator)],
	async run(work) {
		return await deleteRecord(work.session, { ...endpoint, ...targetOf(work, templateLocator) });
	},
};
