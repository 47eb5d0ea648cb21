import type {
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { readCredential } from '../execution/credential';
import { toNodeError, userMessageOf } from '../execution/nodeError';
import { fillProjectNames } from '../resources/project/project';
import { NodeRun } from '../transport/client/run';
import { type DecryptedCredential, secretsOfCredential } from '../transport/credential/credential';
import { type Deadline, startDeadline, untilAborted } from '../transport/http/exchange';
import { limits } from '../transport/limits';
import { rememberedWith } from '../transport/n8nObjects';
import type { PollResult, TriggerEvent } from './event';
import { EventContext } from './eventContext';
import { events } from './events';
import { failureOf, isTemporaryCause, judgeUnread, timeLimitError } from './failures';

import { eventField } from './fields';
import { fingerprintOf, memoryOf, openState, STATE_KEY, type TriggerMemory } from './state';

/** Activation modes that start from scratch: what happened while the workflow was inactive is not returned. */
const FRESH_MODES: WorkflowActivateMode[] = ['activate', 'create'];

/**
 * Activation modes in which nobody reads the reason of a refusal. n8n 2 gives up after a few attempts,
 * and the workflow stays active without a trigger.
 */
const UNATTENDED_MODES: WorkflowActivateMode[] = ['init', 'leadershipChange'];

/**
 * Activations by n8n's context, which n8n makes when it activates a workflow and then uses for its polls.
 * It must not be kept, because it contains the whole workflow. `isBusy`: a poll is in progress. A poll of an
 * older activation saves nothing.
 */
const activations = rememberedWith<{ isBusy: boolean }>();

const EVENT = eventField(events);

/** One call by n8n at a time of Poll Times. */
interface Call {
	n8n: IPollFunctions;
	memory: TriggerMemory;
	/** Whether it is the first of an activation, which is the test of the activation */
	isFirst: boolean;
	/** Set as soon as it is read, so that messages can be redacted */
	credential?: DecryptedCredential;
}

const credentialOf = async (n8n: IPollFunctions) =>
	await readCredential(n8n, n8n.getNodeParameter('authentication', 'apiKey'));

const toOutput = (items: IDataObject[]): INodeExecutionData[][] | null =>
	items.length === 0 ? null : [items.map((json) => ({ json }))];

const toThrow = ({ n8n, credential }: Pick<Call, 'n8n' | 'credential'>, error: unknown) =>
	toNodeError(n8n.getNode(), error, {
		secrets: secretsOfCredential(credential),
		failure: failureOf(error),
	});

const toLine = ({ n8n, credential }: Call, error: unknown): string =>
	`${n8n.getNode().name}: ${userMessageOf(error, { secrets: secretsOfCredential(credential) }).message}`;

function configuredEvent(context: EventContext) {
	const value = EVENT.read(context);
	const event = events.find((each) => each.value === value) as TriggerEvent;
	return { complete: fillProjectNames, ...event };
}

async function fetchTestEvent(n8n: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	let credential: DecryptedCredential | undefined;
	try {
		credential = await credentialOf(n8n);
		const context = new EventContext(n8n, credential, new NodeRun());
		const event = configuredEvent(context);
		const items = [await event.example(context)];
		await event.complete(context.client, items);
		return toOutput(items);
	} catch (error) {
		throw toThrow({ n8n, credential }, error);
	}
}

/**
 * Returns the static data of the node. Before the first poll of an activation it removes from it, and from the
 * memory, what no longer applies.
 */
function resetIfFirst({ n8n, memory, isFirst }: Call): IDataObject {
	const staticData = n8n.getWorkflowStaticData('node');
	if (!isFirst) return staticData;
	const mode = n8n.getActivationMode();
	memory.failures = 0;
	memory.unreadPolls = new Map();
	// After a start or a change of the leader, another process may have polled last. Without `lastPoll` the stored state
	// counts, as stale (`LastPoll` in `state.ts`).
	if (mode !== 'update') delete memory.lastPoll;
	if (FRESH_MODES.includes(mode)) delete staticData[STATE_KEY];
	return staticData;
}

/**
 * Returns what has happened since the last poll, and saves the state for the next one.
 *
 * @param deadline when it is reached, another poll may have started, and nothing is saved
 */
async function pollEvent(call: Call, activation: object, run: NodeRun, deadline: Deadline) {
	const { n8n, memory } = call;
	const staticData = resetIfFirst(call);
	call.credential = await credentialOf(n8n);
	const context = new EventContext(n8n, call.credential, run, memory.startWith);
	const event = configuredEvent(context);
	const { eventState, isStale, save } = openState(
		staticData,
		memory,
		fingerprintOf(event, context),
	);
	const result = await event.poll(context, eventState, isStale);
	await event.complete(context.client, result.items);
	// If the workflow was published meanwhile, its new activation gives these events.
	if (deadline.isOver || memory.activation !== activation) return null;
	save(result.state, result.items.length > 0);
	return settleOutput(call, result);
}

/** Reports to n8n what was wrong with a poll that returns items anyway, and returns them. */
function settleOutput(call: Call, { items, unread = [] }: PollResult) {
	const { n8n, memory } = call;
	memory.failures = 0;
	const { counts, warning, error } = judgeUnread(unread, memory.unreadPolls);
	memory.unreadPolls = counts;
	if (warning !== undefined) n8n.logger.warn(toLine(call, warning));
	if (error !== undefined) {
		if (items.length === 0) throw error;
		// A poll that throws returns nothing, so the error is reported beside the items.
		n8n.__emitError(toThrow(call, error));
	}
	return toOutput(items);
}

/** Logs a failed poll if it is tolerated; otherwise throws. */
function settleFailure(call: Call, error: unknown): null {
	const { n8n, memory, isFirst } = call;
	const line = `${toLine(call, error)}. The next poll tries again.`;
	if (isTemporaryCause(failureOf(error)?.cause)) {
		if (!isFirst && ++memory.failures > limits.triggerToleratedFailures) throw toThrow(call, error);
		n8n.logger.warn(line);
	} else {
		const hasReader = !isFirst || !UNATTENDED_MODES.includes(n8n.getActivationMode());
		if (hasReader) throw toThrow(call, error);
		n8n.logger.error(line);
	}
	return null;
}

/**
 * Handles n8n's calls at Poll Times, at the activation of a workflow, and for Fetch Test Event. A
 * service that is down for one or two polls causes only a line in n8n's log, and so does everything that
 * would prevent n8n from activating a workflow by itself. All other errors are thrown.
 *
 * Its limits of time, the shortest first: `poll` for repeating requests, `triggerRequestTimeoutMs` (with a Timeout in the
 * credential `triggerMaxRequestMs`) for each request, `triggerReadMs` for reading on when it has items,
 * `triggerProjectsMs` for beginning with further projects, and `triggerPollMs` for all.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return await fetchTestEvent(this);

	const isFirst = !activations.has(this);
	const activation = activations.get(this) ?? { isBusy: false };
	if (activation.isBusy) return null;
	activation.isBusy = true;
	activations.set(this, activation);
	const memory = memoryOf(this.getWorkflow().id, this.getNode());
	// A later poll finds none if the trigger was forgotten, because the memory is limited.
	if (isFirst || memory.activation === undefined) memory.activation = activation;
	const call: Call = { n8n: this, memory, isFirst };
	const deadline = startDeadline(limits.triggerPollMs);
	const ended = new AbortController();
	try {
		const polling = pollEvent(call, activation, new NodeRun(ended.signal), deadline);
		return await untilAborted(polling, deadline.signal, () => {});
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
