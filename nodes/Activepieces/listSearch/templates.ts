import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Locator } from '../descriptions/locator';
import { lower, nameOf, openSearch, searchSources } from './search';

async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) {
	const session = await openSearch(this);
	return await searchSources(
		session,
		[
			{
				request: {
					method: 'GET',
					path: '/v1/flow-templates',
					subject: { noun: 'flow templates', feature: 'custom templates' },
				},
				paged: false,
				label: (template) => `${nameOf(template, 'name')} (${lower(template.type)})`,
			},
		],
		filter,
		paginationToken,
	);
}

export const templateLocator: Locator = {
	name: 'templateId',
	displayName: 'Template',
	noun: 'flow template',
	description: 'The flow template to delete. This cannot be undone.',
	required: true,
	searchMethod: 'searchTemplates',
	search: searchTemplates,
};
