import { locatorField, requestTarget } from '../../descriptions/locator';
import { deleteRecord } from '../../transport/deleteRecord';
import type { Endpoint } from '../../transport/endpoint';
import type { Operation } from '../operation';
import { templateLocator } from './locator';

const endpoint: Endpoint = { method: 'DELETE', path: '/v1/flow-templates/{id}' };

export const deleteOperation: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete flow template',
	description: 'Delete a flow template permanently',
	hint: 'Deletes one template per input item, which cannot be undone',
	endpoint,
	properties: [locatorField(templateLocator)],
	async run(context) {
		const target = requestTarget(context, templateLocator);
		const subject = { ...target.subject, feature: 'custom templates' };
		return await deleteRecord(context.client, { ...endpoint, ...target, subject });
	},
};
