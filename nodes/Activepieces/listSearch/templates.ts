import type { Locator } from '../descriptions/locator';
import { lower, nameOf, searchOf } from './search';

export const templateLocator: Locator = {
	name: 'templateId',
	displayName: 'Template',
	noun: 'flow template',
	description: 'The flow template to delete',
	required: true,
	searchMethod: 'searchTemplates',
	search: searchOf(() => [
		{
			request: {
				method: 'GET',
				path: '/v1/flow-templates',
				subject: { noun: 'flow templates', feature: 'custom templates' },
			},
			paged: false,
			label: (template) => `${nameOf(template, 'name')} (${lower(template.type)})`,
		},
	]),
};
