/**
 * The state of a trigger, from which its next poll continues. Where it is kept, and which one counts:
 *
 * - n8n stores it with an execution that a poll has started, and after the first poll of an activation.
 *   The state of a poll that returned items is therefore left to n8n: if n8n drops the items, it drops
 *   the state with them, and the next poll returns them again.
 * - A poll reads the object that n8n keeps for an activation, with what n8n has not stored. After a new activation, and
 *   in every poll with n8n 2's durable scheduler, it reads what the database has. n8n drops items only with the
 *   activation, when a change is published during the poll.
 * - n8n stores nothing after a poll without items. That state is remembered here while the process
 *   lives, with the revision that n8n had stored then.
 * - A poll continues from the remembered state as long as n8n has stored nothing else since, otherwise
 *   from the stored one. The stored state is *stale* when a later one was lost: n8n was restarted, or
 *   has dropped items. No event may be lost then, and none repeated that the state can recognize.
 */
import type { IDataObject } from 'n8n-workflow';

import { locatorValue } from '../descriptions/parameters';
import { limits } from '../transport/limits';
import { isRecord } from '../transport/values';
import type { EventState, TriggerEvent } from './event';
import type { EventContext } from './eventContext';

/** The state as n8n's static data contains it. */
interface StoredState {
	/** Version of the shape; other versions are not read */
	version: number;
	/** Identifies what is watched; watching restarts when it changes */
	fingerprint: string;
	/** Changes when items were returned, so that an old state is not taken for the last one */
	revision: string;
	event: EventState;
}

/**
 * What is remembered of the last poll. The revisions after each of some polls:
 *
 *                       stored by n8n   revision   state   base   the next poll continues from
 *     first, no items   r1              r1         r1      –      `state`
 *     items             r2              r2         r1      –      the stored state: n8n has stored it since
 *     no items          r2              r2         r2      r2     `state`, which is newer
 *     items, dropped    r2              r3         r2      r2     `state`, which is stale: that of r3 was lost
 *     n8n is restarted  r2              –          –       –      the stored state, which is stale
 */
interface LastPoll {
	revision: string;
	/** Of the last poll that returned no items */
	state?: StoredState;
	/** The revision that n8n had stored before `state`; undefined when it had stored none */
	base?: string;
}

/** What this process remembers of a trigger. */
export interface TriggerMemory {
	lastPoll?: LastPoll;
	/** Number of consecutive polls that found the service down */
	failures: number;
	/** Number of consecutive polls that could not read a part of what is watched, by its list */
	unreadPolls: ReadonlyMap<string, number>;
	/** See `EventContext` */
	startWith: EventContext['startWith'];
	/** The newest activation: a poll of an older one saves nothing */
	activation?: object;
}

/** Increased when the shape changes; watching restarts then. */
const STATE_VERSION = 2;

export const STATE_KEY = 'activepieces';

/** Keyed by workflow, ID and name of the node; those polled last are at the end. */
export const memories = new Map<string, TriggerMemory>();

/**
 * @param node its name is part of the key: n8n keeps another state under another name, and two nodes of
 * an imported workflow may have the same ID
 */
export function memoryOf(workflowId: string | undefined, node: { id: string; name: string }) {
	const key = JSON.stringify([workflowId, node.id, node.name]);
	const fresh: TriggerMemory = { failures: 0, unreadPolls: new Map(), startWith: {} };
	const memory = memories.get(key) ?? fresh;
	memories.delete(key);
	memories.set(key, memory);
	// n8n does not report when a workflow is deleted.
	for (const oldest of memories.keys()) {
		if (memories.size <= limits.triggerRemembered) break;
		memories.delete(oldest);
	}
	return memory;
}

/** Identifies what an event watches: watching restarts when it changes. */
export function fingerprintOf(event: TriggerEvent, context: EventContext): string {
	const values = event.watchedFields.map((name) => {
		const value = locatorValue(context.get(name, null));
		if (!Array.isArray(value)) return [name, value];
		// As JSON, because an object from an expression may have no text.
		return [name, value.map((each) => JSON.stringify(each)).sort()];
	});
	return JSON.stringify([event.value, context.client.baseUrl, context.credentialId, values]);
}

/** What n8n has stored; undefined when there is nothing, or something else was watched. */
function readStored(staticData: IDataObject, fingerprint: string): StoredState | undefined {
	const raw = staticData[STATE_KEY];
	if (!isRecord(raw) || raw.fingerprint !== fingerprint || raw.version !== STATE_VERSION) {
		return undefined;
	}
	// A copy, because n8n's object reports every change to n8n.
	return JSON.parse(JSON.stringify(raw)) as StoredState;
}

/**
 * The state from which a poll continues, undefined when watching starts, and the function that saves the
 * one for the next poll. `LastPoll` shows examples.
 *
 * @param fingerprint identifies what is watched now
 */
export function openState(staticData: IDataObject, memory: TriggerMemory, fingerprint: string) {
	const stored = readStored(staticData, fingerprint);
	const { revision: lastRevision, state, base } = memory.lastPoll ?? {};
	// Something else was watched last, even if n8n has not stored it.
	const isOther = state !== undefined && state.fingerprint !== fingerprint;
	// n8n has stored nothing else since the remembered state: that state itself, or the one before polls without items.
	const isRemembered = !isOther && state && [state.revision, base].includes(stored?.revision);
	const current = isOther ? undefined : isRemembered ? state : stored;
	return {
		eventState: current?.event,
		// A later one was lost: n8n has dropped the items of the last poll, or this process has not polled it.
		isStale: current?.revision !== lastRevision,
		/** @param hasItems whether the poll returns items */
		save(event: EventState, hasItems: boolean): void {
			const keepsRevision = !hasItems && current !== undefined;
			const revision = keepsRevision ? current.revision : Math.random().toString(36).slice(2);
			const next = { version: STATE_VERSION, fingerprint, revision, event };
			// n8n takes every write for a change.
			if (JSON.stringify(staticData[STATE_KEY]) !== JSON.stringify(next)) {
				staticData[STATE_KEY] = { ...next };
			}
			// The state of items that are returned is left to n8n.
			memory.lastPoll = hasItems
				? { ...memory.lastPoll, revision }
				: { revision, state: next, base: isRemembered ? base : stored?.revision };
		},
	};
}
