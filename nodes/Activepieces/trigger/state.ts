/**
 * The state of a trigger, from which its next poll continues, and which one counts:
 *
 * - n8n stores it with an execution that a poll has started, and after the first poll of an activation. The state of a
 *   poll that returned items is left to n8n: if n8n drops the items, because a change is published during the poll, it
 *   drops the state with them, and the next poll returns them again.
 * - n8n stores nothing after a poll without items, and reads what is stored at each activation, and at each poll with
 *   n8n 2's scheduler for polls. That state is remembered here while the process lives. It counts as long as n8n has
 *   stored no items since: the *revision* of the stored state is the same.
 * - The state is *stale* if a later one was lost: n8n was restarted, or has dropped items. No event may be lost then, and
 *   none repeated that the state can recognize.
 */
import type { IDataObject } from 'n8n-workflow';

import { locatorValue } from '../descriptions/parameters';
import { isRecord } from '../transport/values';
import type { EventState, TriggerEvent } from './event';
import type { EventContext } from './eventContext';
import { parameterOf } from './fields';

/** The state as n8n's static data contains it. */
interface StoredState {
	/** Version of the shape; other versions are not read */
	version: number;
	/** Identifies what is watched; watching restarts when it changes */
	fingerprint: string;
	/** Identifies the last poll that returned items; undefined before the first one */
	revision?: string;
	event: EventState;
}

/** An activation of a trigger, and what this process remembers of the trigger. */
export interface Activation {
	/** Whether a poll is in progress */
	isBusy: boolean;
	/** Number of consecutive polls that could not read everything */
	failures: number;
	/** Of the last poll that returned no items */
	state?: StoredState;
	/** The revision after the last poll; null before the first one of the process */
	revision: string | null | undefined;
}

/** Increased when the shape changes; watching restarts then. */
const STATE_VERSION = 2;

export const STATE_KEY = 'activepieces';

/**
 * The newest activation of each trigger. n8n does not report when a workflow is deleted: what is here of it, usually less
 * than 40 kB, stays until n8n ends.
 */
export const activations = new Map<string, Activation>();

/**
 * Identifies a trigger, with the name of its node: n8n keeps another state under another name, and two nodes of an
 * imported workflow may have the same ID.
 */
export const keyOf = (workflowId: string | undefined, { id, name }: { id: string; name: string }) =>
	JSON.stringify([workflowId, id, name]);

/** Identifies what an event watches: watching restarts when it changes. */
export function fingerprintOf(event: TriggerEvent, context: EventContext): string {
	const values = event.watchedFields.map((field) => {
		const name = parameterOf(field);
		const value = locatorValue(context.get(name, null));
		// Conditions as the workflow saves them, because they may compare with the time of the poll.
		if (isRecord(value)) return [name, context.raw(name, null)];
		if (!Array.isArray(value)) return [name, value];
		// As JSON, because an object from an expression may have no text.
		return [name, value.map((each) => JSON.stringify(each)).sort()];
	});
	return JSON.stringify([event.value, context.client.baseUrl, context.credentialId, values]);
}

/** What n8n has stored; undefined when there is nothing. */
function readStored(staticData: IDataObject): StoredState | undefined {
	const raw = staticData[STATE_KEY];
	if (!isRecord(raw) || raw.version !== STATE_VERSION) return undefined;
	// A copy, because n8n's object reports every change to n8n.
	return JSON.parse(JSON.stringify(raw)) as StoredState;
}

/**
 * The state from which a poll continues, undefined when watching starts, and the function that saves the one for the
 * next poll.
 *
 * @param fingerprint identifies what is watched now
 */
export function openState(staticData: IDataObject, activation: Activation, fingerprint: string) {
	const stored = readStored(staticData);
	const { state } = activation;
	const current = state !== undefined && state.revision === stored?.revision ? state : stored;
	return {
		eventState: current?.fingerprint === fingerprint ? current.event : undefined,
		isStale: current?.revision !== activation.revision,
		/** @param hasItems whether the poll returns items */
		save(event: EventState, hasItems: boolean): void {
			const revision = hasItems ? Math.random().toString(36).slice(2) : current?.revision;
			const next = { version: STATE_VERSION, fingerprint, revision, event };
			// n8n takes every write for a change.
			if (JSON.stringify(staticData[STATE_KEY]) !== JSON.stringify(next)) {
				staticData[STATE_KEY] = { ...next };
			}
			activation.revision = revision;
			if (!hasItems) activation.state = next;
		},
	};
}
