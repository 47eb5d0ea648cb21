import type {
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { toNodeError, userMessageOf } from '../execution/nodeError';
import { type DecryptedCredential, secretsOfCredential } from '../transport/client';
import { type Deadline, startDeadline } from '../transport/exchange';
import { ActivepiecesError, RunEndedError } from '../transport/error';
import { limits } from '../transport/limits';
import { Run, untilAborted } from '../transport/run';
import type { PollResult } from './event';
import { configuredEvent, credentialOf } from './eventContext';
import { failureOf, isTemporary, judgeUnread, timeLimitError } from './failures';
import { clearState, forgetState, memoryOf, openState, type TriggerMemory } from './state';

/** Activation modes that start from scratch: what happened while the workflow was inactive is not returned. */
const FRESH_MODES: WorkflowActivateMode[] = ['activate', 'create'];

/**
 * Activation modes in which nobody reads the reason of a refusal. n8n 2 gives up after a few attempts,
 * and the workflow stays active without a trigger.
 */
const UNATTENDED_MODES: WorkflowActivateMode[] = ['init', 'leadershipChange'];

/**
 * One activation of a workflow. It represents n8n's context, which must not be kept: it contains the
 * whole workflow, and what the trigger remembers outlives it.
 */
interface Activation {
	/** Whether a poll is in progress; n8n starts the next one at its time anyway */
	isBusy: boolean;
}

/** Keyed by n8n's context, which n8n makes when it activates a workflow and then uses for its polls. */
const activations = new WeakMap<object, Activation>();

/** One call by n8n at a time of Poll Times. */
interface Call {
	context: IPollFunctions;
	memory: TriggerMemory;
	/** Whether it is the first of an activation, which is the test of the activation */
	isFirst: boolean;
	/** Set as soon as it is read, so that messages can be redacted */
	credential?: DecryptedCredential;
}

const toOutput = (items: IDataObject[]): INodeExecutionData[][] | null =>
	items.length === 0 ? null : [items.map((json) => ({ json }))];

const toThrow = ({ context, credential }: Pick<Call, 'context' | 'credential'>, error: unknown) =>
	toNodeError(context.getNode(), error, {
		secrets: secretsOfCredential(credential),
		failure: failureOf(error),
	});

/** An error as a line in n8n's log. */
const toLine = ({ context, credential }: Call, error: unknown): string =>
	`${context.getNode().name}: ${userMessageOf(error, { secrets: secretsOfCredential(credential) }).message}`;

async function fetchTestEvent(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	let credential: DecryptedCredential | undefined;
	try {
		credential = await credentialOf(context);
		const configured = configuredEvent(context, credential, new Run());
		const { event } = configured;
		const last = { isStale: false, givenUp: { lists: [] } };
		const fields = configured.context(last);
		const example = await event.example(fields);
		if (example !== undefined) return toOutput([example]);
		const { noExample } = event;
		throw new ActivepiecesError(typeof noExample === 'function' ? noExample(fields) : noExample);
	} catch (error) {
		throw toThrow({ context, credential }, error);
	}
}

/** The static data of the node, without remembered data that no longer applies. */
function beginWatching({ context, memory, isFirst }: Call): IDataObject {
	const staticData = context.getWorkflowStaticData('node');
	if (!isFirst) return staticData;
	const mode = context.getActivationMode();
	memory.failures = 0;
	memory.unread = new Map();
	// After a start or a change of the leader, another process may have polled last.
	if (mode !== 'update') forgetState(memory);
	if (FRESH_MODES.includes(mode)) clearState(staticData);
	return staticData;
}

/**
 * Returns what has happened since the last poll, and saves the state for the next one.
 *
 * @param activation another one may start to poll meanwhile, when a change is published
 * @param deadline when it is reached, another poll may have started, and nothing is saved
 */
async function pollEvent(call: Call, activation: Activation, run: Run, deadline: Deadline) {
	const { memory } = call;
	const staticData = beginWatching(call);
	call.credential = await credentialOf(call.context);
	const { event, fingerprint, context } = configuredEvent(call.context, call.credential, run);
	const { last, isStale, save } = openState(staticData, memory, fingerprint, event.isState);
	const result = await event.poll(context({ isStale, givenUp: memory.givenUp }), last);
	if (deadline.isOver) throw new RunEndedError();
	const isNewest = memory.activation === activation;
	save(result.state, { isGiven: result.items.length > 0, isNewest });
	return result;
}

/** Reports to n8n what was wrong with a poll that returns items anyway, and returns them. */
function settleOutput(call: Call, { items, unread = [] }: PollResult) {
	const { context, memory } = call;
	memory.failures = 0;
	const { counts, warning, error } = judgeUnread(unread, memory.unread);
	memory.unread = counts;
	if (warning !== undefined) {
		const told = new ActivepiecesError({ message: warning, description: '' });
		context.logger.warn(toLine(call, told));
	}
	if (error !== undefined) {
		if (items.length === 0) throw error;
		// A poll that throws returns nothing, so the error is reported beside the items.
		context.__emitError(toThrow(call, error));
	}
	return toOutput(items);
}

/** Logs a failed poll if it is tolerated; otherwise throws. */
function settleFailure(call: Call, error: unknown): null {
	const { context, memory, isFirst } = call;
	const { logger } = context;
	const line = `${toLine(call, error)}. The next poll tries again.`;
	if (isTemporary(error)) {
		if (!isFirst && ++memory.failures > limits.triggerToleratedFailures) throw toThrow(call, error);
		logger.warn(line);
	} else {
		const isRead = !isFirst || !UNATTENDED_MODES.includes(context.getActivationMode());
		if (isRead) throw toThrow(call, error);
		logger.error(line);
	}
	return null;
}

/**
 * Handles n8n's calls at Poll Times, at the activation of a workflow, and for Fetch Test Event. A
 * service that is down for one or two polls causes only a line in n8n's log, and so does everything that
 * would prevent n8n from activating a workflow by itself. All other errors are thrown.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return await fetchTestEvent(this);

	const isFirst = !activations.has(this);
	const activation = activations.get(this) ?? { isBusy: false };
	if (activation.isBusy) return null;
	activation.isBusy = true;
	activations.set(this, activation);
	const memory = memoryOf(this.getWorkflow().id, this.getNode());
	if (isFirst) memory.activation = activation;
	// The memory of triggers is limited.
	memory.activation ??= activation;
	const call: Call = { context: this, memory, isFirst };
	const deadline = startDeadline(limits.triggerPollMs);
	const ended = new AbortController();
	try {
		const polling = pollEvent(call, activation, new Run(ended.signal), deadline);
		const result = await untilAborted(polling, deadline.signal, () => {});
		// The workflow was published meanwhile: its new activation gives these events.
		if (memory.activation !== activation) return null;
		return settleOutput(call, result);
	} catch (error) {
		return settleFailure(
			call,
			deadline.isOver ? timeLimitError('The poll did not finish', limits.triggerPollMs) : error,
		);
	} finally {
		deadline.release();
		// The rest is not needed, and a Timeout may be an hour.
		ended.abort();
		activation.isBusy = false;
	}
}
