import { listOperation } from '../listOperation';
import { projectToList } from '../project/project';
import { LIST_FOLDERS, simplifyFolder } from './folder';

export const getAll = listOperation({
	description:
		'Get the folders of a project, or of all projects, with the number of flows in each folder',
	toolDescription:
		'Returns the folders of an Activepieces project, or of all projects if none is given, with the number of flows in each folder',
	request: LIST_FOLDERS,
	project: projectToList('folders'),
	simplify: simplifyFolder,
});
