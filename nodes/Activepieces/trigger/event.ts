import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../descriptions/output';
import type { OperationContext } from '../execution/item';
import type { ActivepiecesError, UserMessage } from '../transport/error';
import type { ProjectOrder } from './projectOrder';
import type { ServiceTime } from './serviceTime';

/** The state that an event keeps between polls; n8n stores it as JSON. */
export type EventState = IDataObject;

/** What an event needs to poll the service. */
export interface EventContext extends OperationContext {
	/** Makes the output of a record, simplified or raw; an empty object while watching starts */
	output(record: IDataObject, simplify: Simplify): IDataObject;
	/** The time of the service, from its first response; undefined if it sent none */
	serviceTime(): ServiceTime | undefined;
	/** Maximum number of items of a poll */
	maxItems: number;
	/** Whether the poll should return what it has, because it has taken long */
	isLate(): boolean;
	/** Aborts when unread projects should be left to the next polls */
	timeLimit: AbortSignal;
	/** The order in which projects are read */
	projectOrder: ProjectOrder;
	/** Whether a later state was lost: see `state.ts` */
	isStale: boolean;
}

/** Something that happened, with its time by the clock of the service. */
export interface TriggerItem extends IDataObject {
	/** ID of its record */
	id: string;
	/** Milliseconds since 1970 */
	time: number;
	/** Distinguishes it from earlier items of the same record */
	version: string;
	/** The project whose list contained it, if all projects are watched */
	project?: string;
	/** Its output; undefined when this poll returns enough older items */
	json?: IDataObject;
}

/**
 * A part of what is watched that could not be read while others could: a project, the global
 * connections, or the runs of one moment.
 */
export interface UnreadPart {
	/** ID of the project, or a text that identifies another part and cannot be the ID of a project */
	id: string;
	/** The label in messages */
	label: string;
	isProject: boolean;
	reason: ActivepiecesError;
}

/** The result of one poll of an event. */
export interface PollResult {
	/** Everything that has happened since the state, oldest first */
	items: TriggerItem[];
	/** Makes the state for the next poll, which finds all items again except the emitted ones */
	nextState(emitted: TriggerItem[]): EventState;
	/** Parts whose items follow once they can be read again */
	unread?: UnreadPart[];
}

/** One option of the field Event. */
export interface TriggerEvent {
	name: string;
	/** Name in the node panel; by default "On " and the name */
	action?: string;
	/** Saved by workflows */
	value: string;
	description: string;
	/** Names of the fields that are shown for it; those in Options as `options.<name>` */
	fields: string[];
	/** Defaults of options that differ from those of other events */
	defaults?: Partial<Record<string, unknown>>;
	/** Names of the fields that decide what is watched: when one changes, watching restarts */
	watched: string[];
	/**
	 * Whether a stored state has the shape that the event writes. It may contain anything: an older version
	 * of the node may have written it, or a person.
	 */
	isState(state: EventState): boolean;
	/**
	 * Asks the service what has happened.
	 *
	 * @param state of an earlier poll; without one, all existing records count as known
	 */
	poll(context: EventContext, state: EventState | undefined): Promise<PollResult>;
	/** A real, recent record for Fetch Test Event; undefined when there is none */
	example(context: EventContext): Promise<IDataObject | undefined>;
	/** The error when there is no record */
	noExample: UserMessage;
}
