import type { IDataObject } from 'n8n-workflow';

import { LIST_FLOWS, simplifyFlow } from '../../resources/flow/flow';
import { fillProjectNames } from '../../resources/builders';
import { textOf } from '../../transport/values';
import { ChangedValues, isValuesState } from '../changedValues';
import type { EventContext, TriggerEvent } from '../event';
import {
	fetchWatchedFlow,
	type ListQuery,
	type ListsRead,
	readProjects,
	watchedProjectId,
} from '../lists';
import { OldestItems, resultOf } from '../oldestItems';
import { recordEvent } from '../recordEvent';
import { storedText, toTime } from '../storedValues';

export const flowCreated = recordEvent({
	name: 'Flow Created',
	value: 'flowCreated',
	description: 'When a flow is created',
	fields: ['projectId', 'simplify', 'options.maxItems'],
	watched: ['projectId'],
	readRecords: async (context, query) =>
		await readProjects(context, watchedProjectId(context), () => LIST_FLOWS, query),
	timeOf: ({ created }) => created,
	simplify: simplifyFlow,
	exampleLimit: 1,
	noExample: {
		message: 'There are no flows yet',
		description:
			'Create a flow in Activepieces and try again, or publish the n8n workflow (activate it in n8n 1) and then create one.',
	},
});

interface FlowEvent extends Omit<
	TriggerEvent,
	'poll' | 'example' | 'isState' | 'fields' | 'watched'
> {
	/** Returns the watched value; empty for a new flow */
	watchedValue(flow: IDataObject): string;
	/** Whether a change to this value is an event; by default every change is */
	isEvent?: (value: string) => boolean;
}

/** Reads the watched flow, or all flows of the watched projects. */
async function readFlows(context: EventContext, query: ListQuery): Promise<ListsRead> {
	const flow = await fetchWatchedFlow(context);
	if (flow === undefined) {
		return await readProjects(context, watchedProjectId(context), () => LIST_FLOWS, query);
	}
	query.take(flow, '');
	query.onRead?.('');
	return { listed: [''], unread: [] };
}

/** An event that is a change of a flow. A change that is reverted between two polls is not noticed. */
function flowEvent(event: FlowEvent): TriggerEvent {
	const { watchedValue, isEvent = () => true, ...described } = event;
	return {
		...described,
		fields: ['projectId', 'flowId', 'simplify', 'options.maxItems'],
		watched: ['projectId', 'flowId'],
		isState: isValuesState,
		async poll(context, state) {
			const tracker = new ChangedValues(state, context.now);
			const found = new OldestItems(context.maxItems);
			const lists = await readFlows(context, {
				take(flow, list) {
					const id = storedText(textOf(flow.id));
					const value = storedText(watchedValue(flow));
					const updated = toTime(flow.updated);
					// A restart may have lost that the project was seen before; a repeated item is better than a lost one.
					const time = context.isStale ? updated : toTime(flow.created);
					if (tracker.isChanged({ id, value, list, time }) && isEvent(value)) {
						found.add({ id, value, list, time: updated, json: context.output(flow, simplifyFlow) });
					}
					return false;
				},
				limit: Infinity,
				onRead: (list) => found.listIsRead(list),
			});
			return await resultOf(context, found, lists, (items) => tracker.nextState(items, lists));
		},
		async example(context) {
			let example: IDataObject | undefined;
			await readFlows(context, {
				take(flow) {
					if (example !== undefined || !isEvent(watchedValue(flow))) return false;
					example = context.output(flow, simplifyFlow);
					return true;
				},
				limit: 1,
				isFiltered: event.isEvent !== undefined,
			});
			if (example !== undefined) await fillProjectNames(context.client, [example]);
			return example;
		},
	};
}

export const flowPublished = flowEvent({
	name: 'Flow Published',
	value: 'flowPublished',
	description: 'When a version of a flow is published',
	// Up to 0.73 null is an empty text.
	watchedValue: ({ publishedVersionId }) => textOf(publishedVersionId),
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
	watchedValue: ({ status }) => (status === 'DISABLED' ? '' : textOf(status)),
	noExample: {
		message: 'There are no flows yet',
		description: 'Create a flow in Activepieces and enable it.',
	},
});
