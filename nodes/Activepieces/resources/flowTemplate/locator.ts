import { lowerCase, nameOf } from '../../descriptions/listSource';
import type { Locator } from '../../descriptions/locator';
import { LIST_TEMPLATES } from './requests';

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
			request: LIST_TEMPLATES,
			isPaged: false,
			label: (template) => `${nameOf(template, 'name')} (${lowerCase(template.type)})`,
		},
	],
};
