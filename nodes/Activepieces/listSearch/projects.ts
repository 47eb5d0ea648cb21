import type { Locator } from '../descriptions/locator';
import { nameOf, searchOf } from './search';

export const projectLocator: Locator = {
	name: 'projectId',
	displayName: 'Project',
	noun: 'project',
	description: 'The project whose flows to get',
	hint: 'Leave empty for the flows of all projects',
	required: false,
	searchMethod: 'searchProjects',
	search: searchOf(() => [
		{
			request: { method: 'GET', path: '/v1/projects', subject: { noun: 'projects' } },
			paged: true,
			label: (project) => nameOf(project),
		},
	]),
};
