/** Flows that are created, published, enabled or disabled. */
import { isDeleting, LIST_FLOWS, simplifyFlow } from '../../resources/flow/flow';
import { textOf } from '../../transport/values';
import { recordEvent, valueEvent } from '../listEvent';
import { fetchWatchedFlow, projectLists, readLists } from '../lists';

export const flowCreated = recordEvent({
	name: 'Flow Created',
	value: 'flowCreated',
	description: 'When a flow is created',
	watchedFields: ['projectId'],
	readRecords: async (context, query) =>
		await readLists(context, await projectLists(context, LIST_FLOWS), query),
	outputOf: (context, flow) => context.output(flow, simplifyFlow),
	noExample: {
		message: 'There are no flows yet',
		description:
			'Create a flow in Activepieces and try again, or publish the n8n workflow (activate it in n8n 1) and then create one.',
	},
});

type FlowEvent = Omit<
	Parameters<typeof valueEvent>[0],
	'watchedFields' | 'readRecords' | 'changedAt' | 'outputOf'
>;

const flowEvent = (event: FlowEvent) =>
	valueEvent({
		...event,
		watchedFields: ['projectId', 'flowId'],
		async readRecords(context, query) {
			const flow = await fetchWatchedFlow(context);
			if (flow === undefined) {
				return await readLists(context, await projectLists(context, LIST_FLOWS), query);
			}
			// Lists do not contain a flow that is being deleted (recorded).
			if (!isDeleting(flow)) query.onRecord(flow, '');
			query.found?.listIsRead('');
			return { read: [''], unread: [] };
		},
		// A restart may have lost that the project was seen before; a repeated item is better than a lost one.
		changedAt: ({ created, updated }, isStale) => (isStale ? updated : created),
		outputOf: (context, flow) => context.output(flow, simplifyFlow),
	});

export const flowPublished = flowEvent({
	name: 'Flow Published',
	value: 'flowPublished',
	description: 'When a version of a flow is published',
	valueOf: ({ publishedVersionId }) => textOf(publishedVersionId),
	isEvent: (version) => version !== '',
	noExample: {
		message: 'No flow is published',
		description:
			'Publish a flow in Activepieces and try again, or publish the n8n workflow (activate it in n8n 1) and then publish a flow.',
	},
});

export const flowStatusChanged = flowEvent({
	name: 'Flow Status Changed',
	value: 'flowStatusChanged',
	description: 'When a flow is enabled or disabled',
	// A new flow is disabled.
	valueOf: ({ status }) => (status === 'DISABLED' ? '' : textOf(status)),
	noExample: {
		message: 'There are no flows yet',
		description: 'Create a flow in Activepieces and enable it.',
	},
});
