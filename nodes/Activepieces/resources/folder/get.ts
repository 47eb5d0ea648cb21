import { fetchNamed, recordOperation } from '../recordOperation';
import { folderField, folderLocator, GET_FOLDER, simplifyFolder } from './folder';

export const get = recordOperation({
	name: 'Get',
	value: 'get',
	description: 'Get a folder and the number of flows in it',
	toolDescription: 'Returns one folder of Activepieces flows by its ID',
	endpoint: GET_FOLDER,
	properties: [folderField],
	simplify: simplifyFolder,
	record: fetchNamed(GET_FOLDER, folderLocator),
});
