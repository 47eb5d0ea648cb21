import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../descriptions/outputMode';
import type { OperationContext } from '../execution/operationContext';
import type { ActivepiecesError, UserMessage } from '../transport/errors/activepiecesError';

/** What one event keeps between polls; n8n stores it as JSON. */
export type EventState = IDataObject;

/** What an event has to look at the service with. */
export interface EventContext extends OperationContext {
	/** What the node gives for a record: simplified or as it is; nothing of it while watching begins */
	output(record: IDataObject, simplify: Simplify): IDataObject;
	/** The time of the service in milliseconds, from its first answer; nothing when it did not say */
	serviceTime(): number | undefined;
	/** So many occurrences are given by one poll */
	maxItems: number;
	/** A later state has been lost: n8n was restarted, or it dropped the result of a poll */
	isStale: boolean;
}

/** Something that happened, with when, by the clock of the service. */
export interface Occurrence extends IDataObject {
	/** Of the record it is about */
	id: string;
	/** Milliseconds since 1970 */
	time: number;
	/** What tells it from an earlier one of the same record */
	version: string;
	/** The project that it was listed in, where all are watched */
	project?: string;
	/** What the node gives for it; nothing when enough older ones are given by this poll */
	json?: IDataObject;
}

/** A project that could not be read while others could. */
export interface UnreadProject {
	id: string;
	name: string;
	reason: ActivepiecesError;
}

/** What one look at the service showed. */
export interface Look {
	/** What has happened since the state, the oldest first */
	occurrences: Occurrence[];
	/** The state once these are given; the others come again with the next look */
	remember(given: Occurrence[]): EventState;
	/** Projects of which the occurrences come once they can be read again */
	unread?: UnreadProject[];
}

/** One choice of the field Event. */
export interface TriggerEvent {
	/** Display name */
	name: string;
	/** As the node panel shows it; by default "On " and the name */
	action?: string;
	/** Saved in workflows */
	value: string;
	description: string;
	/** Names of the fields that are shown for it; those of Options as `options.<name>` */
	fields: string[];
	/** Names of those that decide what is watched: when one changes, watching begins anew */
	watched: string[];
	/**
	 * Whether a stored state has the shape that the event gives it. Anything can stand there: an older
	 * version of the node may have written it, or somebody by hand.
	 */
	isState(state: EventState): boolean;
	/**
	 * Looks at the service.
	 *
	 * @param state what an earlier look is remembered by; without one everything there is counts as known
	 */
	look(context: EventContext, state: EventState | undefined): Promise<Look>;
	/** A real, recent record for Fetch Test Event; nothing when there is none */
	example(context: EventContext): Promise<IDataObject | undefined>;
	/** What the person reads when there is none */
	noExample: UserMessage;
}
