import { nameOf } from '../../descriptions/listSource';
import type { Locator } from '../../descriptions/locator';

/** Operations say in their own words what the project is for. */
export const projectLocator: Locator = {
	name: 'projectId',
	displayName: 'Project',
	noun: 'project',
	description: 'The project to work with',
	required: false,
	searchMethod: 'searchProjects',
	sources: () => [
		{
			key: 'all',
			request: { method: 'GET', path: '/v1/projects', subject: { noun: 'projects' } },
			isPaged: true,
			label: (project) => nameOf(project),
			search: { parameter: 'displayName' },
		},
	],
};
