/**
 * The state of a trigger: what its next poll goes on from. Where it is kept, and which one counts:
 *
 * - n8n stores it with an execution that a poll has started, and after the poll of an activation. So the state
 *   of a poll that gave something is left to n8n: when n8n drops the result, it drops the state with it, and
 *   the events come again.
 * - n8n stores nothing after a poll that gave nothing. That state is remembered here while the process lives,
 *   with the revision that n8n had stored then.
 * - A poll goes on from the remembered state as long as n8n has stored nothing else since, and from the stored
 *   one otherwise. It is *stale* when a later one has been lost: n8n was restarted, or has dropped a result.
 *   Nothing may be lost for it, and nothing repeated that the state can tell.
 */
import type { IDataObject } from 'n8n-workflow';

import { limits } from '../transport/limits';
import { isRecord } from '../transport/values/isRecord';
import type { EventState, TriggerEvent } from './event';
import { ProjectTurns } from './projectTurns';
import { readClock, type ServerClock } from './serviceTime';

/** The state as it stands in n8n's static data. */
interface StoredState {
	/** Version of the shape; another one is not read */
	version: number;
	/** Text of what is watched; watching begins anew when it changes */
	fingerprint: string;
	/** Changes when something was given, so that an old state is not taken for the last one */
	revision: string;
	event: EventState;
	/** The server's clock; nothing while it never told a time */
	clock?: ServerClock;
}

/** The memory that this process has of a trigger. */
export interface TriggerMemory {
	/** Revision of the last poll's state */
	revision?: string;
	/** The last state by which nothing was given */
	state?: StoredState;
	/** The revision that n8n had stored before it; nothing when it had stored none */
	base?: string;
	/** Polls in a row that found the service down */
	failures: number;
	/** Polls in a row that could not read a part of what is watched, by its ID */
	unread: ReadonlyMap<string, number>;
	/** The order in which the next poll reads projects */
	turns: ProjectTurns;
	/** A time of the server was doubted, which is told once */
	isTimeDoubted?: boolean;
	/** The activation which has begun to poll last */
	activation?: object;
	/** The last poll was the first one of its context, in the mode `update` */
	wasUpdate?: boolean;
}

/** Raised when the shape changes: watching begins anew then. */
const STATE_VERSION = 1;

/** Its key in the static data of the node */
const KEY = 'activepieces';

/** Memories by workflow, ID and name of the node, those polled last at the end. */
export const memories = new Map<string, TriggerMemory>();

/**
 * @param node its name counts as well: under another one n8n keeps another state, and two nodes of an imported
 * workflow may have the same ID
 */
export function memoryOf(
	workflowId: string | undefined,
	node: { id: string; name: string },
): TriggerMemory {
	const key = JSON.stringify([workflowId, node.id, node.name]);
	const memory: TriggerMemory = memories.get(key) ?? {
		failures: 0,
		unread: new Map(),
		turns: new ProjectTurns(),
	};
	memories.delete(key);
	memories.set(key, memory);
	// n8n does not say when a workflow is deleted.
	for (const oldest of memories.keys()) {
		if (memories.size <= limits.triggerRemembered) break;
		memories.delete(oldest);
	}
	return memory;
}

/** Leaves only what n8n has stored. */
export function forgetState(memory: TriggerMemory): void {
	delete memory.revision;
	delete memory.state;
	delete memory.base;
}

/** Whether n8n hands out an object: by hand, or in an import, anything can come into its place. */
const isStorable = (staticData: unknown): boolean => isRecord(staticData);

export function clearState(staticData: IDataObject): void {
	if (isStorable(staticData)) delete staticData[KEY];
}

/** A copy, since n8n hands out an object that tells it of every change; nothing of what is too large. */
function copyOf(stored: unknown): unknown {
	try {
		const text = JSON.stringify(stored) ?? 'null';
		return text.length > limits.triggerMaxStateLength ? undefined : JSON.parse(text);
	} catch {
		// Nested too deeply.
		return undefined;
	}
}

/**
 * Reads what an earlier poll has stored. Everything that is not of our shape, whoever wrote it, counts as
 * no state, so that watching begins anew.
 *
 * @returns nothing when there is no state or another thing was watched
 */
function readStored(
	staticData: IDataObject,
	fingerprint: string,
	isState: TriggerEvent['isState'],
): StoredState | undefined {
	const raw = isStorable(staticData) ? staticData[KEY] : undefined;
	if (!isRecord(raw) || raw.fingerprint !== fingerprint) return undefined;
	const stored = copyOf(raw);
	if (!isRecord(stored) || stored.version !== STATE_VERSION) return undefined;
	const { revision, event } = stored;
	if (typeof revision !== 'string' || !isRecord(event) || !isState(event)) return undefined;
	const clock = readClock(stored.clock);
	return { version: STATE_VERSION, fingerprint, revision, event, ...(clock && { clock }) };
}

function writeStored(staticData: IDataObject, state: StoredState): void {
	if (!isStorable(staticData)) return;
	// n8n takes every writing for a change.
	if (JSON.stringify(staticData[KEY]) === JSON.stringify(state)) return;
	staticData[KEY] = { ...state } as IDataObject;
}

/** Chooses between the remembered and the stored state. */
function chooseState(
	{ revision, state, base }: TriggerMemory,
	stored: StoredState | undefined,
	fingerprint: string,
): { last?: StoredState; isStale: boolean; base?: string } {
	// Another thing was watched last, even if n8n has not stored that.
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

const newRevision = (): string => Math.random().toString(36).slice(2);

/** The state that a poll goes on from, and how it is left to the next one. */
export interface TriggerState {
	/** State of the last poll; nothing when watching begins */
	last?: { event: EventState; clock?: ServerClock };
	isStale: boolean;
	/**
	 * @param isGiven whether the poll gives something
	 * @param isNewest whether no other activation has begun to poll meanwhile
	 */
	save(
		next: { event: EventState; clock?: ServerClock },
		how: { isGiven: boolean; isNewest: boolean },
	): void;
}

/** @param fingerprint what is watched now */
export function openState(
	staticData: IDataObject,
	memory: TriggerMemory,
	fingerprint: string,
	isState: TriggerEvent['isState'],
): TriggerState {
	const stored = readStored(staticData, fingerprint, isState);
	const { last, isStale, base } = chooseState(memory, stored, fingerprint);
	return {
		last,
		isStale,
		save({ event, clock }, { isGiven, isNewest }) {
			const revision = isGiven || last === undefined ? newRevision() : last.revision;
			const version = STATE_VERSION;
			const state = { version, fingerprint, revision, event, ...(clock && { clock }) };
			writeStored(staticData, state);
			if (!isNewest) return;
			memory.revision = revision;
			// A state that cannot be stored is remembered, so that nothing is repeated until n8n restarts.
			if (isGiven && isStorable(staticData)) return;
			memory.state = state;
			memory.base = base;
		},
	};
}
