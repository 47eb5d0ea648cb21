import { locatorField } from '../../descriptions/locator';
import { NOT_OWN_TEMPLATE } from '../../transport/errors/responseMessages';
import { deleteOperation } from '../deleteOperation';
import { FEATURE, templateLocator } from './flowTemplate';

export const remove = deleteOperation({
	description: 'Permanently delete a flow template',
	hint: 'Deletes one template per input item. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces flow template with the given ID and returns {"deleted": true}',
	endpoint: {
		method: 'DELETE',
		path: '/v1/flow-templates/{id}',
		// Since 0.74 (recorded).
		otherPath: { path: '/v1/templates/{id}' },
		feature: FEATURE,
		// For a template of type PROJECT, 0.73 responds with empty params, and later releases with a sentence
		// (recorded).
		rules: [NOT_OWN_TEMPLATE],
	},
	properties: [locatorField({ ...templateLocator, description: 'The flow template to delete' })],
	target: templateLocator,
});
