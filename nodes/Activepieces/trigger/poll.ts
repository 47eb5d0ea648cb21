/* What n8n calls at each of the Poll Times: from its call to the items that it gets, or to a line in its log. */
import type {
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { Call } from '../execution/call';
import { fieldsOf } from '../execution/fieldReader';
import { fillProjectNames } from '../resources/project/project';
import { NodeRun } from '../transport/client/nodeRun';
import { startDeadline, untilAborted } from '../transport/http/exchange';
import { limits } from '../transport/limits';
import { rememberedWith } from '../transport/n8nObjects';
import type { PollResult, TriggerEvent } from './event';
import { EventContext } from './eventContext';
import { events } from './events';
import { failureOf, isTemporaryCause, timeLimitError, unreadError } from './failures';
import { eventField } from './fields';
import { activations, fingerprintOf, keyOf, openState, STATE_KEY, type Activation } from './state';

/** Activation modes that start from scratch: what happened while the workflow was inactive is not returned. */
const FRESH_MODES: WorkflowActivateMode[] = ['activate', 'create'];

/**
 * Activation modes in which nobody reads the reason of a refusal. n8n 2 gives up after a few attempts,
 * and the workflow stays active without a trigger.
 */
const UNATTENDED_MODES: WorkflowActivateMode[] = ['init', 'leadershipChange'];

/**
 * By n8n's context, which n8n makes when it activates a workflow and then uses for its polls. It must not be kept, because
 * it contains the whole workflow.
 */
const activationsByContext = rememberedWith<Activation>();

const EVENT = eventField(events);

/** One call by n8n at a time of Poll Times. */
class PollCall extends Call<IPollFunctions> {
	constructor(
		n8n: IPollFunctions,
		readonly activation: Activation,
		/** Whether it is the first of an activation, which is the test of the activation */
		readonly isFirst: boolean,
	) {
		super(n8n, fieldsOf(n8n));
	}
}

const toOutput = (items: IDataObject[]): INodeExecutionData[][] | null =>
	items.length === 0 ? null : [items.map((json) => ({ json }))];

const toThrow = (call: Call, error: unknown) =>
	call.toNodeError(error, { failure: failureOf(error) });

const toLine = (call: Call, error: unknown): string =>
	`${call.n8n.getNode().name}: ${call.messageOf(error)}`;

const addProjectNames: NonNullable<TriggerEvent['enrich']> = async ({ client }, records) => {
	await fillProjectNames(client, records);
	return records;
};

function configuredEvent(context: EventContext) {
	const value = EVENT.read(context);
	const event = events.find((each) => each.value === value) as TriggerEvent;
	return { enrich: addProjectNames, ...event };
}

async function fetchTestEvent(n8n: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const call = new Call(n8n, fieldsOf(n8n));
	try {
		const context = await EventContext.open(call, new NodeRun());
		const event = configuredEvent(context);
		return toOutput(await event.enrich(context, [await event.example(context)]));
	} catch (error) {
		throw toThrow(call, error);
	}
}

/** Begins an activation, and removes from the state what no longer applies. */
function beginActivation(n8n: IPollFunctions, key: string): Activation {
	const mode = n8n.getActivationMode();
	// After a start or a change of the leader, another process may have polled last.
	const last = mode === 'update' ? activations.get(key) : undefined;
	const { state, revision } = last ?? { revision: null };
	const activation = { isBusy: false, failures: 0, state, revision };
	activations.set(key, activation);
	if (FRESH_MODES.includes(mode)) delete n8n.getWorkflowStaticData('node')[STATE_KEY];
	return activation;
}

/**
 * Returns what has happened since the last poll, and saves the state for the next one.
 *
 * @param isLast whether no other poll may have started since, which would return the same
 */
async function pollEvent(call: PollCall, run: NodeRun, isLast: () => boolean) {
	const { n8n, activation } = call;
	const context = await EventContext.open(call, run);
	const event = configuredEvent(context);
	const { eventState, isStale, save } = openState(
		n8n.getWorkflowStaticData('node'),
		activation,
		fingerprintOf(event, context),
	);
	const result = await event.poll(context, eventState, isStale);
	const items = await event.enrich(context, result.items);
	if (!isLast()) return null;
	save(result.state, items.length > 0);
	return settleOutput(call, { ...result, items });
}

/** Reports to n8n what was wrong with a poll that returns items anyway, and returns them. */
function settleOutput(call: PollCall, { items, unread = [] }: PollResult) {
	const { n8n, activation } = call;
	if (unread.length === 0) activation.failures = 0;
	else {
		const error = unreadError(unread);
		if (++activation.failures <= limits.triggerToleratedFailures)
			n8n.logger.warn(toLine(call, error));
		else if (items.length === 0) throw error;
		// A poll that throws returns nothing, so the error is reported beside the items.
		else n8n.__emitError(toThrow(call, error));
	}
	return toOutput(items);
}

/** Logs a failed poll if it is tolerated; otherwise throws. */
function settleFailure(call: PollCall, error: unknown): null {
	const { n8n, activation, isFirst } = call;
	const line = `${toLine(call, error)}. The next poll tries again.`;
	if (isTemporaryCause(failureOf(error)?.cause)) {
		if (!isFirst && ++activation.failures > limits.triggerToleratedFailures) {
			throw toThrow(call, error);
		}
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
 * Its limits of time, the shortest first: `poll` for repeating requests, `triggerRequestTimeoutMs` for each request,
 * `triggerReadMs` for reading on when it has items, `triggerProjectsMs` for further projects, and `triggerPollMs` for all.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return await fetchTestEvent(this);

	const key = keyOf(this.getWorkflow().id, this.getNode());
	const known = activationsByContext.get(this);
	if (known?.isBusy) return null;
	const activation = known ?? beginActivation(this, key);
	activationsByContext.set(this, activation);
	activation.isBusy = true;
	const call = new PollCall(this, activation, known === undefined);
	const deadline = startDeadline(limits.triggerPollMs);
	// A change may be published meanwhile: its activation returns these events.
	const isLast = () => !deadline.isOver && activations.get(key) === activation;
	const ended = new AbortController();
	try {
		const polling = pollEvent(call, new NodeRun(ended.signal), isLast);
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
