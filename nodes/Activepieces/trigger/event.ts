import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../descriptions/output';
import type { OperationContext } from '../execution/operationContext';
import type { ActivepiecesError, UserMessage } from '../transport/errors/activepiecesError';
import type { ProjectTurns } from './projectTurns';
import type { ServiceTime } from './serviceTime';

/** The state that one event keeps between polls; n8n stores it as JSON. */
export type EventState = IDataObject;

/** Everything with which an event polls the service. */
export interface EventContext extends OperationContext {
	/** Makes the output for a record: simplified or as it is; nothing of it while watching begins */
	output(record: IDataObject, simplify: Simplify): IDataObject;
	/** The time of the service, from its first answer; nothing when it did not say */
	serviceTime(): ServiceTime | undefined;
	/** The most items that one poll gives */
	maxItems: number;
	/** Whether the poll should give what it has, because it has taken long */
	isLate(): boolean;
	/** Aborts when projects that are not read yet are to be left to the next polls */
	patience: AbortSignal;
	/** The order in which projects are read */
	turns: ProjectTurns;
	/** Whether a later state has been lost: see `state.ts` */
	isStale: boolean;
}

/** Something that happened, with its time by the clock of the service. */
export interface TriggerItem extends IDataObject {
	/** ID of the record it is about */
	id: string;
	/** Milliseconds since 1970 */
	time: number;
	/** Tells it from an earlier one of the same record */
	version: string;
	/** The project that it was listed in, where all are watched */
	project?: string;
	/** The output for it; nothing when this poll gives enough older ones */
	json?: IDataObject;
}

/**
 * A part of what is watched that could not be read while others could: a project, the global connections, or runs of
 * one moment.
 */
export interface UnreadPart {
	/** That of the project, or what stands for another part: no project has such an ID */
	id: string;
	/** What messages call it */
	label: string;
	isProject: boolean;
	reason: ActivepiecesError;
}

/** The result of one poll of an event. */
export interface PollResult {
	/** Everything that has happened since the state, the oldest first */
	items: TriggerItem[];
	/** Makes the state for the next poll, in which all items but the emitted ones come again */
	nextState(emitted: TriggerItem[]): EventState;
	/** Parts of which the items come once they can be read again */
	unread?: UnreadPart[];
}

/** One choice of the field Event. */
export interface TriggerEvent {
	/** Display name */
	name: string;
	/** Name in the node panel; by default "On " and the name */
	action?: string;
	/** Saved in workflows */
	value: string;
	description: string;
	/** Names of the fields that are shown for it; those of Options as `options.<name>` */
	fields: string[];
	/** Values of options that are not set, where they are not those of every event */
	defaults?: Partial<Record<string, unknown>>;
	/** Names of those that decide what is watched: when one changes, watching begins anew */
	watched: string[];
	/**
	 * Whether a stored state has the shape that the event gives it. Anything can stand there: an older
	 * version of the node may have written it, or somebody by hand.
	 */
	isState(state: EventState): boolean;
	/**
	 * Asks the service what has happened.
	 *
	 * @param state that of an earlier poll; without one everything there is counts as known
	 */
	poll(context: EventContext, state: EventState | undefined): Promise<PollResult>;
	/** A real, recent record for Fetch Test Event; nothing when there is none */
	example(context: EventContext): Promise<IDataObject | undefined>;
	/** The message when there is none */
	noExample: UserMessage;
}
