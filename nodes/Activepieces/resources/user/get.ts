import { locatorField, requestTarget } from '../../descriptions/locator';
import { recordOperation } from '../recordOperation';
import { fetchUser, GET_USER, simplifyUser, userLocator } from './user';

export const get = recordOperation({
	name: 'Get',
	value: 'get',
	description: 'Get a user of the platform',
	toolDescription: 'Returns one user of the Activepieces platform by ID or email',
	endpoint: GET_USER,
	properties: [locatorField(userLocator)],
	simplify: simplifyUser,
	record: async (context) => await fetchUser(context.client, requestTarget(context, userLocator)),
});
