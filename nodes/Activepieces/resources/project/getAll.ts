import { choices, optionsField } from '../../descriptions/fields';
import { type Filter, filter, nameFilter } from '../../descriptions/filters';
import { LIST_PROJECTS } from '../../transport/lists/projects';
import { textOf } from '../../transport/values';
import { listOperation } from '../listOperation';
import { simplifyProject } from './project';

const filters: Filter[] = [
	nameFilter('displayName', 'projects', 'e.g. Marketing'),
	filter(
		optionsField('Type', 'type', {
			options: choices(
				['Personal', 'PERSONAL', "A user's own project"],
				['Team', 'TEAM', 'A project that users share'],
			),
			default: 'TEAM',
			description: 'Return only projects of this type',
		}),
		'types',
	),
];

export const getAll = listOperation({
	description: 'Get the projects that the credential has access to',
	hint: 'Returns one item per project: the team projects, and the personal project of every user',
	toolDescription: 'Returns the Activepieces projects that the credential has access to',
	request: LIST_PROJECTS,
	filters,
	simplify: simplifyProject,
	// Community up to 0.79 returns its one project whatever the filters (recorded).
	select: ({ displayName: part, types }) => ({
		take: (project) =>
			// Only the service knows the wildcards of its database.
			(/[%_]/.test(textOf(part)) ||
				textOf(project.displayName).toLowerCase().includes(textOf(part).toLowerCase())) &&
			(types === undefined || types === project.type)
				? project
				: undefined,
		mayDrop: (part ?? types) !== undefined,
	}),
});
