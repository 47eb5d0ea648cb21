import type { IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';

import type { TriggerMemory } from './state';

/**
 * One activation of a workflow. It represents n8n's context, which must not be kept: it contains the
 * whole workflow, and what the trigger remembers outlives it.
 */
export interface Activation {
	/** Whether a poll is in progress; n8n starts the next one at its time anyway */
	isBusy: boolean;
	/** Whether an earlier poll of it has started */
	isKnown: boolean;
}

/** Keyed by n8n's context, which n8n makes when it activates a workflow and then uses for its polls. */
const activations = new WeakMap<object, Activation>();

/** Activation modes that start from scratch: what happened while the workflow was inactive is not returned. */
export const FRESH_MODES: WorkflowActivateMode[] = ['activate', 'create'];

/**
 * Activation modes in which nobody reads the reason of a refusal. n8n 2 gives up after a few attempts,
 * and the workflow stays active without a trigger.
 */
export const UNATTENDED_MODES: WorkflowActivateMode[] = ['init', 'leadershipChange'];

export function activationOf(poll: IPollFunctions): Activation {
	const activation = activations.get(poll) ?? { isBusy: false, isKnown: false };
	activations.set(poll, activation);
	return activation;
}

/**
 * Registers the start of a poll, and returns whether it is the first of an activation, which is its
 * test. n8n's durable scheduler, which is off by default, makes a context in mode `update` for every
 * poll, so two of those in a row are not activations.
 */
export function beginPoll(
	mode: WorkflowActivateMode,
	activation: Activation,
	memory: TriggerMemory,
): boolean {
	const isFirst = !activation.isKnown;
	activation.isKnown = true;
	if (isFirst) memory.activation = activation;
	const { wasUpdate } = memory;
	memory.wasUpdate = isFirst && mode === 'update';
	return isFirst && !(mode === 'update' && wasUpdate);
}
