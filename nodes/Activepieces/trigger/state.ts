/**
 * The state of a trigger, from which its next poll continues. Where it is kept, and which one counts:
 *
 * - n8n stores it with an execution that a poll has started, and after the first poll of an activation.
 *   The state of a poll that returned items is therefore left to n8n: if n8n drops the items, it drops
 *   the state with them, and the next poll returns them again.
 * - n8n stores nothing after a poll without items. That state is remembered here while the process
 *   lives, with the revision that n8n had stored then.
 * - A poll continues from the remembered state as long as n8n has stored nothing else since, otherwise
 *   from the stored one. The stored state is *stale* when a later one was lost: n8n was restarted, or
 *   has dropped items. No event may be lost then, and none repeated that the state can recognize.
 */
import type { IDataObject } from 'n8n-workflow';

import { limits } from '../transport/limits';
import { isRecord } from '../transport/values';
import type { EventContext, EventState } from './event';

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

interface LastState {
	/** That of the last poll's state */
	revision: string;
	/** State of the last poll that returned no items */
	state?: StoredState;
	/** The revision that n8n had stored before it; undefined when it had stored none */
	base?: string;
}

/** What this process remembers of a trigger. */
export interface TriggerMemory {
	last?: LastState;
	/** Number of consecutive polls that found the service down */
	failures: number;
	/** Number of consecutive polls that could not read a part of what is watched, by its list */
	unread: ReadonlyMap<string, number>;
	turn: EventContext['turn'];
	/** The activation that has started the last poll */
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
	const fresh: TriggerMemory = { failures: 0, unread: new Map(), turn: {} };
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

/**
 * Reads what an earlier poll has stored. A state in another shape, whoever wrote it, counts as no state,
 * so that watching restarts.
 *
 * @returns undefined when there is no state or something else was watched
 */
function readStored(staticData: IDataObject, fingerprint: string): StoredState | undefined {
	const raw = staticData[STATE_KEY];
	if (!isRecord(raw) || raw.fingerprint !== fingerprint || raw.version !== STATE_VERSION) {
		return undefined;
	}
	// A copy, because n8n's object reports every change to n8n.
	const { revision, event } = JSON.parse(JSON.stringify(raw)) as IDataObject;
	if (typeof revision !== 'string' || !isRecord(event)) return undefined;
	return { version: STATE_VERSION, fingerprint, revision, event };
}

/** Chooses between the remembered and the stored state. */
function chooseState(
	{ revision, state, base }: Partial<LastState>,
	stored: StoredState | undefined,
	fingerprint: string,
): { last?: StoredState; isStale: boolean; base?: string } {
	// Something else was watched last, even if n8n has not stored it.
	if (state !== undefined && state.fingerprint !== fingerprint) {
		return { isStale: false, base: stored?.revision };
	}
	const isStored = stored !== undefined && stored.revision === revision;
	if (state === undefined || (isStored && state.revision !== revision)) {
		return { last: stored, isStale: !isStored, base: stored?.revision };
	}
	if (isStored || stored?.revision === state.revision || stored?.revision === base) {
		return { last: state, isStale: state.revision !== revision, base };
	}
	return { last: stored, isStale: true, base: stored?.revision };
}

/**
 * The state from which a poll continues, undefined when watching starts, and the function that saves the
 * one for the next poll.
 *
 * @param fingerprint identifies what is watched now
 */
export function openState(staticData: IDataObject, memory: TriggerMemory, fingerprint: string) {
	const stored = readStored(staticData, fingerprint);
	const { last, isStale, base } = chooseState(memory.last ?? {}, stored, fingerprint);
	return {
		last: last?.event,
		isStale,
		/** @param isGiven whether the poll returns items */
		save(event: EventState, isGiven: boolean): void {
			const isNew = isGiven || last === undefined;
			const revision = isNew ? Math.random().toString(36).slice(2) : last.revision;
			const state = { version: STATE_VERSION, fingerprint, revision, event };
			// n8n takes every write for a change.
			if (JSON.stringify(staticData[STATE_KEY]) !== JSON.stringify(state)) {
				staticData[STATE_KEY] = { ...state };
			}
			memory.last = isGiven ? { ...memory.last, revision } : { revision, state, base };
		},
	};
}
