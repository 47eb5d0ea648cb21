import { locatorField, requestTarget } from '../../descriptions/locator';
import { deleteRecord } from '../../transport/request/record';
import type { Operation } from '../operation';
import { templateLocator } from './locator';
import { DELETE_TEMPLATE } from './requests';

export const deleteOperation: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete flow template',
	description: 'Delete a flow template permanently',
	hint: 'Deletes one template per input item. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces flow template with the given ID and returns {"deleted": true}',
	endpoint: DELETE_TEMPLATE,
	properties: [locatorField(templateLocator)],
	async run(context) {
		const target = requestTarget(context, templateLocator);
		return await deleteRecord(context.client, { ...DELETE_TEMPLATE, ...target });
	},
};
