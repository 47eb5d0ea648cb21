import { nameOf } from '../../descriptions/listSource';
import type { Locator } from '../../descriptions/locator';

export const projectLocator: Locator = {
	name: 'projectId',
	displayName: 'Project',
	noun: 'project',
	description: 'The project whose flows to get',
	hint: 'Leave empty for the flows of all projects',
	required: false,
	searchMethod: 'searchProjects',
	sources: () => [
		{
			request: { method: 'GET', path: '/v1/projects', subject: { noun: 'projects' } },
			isPaged: true,
			label: (project) => nameOf(project),
		},
	],
};
