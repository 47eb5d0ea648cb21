import { nameOf } from '../../descriptions/listSource';
import { type Locator, locatorField } from '../../descriptions/locator';
import { LIST_PROJECTS } from '../../transport/paging/projects';

/** Operations describe themselves what they need the project for. */
export const projectLocator: Locator = {
	name: 'projectId',
	displayName: 'Project',
	noun: 'project',
	description: 'The project to operate on',
	required: false,
	page: 'project',
	searchMethod: 'searchProjects',
	sources: () => [
		{
			key: 'all',
			request: LIST_PROJECTS,
			isPaged: true,
			label: (project) => nameOf(project),
			search: { parameter: 'displayName' },
		},
	],
};

/** The project that an operation changes. */
export const ownProjectLocator: Locator = { ...projectLocator, required: true };

export const ownProjectField = locatorField(ownProjectLocator);
