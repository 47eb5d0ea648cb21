import { locatorField } from '../../descriptions/locator';
import { fetchNamed, recordOperation } from '../recordOperation';
import { folderLocator, GET_FOLDER, simplifyFolder } from './folder';

export const get = recordOperation({
	name: 'Get',
	value: 'get',
	description: 'Get a folder and the number of flows in it',
	toolDescription: 'Returns one folder of Activepieces flows by its ID',
	endpoint: GET_FOLDER,
	properties: [locatorField(folderLocator)],
	simplify: simplifyFolder,
	record: fetchNamed(GET_FOLDER, folderLocator),
});
