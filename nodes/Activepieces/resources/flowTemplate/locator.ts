import { lowerCase, nameOf } from '../../descriptions/listSource';
import type { Locator } from '../../descriptions/locator';

export const templateLocator: Locator = {
	name: 'templateId',
	displayName: 'Template',
	noun: 'flow template',
	description: 'The flow template to delete',
	required: true,
	searchMethod: 'searchTemplates',
	sources: () => [
		{
			key: 'all',
			request: {
				method: 'GET',
				path: '/v1/flow-templates',
				subject: { noun: 'flow templates', feature: 'custom templates' },
			},
			isPaged: false,
			label: (template) => `${nameOf(template, 'name')} (${lowerCase(template.type)})`,
		},
	],
};
