import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../../descriptions/output';
import { fillProjectNames } from '../../resources/builders';
import { textOf } from '../../transport/values';
import type {
	EventContext,
	EventState,
	PollResult,
	TriggerItem,
	TriggerEvent,
	UnreadPart,
} from '../event';
import { OldestOutputs } from '../oldestOutputs';
import { toTime } from '../serviceTime';
import type { ProjectsSeen } from '../tracking/knownProjects';
import { type ObservedRecord, NewRecords } from '../tracking/newRecords';
import { isRecordsState } from '../tracking/recordsState';
import { storedText } from '../tracking/storedText';
import type { Listing, ListQuery } from './watchedList';

export interface RecordQuery extends ListQuery {
	/** Returns the time up to which all records of the project are known, in milliseconds; 0 when it is unknown */
	knownUntil: (project?: string) => number;
	/**
	 * Returns the time up to which no record is new, for lists without projects, in milliseconds; 0 when it
	 * is unknown
	 */
	settledUntil: () => number;
	/**
	 * Whether reading can stop after all records up to a time, in milliseconds, because this poll has
	 * enough to return. Later records are left to the next polls.
	 */
	canStop: (until: number, project?: string) => boolean;
}

export interface RecordEvent extends Omit<TriggerEvent, 'poll' | 'example' | 'isState'> {
	/** Reads a list of the service */
	fetchRecords(context: EventContext, query: RecordQuery): Promise<Listing>;
	/** The time of the event, as the service wrote it */
	timeOf(record: IDataObject): unknown;
	/** Distinguishes the events of a record whose time changes with every change; empty for all others */
	versionOf?(record: IDataObject): string;
	simplify: Simplify;
	/** Number of records of the list, the newest of which is the example */
	exampleLimit: number;
}

export const toProjectsSeen = (listed?: string[], unread: UnreadPart[] = []): ProjectsSeen => ({
	listed: listed?.map(storedText),
	unread: new Set(unread.map(({ id }) => storedText(id))),
});

/** The outputs of the items that have one. */
export const outputsOf = (items: TriggerItem[]): IDataObject[] =>
	items.flatMap(({ json }) => (json === undefined ? [] : [json]));

type ListedRecords = Pick<RecordEvent, 'fetchRecords' | 'timeOf' | 'versionOf' | 'simplify'>;

const toObservedRecord = (
	{ timeOf, versionOf = () => '' }: ListedRecords,
	record: IDataObject,
	project?: string,
): ObservedRecord => ({
	id: storedText(textOf(record.id)),
	time: toTime(timeOf(record)),
	created: toTime(record.created),
	version: storedText(versionOf(record)),
	project,
});

const toItem = (
	{ simplify }: ListedRecords,
	record: IDataObject,
	{ id, time, version, project }: ObservedRecord,
	{ output }: EventContext,
): TriggerItem => ({ id, time, version, project, json: output(record, simplify) });

async function pollRecords(
	event: ListedRecords,
	context: EventContext,
	state: EventState | undefined,
): Promise<PollResult> {
	const tracker = new NewRecords(state, context.serviceTime, context.isStale);
	// While watching starts, all records count as known, so there is no output.
	const maxItems = state === undefined ? Infinity : context.maxItems;
	const outputs = new OldestOutputs(maxItems);
	const {
		listed,
		unread = [],
		incomplete = [],
	} = await event.fetchRecords(context, {
		transform: (record, project) => {
			const observed = toObservedRecord(event, record, project && storedText(project));
			if (tracker.isNew(observed)) outputs.add(toItem(event, record, observed, context), project);
			return undefined;
		},
		onProjectRead: (project) => outputs.projectIsRead(project),
		limit: Infinity,
		knownUntil: (project) => tracker.knownUntil(project && storedText(project)),
		settledUntil: () => tracker.settledUntil(),
		canStop(until, project) {
			const enough = context.isLate() ? 1 : maxItems;
			const isStopped = outputs.hasEnough(until, enough, project);
			if (isStopped) outputs.isReadUntil(until, project);
			return isStopped;
		},
	});
	const found = outputs.found(unread.map(({ id }) => id));
	const result = tracker.result(found, toProjectsSeen(listed, unread));
	await fillProjectNames(context.client, outputsOf(result.items));
	return { ...result, unread: [...unread, ...incomplete] };
}

/** An event for each record that the service keeps: every record is returned exactly once. */
export function recordEvent(event: RecordEvent): TriggerEvent {
	const { fetchRecords, timeOf, versionOf, simplify, exampleLimit, ...described } = event;
	const source: ListedRecords = { fetchRecords, timeOf, versionOf, simplify };
	return {
		...described,
		isState: isRecordsState,
		poll: async (context, state) => await pollRecords(source, context, state),
		async example(context) {
			const { records } = await fetchRecords(context, {
				transform: (record) => toItem(source, record, toObservedRecord(source, record), context),
				limit: exampleLimit,
				knownUntil: () => 0,
				settledUntil: () => 0,
				canStop: () => false,
			});
			const newest = (records as TriggerItem[]).sort((a, b) => b.time - a.time).slice(0, 1);
			await fillProjectNames(context.client, outputsOf(newest));
			return newest.at(0)?.json;
		},
	};
}
