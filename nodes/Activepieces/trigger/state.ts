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

import { locatorValue } from '../descriptions/parameters';
import { limits } from '../transport/limits';
import { isRecord } from '../transport/values';
import type { EventState, TriggerEvent } from './event';
import type { EventContext } from './eventContext';
import { OUTPUT_FIELDS } from './fields';

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
	/** See `EventContext` */
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

/** Identifies what an event watches: watching restarts when it changes. */
export function fingerprintOf(event: TriggerEvent, context: EventContext): string {
	const watched = event.fields.filter((name) => !OUTPUT_FIELDS.includes(name));
	const values = watched.map((name) => {
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
 * one for the next poll.
 *
 * @param fingerprint identifies what is watched now
 */
export function openState(staticData: IDataObject, memory: TriggerMemory, fingerprint: string) {
	const stored = readStored(staticData, fingerprint);
	const { revision: lastRevision, state, base } = memory.last ?? {};
	// Something else was watched last, even if n8n has not stored it.
	const isOther = state !== undefined && state.fingerprint !== fingerprint;
	// n8n has stored nothing else since the remembered state.
	const isRemembered = !isOther && state && [state.revision, base].includes(stored?.revision);
	const last = isOther ? undefined : isRemembered ? state : stored;
	return {
		last: last?.event,
		// A later one was lost: n8n has dropped the items of the last poll, or this process has not polled it.
		isStale: last?.revision !== lastRevision,
		/** @param isGiven whether the poll returns items */
		save(event: EventState, isGiven: boolean): void {
			const isNew = isGiven || last === undefined;
			const revision = isNew ? Math.random().toString(36).slice(2) : last.revision;
			const next = { version: STATE_VERSION, fingerprint, revision, event };
			// n8n takes every write for a change.
			if (JSON.stringify(staticData[STATE_KEY]) !== JSON.stringify(next)) {
				staticData[STATE_KEY] = { ...next };
			}
			// The state of items that are returned is left to n8n.
			memory.last = isGiven
				? { ...memory.last, revision }
				: { revision, state: next, base: isRemembered ? base : stored?.revision };
		},
	};
}

/** What the state knows of a record. */
export interface Entry<Value> {
	list: string;
	value: Value;
}

/** The state of an event that watches lists. */
export interface WatchedLists<Value> {
	/** Time of the server at the last poll */
	polled: number;
	/** Times of each list */
	lists: Map<string, number[]>;
	/** By ID of a record */
	records: Map<string, Entry<Value>>;
}

/** The latest time of a `Date` */
const MAX_TIME = 8.64e15;

/** Whether a value is a time in milliseconds since 1970; 0 means none */
const isTime = (value: unknown): value is number =>
	typeof value === 'number' && value >= 0 && value <= MAX_TIME;

/** A map is stored as `[key, value, key, value]`: as a key of an object, the ID `__proto__` would be lost. */
function* entriesOf(flat: unknown): Generator<[key: string, value: unknown]> {
	const parts: unknown[] = Array.isArray(flat) ? flat : [];
	for (let index = 0; index < parts.length; index += 2) {
		yield [String(parts[index]), parts[index + 1]];
	}
}

/**
 * @param name that of the records in the state
 * @returns undefined when no poll can continue from the state: its times are none
 */
export function parseWatched<Value>(
	state: EventState | undefined,
	name: string,
): WatchedLists<Value> | undefined {
	const { polled, lists: flat, [name]: groups } = state ?? {};
	const lists = new Map([...entriesOf(flat)].map(([list, times]) => [list, [times].flat()]));
	if (![polled, ...[...lists.values()].flat()].every(isTime)) return undefined;
	const records = new Map<string, Entry<Value>>();
	for (const [list, group] of entriesOf(groups)) {
		for (const [id, value] of entriesOf(group)) records.set(id, { list, value: value as Value });
	}
	return { polled, lists, records } as WatchedLists<Value>;
}

/** The records are grouped by their list, so that the ID of a project is stored once. */
export function writeWatched(
	watched: { polled: number; lists: Map<string, unknown>; records: Map<string, Entry<unknown>> },
	name: string,
): EventState {
	const { polled, lists, records } = watched;
	const groups = new Map<string, unknown[]>();
	for (const [id, { list, value }] of records) {
		const group = groups.get(list) ?? [];
		group.push(id, value);
		groups.set(list, group);
	}
	return { polled, lists: [...lists].flat(), [name]: [...groups].flat() } as EventState;
}
