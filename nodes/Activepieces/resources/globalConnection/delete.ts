import { deleteRecord } from '../../transport/client/record';
import { fetchIdsOnce } from '../../transport/lists/pages';
import { toId } from '../../transport/id';
import { deleteOperation } from '../deleteOperation';
import {
	globalConnectionLocator,
	LIST_GLOBAL_CONNECTIONS,
	unknownGlobalConnection,
} from './globalConnection';

export const remove = deleteOperation({
	description: 'Permanently delete a connection that the platform shares with its projects',
	hint: 'Deletes one connection per input item, even if flows use it. This cannot be undone.',
	toolDescription:
		'Permanently deletes the global Activepieces connection with the given ID, even if flows of any project use it, and returns {"deleted": true}',
	endpoint: {
		method: 'DELETE',
		path: '/v1/global-connections/{id}',
		feature: 'global connections',
	},
	target: { ...globalConnectionLocator, description: 'The global connection to delete' },
	async remove(client, request) {
		const known = await fetchIdsOnce(client, LIST_GLOBAL_CONNECTIONS);
		if (!known.has(toId(request.id))) throw unknownGlobalConnection(request);
		return await deleteRecord(client, request);
	},
});
