import type { IDataObject } from 'n8n-workflow';

import { LIST_FLOWS, simplifyFlow } from '../../resources/flow/flow';
import { fillProjectNames } from '../../resources/builders';
import { textOf } from '../../transport/values';
import type { EventContext, TriggerItem, TriggerEvent } from '../event';
import { OldestOutputs } from '../oldestOutputs';
import { toTime } from '../serviceTime';
import { isValuesState, ChangedValues } from '../tracking/changedValues';
import { storedText } from '../tracking/storedText';
import { outputsOf, toProjectsSeen } from './recordEvent';
import {
	fetchWatchedFlow,
	watchedProjectId,
	type Listing,
	type ListQuery,
	fetchWatched,
} from './watchedList';

export interface FlowEvent extends Omit<
	TriggerEvent,
	'poll' | 'example' | 'isState' | 'fields' | 'watched'
> {
	/** Returns the watched value; empty for a new flow */
	watchedValue(flow: IDataObject): string;
	/** Whether a change to this value is an event; by default every change is */
	isEvent?: (value: string) => boolean;
}

/** The watched flow, or all flows of the watched projects. */
async function fetchFlows(context: EventContext, query: ListQuery): Promise<Listing> {
	const flow = await fetchWatchedFlow(context);
	if (flow !== undefined) {
		const kept = query.transform(flow);
		return { records: kept === undefined ? [] : [kept] };
	}
	return await fetchWatched(context, watchedProjectId(context), () => LIST_FLOWS, query);
}

/** An event that is a change of a flow. A change that is reverted between two polls is not noticed. */
export function flowEvent(event: FlowEvent): TriggerEvent {
	const { watchedValue, isEvent = () => true, ...described } = event;

	const toItem = (flow: IDataObject, { output }: EventContext): TriggerItem => ({
		id: storedText(textOf(flow.id)),
		time: toTime(flow.updated),
		version: storedText(watchedValue(flow)),
		json: output(flow, simplifyFlow),
	});

	return {
		...described,
		fields: ['projectId', 'flowId', 'simplify', 'options.maxItems'],
		watched: ['projectId', 'flowId'],
		isState: isValuesState,
		async poll(context, state) {
			const tracker = new ChangedValues(state, context.serviceTime, context.isStale);
			const outputs = new OldestOutputs(context.maxItems);
			const { records, listed, unread } = await fetchFlows(context, {
				transform: (flow, project) => {
					const value = watchedValue(flow);
					const [created, updated] = [toTime(flow.created), toTime(flow.updated)];
					const observed = {
						id: storedText(textOf(flow.id)),
						value: storedText(value),
						created,
						updated,
						project: project && storedText(project),
					};
					if (!tracker.isChanged(observed) || !isEvent(value)) return undefined;
					const item = toItem(flow, context);
					outputs.add(item, project);
					return item;
				},
				onProjectRead: (project) => outputs.projectIsRead(project),
				limit: Infinity,
			});
			const result = tracker.result(records as TriggerItem[], toProjectsSeen(listed, unread));
			await fillProjectNames(context.client, outputsOf(result.items));
			return { ...result, unread };
		},
		async example(context) {
			const { records } = await fetchFlows(context, {
				transform: (each) => (isEvent(watchedValue(each)) ? toItem(each, context) : undefined),
				limit: 1,
				isFiltered: event.isEvent !== undefined,
			});
			const example = (records as TriggerItem[]).slice(0, 1);
			await fillProjectNames(context.client, outputsOf(example));
			return example.at(0)?.json;
		},
	};
}
