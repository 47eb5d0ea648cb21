import type { IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';

import type { TriggerMemory } from './state';

/**
 * One activation of a workflow. It stands for n8n's context of it, which must not be remembered: it holds
 * the whole workflow, and what is remembered outlives it.
 */
export interface Activation {
	/** Whether a poll is under way: n8n begins the next one at its time all the same */
	isBusy: boolean;
	/** Whether a poll of it has begun before */
	isKnown: boolean;
}

/** Activations by n8n's context, which it makes when it activates a workflow, and polls with from then on. */
const activations = new WeakMap<object, Activation>();

/** Ways of activating that begin anew: what happened while the workflow was inactive is not given. */
export const FRESH: WorkflowActivateMode[] = ['activate', 'create'];

/**
 * Ways of activating in which nobody reads why it was refused. n8n 2 gives up after a few attempts then, and
 * the workflow stays active without a trigger.
 */
export const UNATTENDED: WorkflowActivateMode[] = ['init', 'leadershipChange'];

export function activationOf(poll: IPollFunctions): Activation {
	const activation = activations.get(poll) ?? { isBusy: false, isKnown: false };
	activations.set(poll, activation);
	return activation;
}

/**
 * Notes that a poll begins, and gives whether it is the first of an activation: the test of it. n8n's durable scheduler, which is off by
 * default, makes a context in the mode `update` for every poll, so two of those in a row are not activations.
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
