import { type Filter, filter } from '../../descriptions/filters';
import { matchesLike } from '../../descriptions/likePattern';
import { toText } from '../../descriptions/parameters';
import { validationError } from '../../transport/error';
import { limits } from '../../transport/limits';
import { LIST_PROJECTS } from '../../transport/projects';
import { textOf } from '../../transport/values';
import { listOperation } from '../builders';
import type { Resource } from '../operation';
import { create, update } from './createAndUpdate.operation';
import { remove } from './delete.operation';
import { projectLocator, simplifyProject } from './project';

const nameFilter: Filter<string> = {
	...filter({
		displayName: 'Name',
		name: 'displayName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Marketing',
		description:
			'Return only projects whose name contains this text. Not case-sensitive. % and _ are wildcards.',
	}),
	parse(label, value) {
		const pattern = toText(label, value);
		if (pattern.length <= limits.maxPatternLength) return pattern;
		throw validationError(
			`${label} has ${pattern.length} characters, but the maximum is ${limits.maxPatternLength}`,
			`Shorten ${label}.`,
		);
	},
};

const filters: Filter[] = [
	nameFilter,
	filter(
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{ name: 'Personal', value: 'PERSONAL', description: "A user's own project" },
				{ name: 'Team', value: 'TEAM' },
			],
			default: 'TEAM',
			description: 'Return only projects of this type',
		},
		'types',
	),
];

const getAll = listOperation({
	action: 'Get many projects',
	description: 'Get the projects that the credential has access to',
	hint: 'Returns one item per project: the team projects, and the personal project of every user',
	toolDescription: 'Returns the Activepieces projects that the credential has access to',
	request: LIST_PROJECTS,
	filters,
	simplify: simplifyProject,
	// Community up to 0.79 returns its one project whatever the filters (recorded).
	take: (project, { displayName: part, types }) =>
		(typeof part !== 'string' || matchesLike(part, textOf(project.displayName))) &&
		(types === undefined || types === project.type)
			? project
			: undefined,
	isFiltered: (query) => Object.keys(query).length > 0,
});

export const project: Resource = {
	name: 'Project',
	value: 'project',
	locators: [projectLocator],
	operations: [getAll, create, update, remove],
};
