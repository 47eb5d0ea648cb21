import { limits } from '../transport/limits';
import type { StoredState } from './state';

/**
 * What this process remembers of a trigger, beside what n8n stores. n8n stores nothing of a poll that
 * gave nothing, so what such polls have seen is kept here. What was given is not: n8n stores that, or has
 * let it fall.
 */
export interface PollMemory {
	/** That of the state which the last poll left */
	revision?: string;
	/** The last state by which nothing was given */
	state?: StoredState;
	/** The revision that n8n had stored before it; nothing when it had stored none */
	base?: string;
	/** Polls in a row that found the service down */
	failures: number;
	/** Polls in a row that could not read a project, by its ID */
	unread: Map<string, number>;
	/** That of the activation which has begun to poll last */
	activation?: Activation;
	/** The last poll was the first one of its context, in the mode `update` */
	wasUpdate?: boolean;
}

/**
 * One activation of a workflow. It stands for n8n's context of it, which must not be remembered: it holds
 * the whole workflow, and an entry here outlives it.
 */
export interface Activation {
	/** Whether a poll is under way: n8n begins the next one at its time all the same */
	isBusy: boolean;
}

/** By workflow, ID and name of the node, those polled last at the end. */
export const pollMemory = new Map<string, PollMemory>();

/**
 * @param node its name counts as well: under another one n8n keeps another state, and two nodes of an imported
 * workflow may have the same ID
 */
export function memoryOf(
	workflowId: string | undefined,
	node: { id: string; name: string },
): PollMemory {
	const key = JSON.stringify([workflowId, node.id, node.name]);
	const memory: PollMemory = pollMemory.get(key) ?? { failures: 0, unread: new Map() };
	pollMemory.delete(key);
	pollMemory.set(key, memory);
	// n8n does not say when a workflow is deleted.
	for (const oldest of pollMemory.keys()) {
		if (pollMemory.size <= limits.triggerRemembered) break;
		pollMemory.delete(oldest);
	}
	return memory;
}

/** Leaves only what n8n has stored. */
export function forgetState(memory: PollMemory): void {
	delete memory.revision;
	delete memory.state;
	delete memory.base;
}

/** What a poll goes on from. */
interface Recalled {
	/** Nothing when watching begins */
	state?: StoredState;
	/** A later state has been lost */
	isStale: boolean;
	/** The revision that n8n has stored, if it has stored nothing of the polls since then */
	base?: string;
}

/** @param stored the state that n8n has stored for what is watched now */
export function recall(
	{ revision, state, base }: PollMemory,
	stored: StoredState | undefined,
	fingerprint: string,
): Recalled {
	// Another thing was watched last, even if n8n has not stored that.
	if (state !== undefined && state.fingerprint !== fingerprint) {
		return { isStale: false, base: stored?.revision };
	}
	const isStored = stored !== undefined && stored.revision === revision;
	if (state === undefined || (isStored && state.revision !== revision)) {
		return { state: stored, isStale: !isStored, base: stored?.revision };
	}
	if (isStored || stored?.revision === state.revision || stored?.revision === base) {
		return { state, isStale: state.revision !== revision, base };
	}
	return { state: stored, isStale: true, base: stored?.revision };
}

/** Remembers what a poll left. */
export function remember(
	memory: PollMemory,
	state: StoredState,
	{ isGiven, base }: { isGiven: boolean; base?: string },
): void {
	memory.revision = state.revision;
	if (isGiven) return;
	memory.state = state;
	memory.base = base;
}
