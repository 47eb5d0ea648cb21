import { getOptionalId, type Locator, locatorField } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { raw } from '../../descriptions/outputMode';
import { getLimit, returnAllOrLimit } from '../../descriptions/returnAllOrLimit';
import { limits } from '../../transport/limits';
import { toId } from '../../transport/toId';
import type { Operation } from '../operation';
import { fetchByProject } from '../project/fetchByProject';
import { projectLocator } from '../project/locator';
import { projectNames } from '../project/projectNames';
import { LIST_FOLDERS } from './requests';
import { simplifyFolder } from './simplify';

const foldersProject: Locator = {
	...projectLocator,
	description: 'The project whose folders to get',
	hint: 'Leave empty for the folders of all projects',
};

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many folders',
	description: 'Get the folders of a project, or of all projects, with the number of their flows',
	hint: 'Returns one item per folder. The next nodes run once for each item.',
	toolDescription:
		'Returns the folders of an Activepieces project, or of all projects if none is given, with the number of their flows',
	endpoint: LIST_FOLDERS,
	properties: [locatorField(foldersProject), ...returnAllOrLimit, ...outputFields],
	simplify: (folder) => simplifyFolder(folder, null),
	async run(context) {
		let names = new Map<string, string>();
		const output = getOutputMode(context, (folder) =>
			simplifyFolder(folder, names.get(toId(folder.projectId) ?? '') ?? null),
		);
		const limit = getLimit(context);
		const hasProject = getOptionalId(context, foldersProject) !== undefined;
		if (hasProject && output !== raw) names = await projectNames(context.client);
		const records = await fetchByProject(context, foldersProject, {
			request: LIST_FOLDERS,
			pageSize: limits.defaultPageSize,
			limit,
			transform: (folder, project) => {
				if (project !== undefined) names.set(project.id, project.name);
				return output.transform(folder);
			},
		});
		return output.finish(records);
	},
};
