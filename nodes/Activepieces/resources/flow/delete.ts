import { deleteOperation } from '../deleteOperation';
import { flowLocator } from './flow';
import { DELETE_FLOW, deleteFlow } from './flowChanges';

export const remove = deleteOperation({
	description: 'Permanently delete a flow, including all its versions and runs',
	hint: 'Deletes one flow per input item, including all its versions and runs. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces flow with the given ID, including all its versions and runs, and returns {"deleted": true}',
	endpoint: DELETE_FLOW,
	target: flowLocator,
	remove: async (client, request) => await deleteFlow(client, request),
});
