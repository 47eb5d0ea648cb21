import type { IDataObject, INode, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { toNodeError, userMessageOf } from '../execution/nodeError';
import { type DecryptedCredential, secretsOfCredential } from '../transport/client';
import { type Deadline, startDeadline, untilAborted } from '../transport/exchange';
import { ActivepiecesError, RunEndedError } from '../transport/error';
import { limits } from '../transport/limits';
import { Run } from '../transport/run';
import { activationOf, FRESH_MODES, beginPoll, UNATTENDED_MODES } from './activation';
import { type ConfiguredEvent, configuredEvent, credentialOf } from './configuredEvent';
import type { TriggerItem, UnreadPart } from './event';
import { failureOf, isTemporary, timeLimitError } from './failure';
import { clearState, forgetState, memoryOf, openState, type TriggerMemory } from './state';
import { judgeUnread } from './unreadParts';

const TIME_DOUBTED =
	'The time in the response of the server does not match the time of the last poll, so the trigger ignores it until a later poll confirms it. Check the clocks of the server, its proxies and n8n.';

const hasOutput = (item: TriggerItem): item is TriggerItem & Required<Pick<TriggerItem, 'json'>> =>
	item.json !== undefined;

interface PollOutput {
	records: IDataObject[];
	unread: UnreadPart[];
	/** Whether the server sent a time that is doubted, for the first time since the last change */
	isTimeNewlyDoubted: boolean;
}

/**
 * Returns what has happened since the last poll, and saves the state for the next one.
 *
 * @param isNewest whether no other activation has started to poll meanwhile
 * @param deadline when it is reached, another poll may have started, and nothing is saved
 */
async function pollEvent(
	{ event, fingerprint, maxItems, open }: ConfiguredEvent,
	staticData: IDataObject,
	memory: TriggerMemory,
	isNewest: () => boolean,
	deadline: Deadline,
): Promise<PollOutput> {
	const state = openState(staticData, memory, fingerprint, event.isState);
	const { last, isStale } = state;
	const isOutputWanted = last !== undefined;
	const reading = startDeadline(limits.triggerReadMs);
	const readingProjects = startDeadline(limits.triggerProjectsMs);
	const { context, time } = open({
		isStale,
		isOutputWanted,
		clock: last?.clock,
		isLate: () => reading.isOver,
		timeLimit: readingProjects.signal,
		projectOrder: memory.projectOrder,
	});
	const {
		items,
		nextState,
		unread = [],
	} = await event.poll(context, last?.event).finally(() => {
		reading.release();
		readingProjects.release();
	});
	if (deadline.isOver) throw new RunEndedError();
	time.confirm(items.map((each) => each.time));
	const emitted = items.filter(hasOutput).slice(0, maxItems);
	state.save(
		{ event: nextState(emitted), clock: time.clock() },
		{ isGiven: emitted.length > 0, isNewest: isNewest() },
	);
	const records = emitted.map(({ json }) => json);
	// With two proxies that send different times, each poll may reach another one.
	const wasDoubted = memory.isTimeDoubted ?? false;
	memory.isTimeDoubted = !time.isChanged() && (wasDoubted || time.isDoubted());
	return { records, unread, isTimeNewlyDoubted: memory.isTimeDoubted && !wasDoubted };
}

const toOutput = (records: IDataObject[]): INodeExecutionData[][] | null =>
	records.length === 0 ? null : [records.map((json) => ({ json }))];

const toThrow = (node: INode, error: unknown, credential: DecryptedCredential | undefined) =>
	toNodeError(node, error, {
		secrets: secretsOfCredential(credential),
		failure: failureOf(error),
	});

/** Returns a real record, and saves nothing. */
async function fetchTestEvent(poll: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	let credential: DecryptedCredential | undefined;
	try {
		credential = await credentialOf(poll);
		const { event, open } = configuredEvent(poll, credential, new Run());
		const { context } = open({ isStale: false, isOutputWanted: true });
		const example = await event.example(context);
		if (example === undefined) throw new ActivepiecesError(event.noExample);
		return toOutput([example]);
	} catch (error) {
		throw toThrow(poll.getNode(), error, credential);
	}
}

/** One call by n8n at a time of Poll Times. */
interface Call {
	context: IPollFunctions;
	memory: TriggerMemory;
	/** Whether it is the first of an activation */
	isFirst: boolean;
	/** Set as soon as it is read, so that messages can be redacted */
	credential?: DecryptedCredential;
}

/** An error as a line in n8n's log. */
const toLine = ({ context, credential }: Call, error: unknown): string =>
	`${context.getNode().name}: ${userMessageOf(error, { secrets: secretsOfCredential(credential) }).message}`;

/** The static data of the node, without remembered data that no longer applies. */
function beginWatching({ context, memory, isFirst }: Call): IDataObject {
	const staticData = context.getWorkflowStaticData('node');
	if (!isFirst) return staticData;
	const mode = context.getActivationMode();
	memory.failures = 0;
	memory.unread = new Map();
	memory.isTimeDoubted = false;
	// After a start or a change of the leader, another process may have polled last.
	if (mode !== 'update') forgetState(memory);
	if (FRESH_MODES.includes(mode)) clearState(staticData);
	return staticData;
}

/** Reports to n8n what was wrong with a poll that returns items anyway, and returns them. */
function settleOutput(
	call: Call,
	{ records, unread, isTimeNewlyDoubted }: PollOutput,
): INodeExecutionData[][] | null {
	const { context, memory, credential } = call;
	const { logger } = context;
	const node = context.getNode();
	memory.failures = 0;
	if (isTimeNewlyDoubted) logger.warn(`${node.name}: ${TIME_DOUBTED}`);
	const { counts, warning, error } = judgeUnread(unread, memory.unread);
	memory.unread = counts;
	if (warning !== undefined) {
		logger.warn(toLine(call, new ActivepiecesError({ message: warning, description: '' })));
	}
	if (error !== undefined) {
		if (records.length === 0) throw error;
		// A poll that throws returns nothing, so the error is reported beside the items.
		context.__emitError(toThrow(node, error, credential));
	}
	return toOutput(records);
}

/** Logs a failed poll if it is tolerated; otherwise throws. */
function settleFailure(call: Call, error: unknown): null {
	const { context, memory, isFirst, credential } = call;
	const { logger } = context;
	const line = `${toLine(call, error)}. The next poll tries again.`;
	if (isTemporary(error)) {
		if (!isFirst && ++memory.failures > limits.triggerToleratedFailures) {
			throw toThrow(context.getNode(), error, credential);
		}
		logger.warn(line);
	} else {
		const isRead = !isFirst || !UNATTENDED_MODES.includes(context.getActivationMode());
		if (isRead) throw toThrow(context.getNode(), error, credential);
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

	const activation = activationOf(this);
	if (activation.isBusy) return null;
	activation.isBusy = true;
	const deadline = startDeadline(limits.triggerPollMs);
	const memory = memoryOf(this.getWorkflow().id, this.getNode());
	const isFirst = beginPoll(this.getActivationMode(), activation, memory);
	const ended = new AbortController();
	const run = new Run(ended.signal);
	const call: Call = { context: this, memory, isFirst };
	try {
		const staticData = beginWatching(call);
		// A change may be published while a poll with the old settings is in progress.
		const isNewest = () => memory.activation === activation;
		const pollOnce = async () => {
			call.credential = await credentialOf(this);
			const event = configuredEvent(this, call.credential, run);
			return await pollEvent(event, staticData, memory, isNewest, deadline);
		};
		const output = await untilAborted(pollOnce(), deadline.signal, () => {});
		return settleOutput(call, output);
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
