import { LIST_FLOWS, simplifyFlow } from '../../resources/flow/flow';
import { watchedProjectId, fetchWatched } from '../eventKinds/watchedList';
import { recordEvent } from '../eventKinds/recordEvent';

export const flowCreated = recordEvent({
	name: 'Flow Created',
	value: 'flowCreated',
	description: 'When a flow is created',
	fields: ['projectId', 'simplify', 'options.maxItems'],
	watched: ['projectId'],
	fetchRecords: async (context, query) =>
		await fetchWatched(context, watchedProjectId(context), () => LIST_FLOWS, query),
	timeOf: ({ created }) => created,
	simplify: simplifyFlow,
	exampleLimit: 1,
	noExample: {
		message: 'There are no flows yet',
		description:
			'Create a flow in Activepieces and try again, or publish the n8n workflow (activate it in n8n 1) and then create one.',
	},
});
