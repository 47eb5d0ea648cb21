import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../descriptions/output';
import type { Fields } from '../execution/item';
import type { ApiClient } from '../transport/client';
import type { ActivepiecesError, UserMessage } from '../transport/error';

/** The state that an event keeps between polls; n8n stores it as JSON. */
export type EventState = IDataObject;

export interface EventContext extends Fields {
	client: ApiClient;
	/** Makes the output of a record, simplified or raw */
	output(record: IDataObject, simplify: Simplify): IDataObject;
	/**
	 * The time of the server, from its first response, in milliseconds since 1970. Before that, and if it
	 * sends none, the time of n8n.
	 */
	now(): number;
	maxItems: number;
	/** Whether the poll should return what it has, because it has taken long */
	isLate(): boolean;
	/** Aborts when unread projects should be left to the next polls */
	timeLimit: AbortSignal;
	/** The lists that the last poll gave up, in that order; a poll replaces them */
	givenUp: { lists: string[] };
	/** Whether a later state was lost: see `state.ts` */
	isStale: boolean;
}

/**
 * A part of what is watched that could not be read while others could: a project, or the global
 * connections.
 */
export interface UnreadPart {
	/** The list as the state names it */
	list: string;
	/** The label in messages */
	label: string;
	isProject: boolean;
	reason: ActivepiecesError;
}

export interface PollResult {
	/** What has happened since the state, oldest first, up to the maximum number of items */
	items: IDataObject[];
	/** For the next poll, which finds everything else that has happened */
	state: EventState;
	/** Parts whose items follow once they can be read again */
	unread?: UnreadPart[];
}

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
	noExample: UserMessage | ((fields: Fields) => UserMessage);
}
