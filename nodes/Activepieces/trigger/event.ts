import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../descriptions/output';
import { Fields } from '../execution/fields';
import type { ApiClient } from '../transport/client/client';
import type { ActivepiecesError } from '../transport/errors/error';
import { limits } from '../transport/limits';

/** The state that an event keeps between polls; n8n stores it as JSON. */
export type EventState = IDataObject;

/** What an event gets for one poll. */
export class EventContext extends Fields {
	/** The first list that the last poll did not reach, with which this one starts */
	turn: { next?: string } = {};
	/** Whether a later state was lost: see `state.ts` */
	isStale = false;
	/** Aborts when unread projects should be left to the next polls */
	readonly timeLimit = AbortSignal.timeout(limits.triggerProjectsMs);
	private readonly lateAt = performance.now() + limits.triggerReadMs;

	constructor(
		{ getParameter, getTimezone }: Fields,
		readonly client: ApiClient,
		/**
		 * The time of the server, from its first response, in milliseconds since 1970. Before that, and if it
		 * sends none, the time of n8n.
		 */
		readonly now: () => number,
		readonly maxItems: number,
		private readonly isSimplified: boolean,
	) {
		super(getParameter, getTimezone);
	}

	/** Whether the poll should return what it has, because it has taken long. */
	isLate(): boolean {
		return performance.now() >= this.lateAt;
	}

	output(record: IDataObject, simplify: Simplify): IDataObject {
		return this.isSimplified ? simplify(record, this.client) : record;
	}
}

/**
 * A part of what is watched that could not be read while others could: a project, or the global
 * connections.
 */
export interface UnreadPart {
	/** The list as the state names it */
	list: string;
	label: string;
	isProject: boolean;
	reason: ActivepiecesError;
}

export interface PollResult {
	/** What has happened since the state, oldest first, up to the maximum number of items */
	items: IDataObject[];
	/** For the next poll, which finds everything else that has happened */
	state: EventState;
	unread?: UnreadPart[];
}

export interface TriggerEvent {
	name: string;
	/** Name in the node panel; by default "On " and the name */
	action?: string;
	/** Saved by workflows */
	value: string;
	description: string;
	/**
	 * Names of the fields that decide what is watched; those in Options as `options.<name>`. They are shown for
	 * the event, and a change of one starts watching again.
	 */
	fields: string[];
	/**
	 * Asks the service what has happened.
	 *
	 * @param state of an earlier poll; without one, all existing records count as known. It may contain
	 * anything, and counts as none if it has another shape: an older version of the node may have written it,
	 * or a person
	 */
	poll(context: EventContext, state: EventState | undefined): Promise<PollResult>;
	/**
	 * A real, recent record for Fetch Test Event.
	 *
	 * @throws {ActivepiecesError} when there is none
	 */
	example(context: EventContext): Promise<IDataObject>;
}
