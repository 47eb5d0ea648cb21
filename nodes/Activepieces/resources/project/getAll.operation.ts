import type { IDataObject } from 'n8n-workflow';

import { type Filter, filter, filtered, filtersField } from '../../descriptions/filters';
import { matchesLike } from '../../descriptions/likePattern';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { toText } from '../../descriptions/parameters';
import { getLimit, returnAllOrLimit } from '../../descriptions/listing';
import { validationError } from '../../transport/error';
import { limits } from '../../transport/limits';
import { fetchList } from '../../transport/lists';
import { LIST_PROJECTS } from '../../transport/projects';
import { createRecordCollector } from '../../transport/pages';
import { textOf } from '../../transport/values';
import type { Operation } from '../operation';
import { simplifyProject } from './project';

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

/** Whether a name contains the filter's text, by the rules of the service; true without a text. */
const matches = (part: unknown, name: unknown): boolean =>
	typeof part !== 'string' || matchesLike(part, textOf(name));

/**
 * Whether a project matches the filters. Community up to 0.79 returns its one project whatever the
 * filters (recorded).
 */
const isAsked = ({ displayName, types }: IDataObject, project: IDataObject): boolean =>
	matches(displayName, project.displayName) && (types === undefined || types === project.type);

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many projects',
	description: 'Get the projects that the credential has access to',
	hint: 'Returns one item per project: the team projects, and the personal project of every user',
	toolDescription: 'Returns the Activepieces projects that the credential has access to',
	endpoint: LIST_PROJECTS,
	properties: [...returnAllOrLimit, ...outputFields, filtersField(filters)],
	simplify: simplifyProject,
	async run(context) {
		const { client } = context;
		const output = getOutputMode(context, simplifyProject);
		const request = filtered(context, LIST_PROJECTS, filters);
		const { query = {} } = request;
		const collector = createRecordCollector(getLimit(context), (project) =>
			isAsked(query, project) ? output.transform(project) : undefined,
		);
		collector.isFiltered = Object.keys(query).length > 0;
		await fetchList(client, request, limits.defaultPageSize, collector);
		return output.finish(collector.records);
	},
};
