/* What an event of the trigger is: what a poll asks of it, and what it returns. */
import type { IDataObject } from 'n8n-workflow';

import type { ActivepiecesError } from '../transport/errors/error';
import type { EventContext } from './eventContext';
import type { EventDescription } from './fields';

/** The state that an event keeps between polls; n8n stores it as JSON. */
export type EventState = IDataObject;

/**
 * A part of what is watched that could not be read while others could: a project, or the global
 * connections.
 */
export interface UnreadPart {
	listId: string;
	label: string;
	reason: ActivepiecesError;
}

export interface PollResult {
	/** What has happened since the state, oldest first, up to the maximum number of items */
	items: IDataObject[];
	/** For the next poll, which finds everything else that has happened */
	state: EventState;
	unread?: UnreadPart[];
}

export interface TriggerEvent extends EventDescription {
	/**
	 * Asks the service what has happened.
	 *
	 * @param state of an earlier poll; without one, and if a poll cannot continue from it, all existing records
	 * count as known
	 * @param isStale whether a later state was lost: see `state.ts`
	 */
	poll(context: EventContext, state: EventState | undefined, isStale: boolean): Promise<PollResult>;
	/**
	 * A real, recent record for Fetch Test Event.
	 *
	 * @throws {ActivepiecesError} when there is none
	 */
	example(context: EventContext): Promise<IDataObject>;
	/** Adds to the records what they lack; by default the names of their projects */
	enrich?(context: EventContext, records: IDataObject[]): Promise<IDataObject[]>;
}
