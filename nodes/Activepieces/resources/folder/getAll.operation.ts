import { type Locator, locatorField } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { getLimit, returnAllOrLimit } from '../../descriptions/listing';
import { limits } from '../../transport/limits';
import type { Operation } from '../operation';
import { fetchByProject, fetchNamesForList } from '../project/names';
import { projectLocator } from '../project/project';
import { LIST_FOLDERS, simplifyFolder } from './folder';

const foldersProject: Locator = {
	...projectLocator,
	description: 'The project to get the folders from',
	hint: 'Leave empty for the folders of all projects',
};

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many folders',
	description:
		'Get the folders of a project, or of all projects, with the number of flows in each folder',
	hint: 'Returns one item per folder. The next nodes run once for each item.',
	toolDescription:
		'Returns the folders of an Activepieces project, or of all projects if none is given, with the number of flows in each folder',
	endpoint: LIST_FOLDERS,
	properties: [locatorField(foldersProject), ...returnAllOrLimit, ...outputFields],
	simplify: simplifyFolder,
	async run(context) {
		const output = getOutputMode(context, simplifyFolder);
		const limit = getLimit(context);
		await fetchNamesForList(context, foldersProject, output);
		const records = await fetchByProject(context, foldersProject, {
			request: LIST_FOLDERS,
			pageSize: limits.defaultPageSize,
			limit,
			transform: output.transform,
		});
		return output.finish(records);
	},
};
