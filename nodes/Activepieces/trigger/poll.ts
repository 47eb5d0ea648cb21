import type {
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { getBoolean, getOption, toPositiveInteger } from '../descriptions/parameters';
import { readCredential } from '../execution/readCredential';
import { toNodeError, userMessageOf } from '../execution/toNodeError';
import {
	authenticatedSender,
	createClient,
	type DecryptedCredential,
	secretsOfCredential,
} from '../transport/client';
import { ActivepiecesError } from '../transport/errors/activepiecesError';
import { limits } from '../transport/limits';
import { createRunState } from '../transport/runState';
import type { EventContext, TriggerEvent } from './event';
import { defaultEvent, events } from './events';
import { failureOf, isTemporary } from './failure';
import { DEFAULTS } from './fields';
import { forgetState, memoryOf, type PollMemory, recall, remember } from './pollMemory';
import { createRetryBudget } from './retryBudget';
import { timedClient } from './serviceTime';
import { clearState, fingerprintOf, newRevision, readState, writeState } from './state';

/** An event with everything that it needs to look at the service. */
interface Watch {
	event: TriggerEvent;
	/** What is watched, as a text that can be compared */
	fingerprint: string;
	maxItems: number;
	/** @param isOutputWanted false while watching begins, when nothing comes out */
	context(isStale: boolean, isOutputWanted: boolean): EventContext;
}

/**
 * Contexts whose first poll has been. n8n makes a context when it activates a workflow, and polls with it
 * until it is deactivated; the first of these polls is the test of the activation.
 */
const seenContexts = new WeakSet<object>();

/** Contexts with a poll under way: n8n begins the next one at its time all the same. */
const busyContexts = new WeakSet<object>();

/** Ways of activating that begin anew: what happened while the workflow was inactive is not given. */
const FRESH: WorkflowActivateMode[] = ['activate', 'create'];

/**
 * Those in which nobody reads why it was refused. n8n 2 gives up after a few attempts then, and the
 * workflow stays active without a trigger.
 */
const UNATTENDED: WorkflowActivateMode[] = ['init', 'leadershipChange'];

/** The credential of one poll, once it was read. A session is put into it when it signs in. */
interface HeldCredential {
	credential?: DecryptedCredential;
}

async function openWatch(
	poll: IPollFunctions,
	held: HeldCredential,
	isUnattended: boolean,
): Promise<Watch> {
	const getParameter: EventContext['getParameter'] = (name, fallback, options) =>
		poll.getNodeParameter(name, fallback, options);
	const credential = await readCredential(
		getParameter('authentication', 'apiKey'),
		async (name) => await poll.getCredentials(name),
	);
	held.credential = credential;
	const credentialId = poll.getNode().credentials?.[credential.name]?.id ?? '';

	const { client, serviceTime } = timedClient(
		createClient(authenticatedSender(poll, credential), {
			credential,
			runState: createRunState({ isUnattended }),
			place: 'trigger',
			defaultTimeoutMs: limits.triggerRequestTimeoutMs,
			retryPolicy: createRetryBudget(),
		}),
	);
	const parameters = { getParameter };
	const values = events.map(({ value }) => value);
	const value = getOption(parameters, 'Event', 'event', values, defaultEvent.value);
	const event = events.find((each) => each.value === value) ?? defaultEvent;
	const isSimplified = getBoolean(parameters, 'Simplify', 'simplify', true);
	return {
		event,
		fingerprint: fingerprintOf(event, { baseUrl: client.baseUrl, credentialId }, getParameter),
		maxItems: toPositiveInteger(
			'Max Items per Poll',
			getParameter('options.maxItems', DEFAULTS.maxItems),
		),
		context: (isStale, isOutputWanted) => ({
			client,
			getParameter,
			getTimezone: () => poll.getTimezone(),
			serviceTime,
			isStale,
			output: (record, simplify) =>
				!isOutputWanted ? {} : isSimplified ? simplify(record) : record,
		}),
	};
}

/**
 * Gives what has happened since the last poll, and remembers it.
 *
 * @param isNewest whether no other context has begun to poll meanwhile
 */
async function lookForNew(
	{ event, fingerprint, maxItems, context }: Watch,
	staticData: IDataObject,
	memory: PollMemory,
	isNewest: () => boolean,
): Promise<IDataObject[]> {
	const stored = readState(staticData, fingerprint);
	const { state: before, isStale, base } = recall(memory, stored, fingerprint);
	const look = await event.look(context(isStale, before !== undefined), before?.event);
	const given = look.occurrences.slice(0, maxItems);
	const isGiven = given.length > 0;
	const revision = isGiven || before === undefined ? newRevision() : before.revision;
	const state = { fingerprint, revision, event: look.remember(given) };
	writeState(staticData, state);
	if (isNewest()) remember(memory, state, { isGiven, base });
	return given.map(({ json }) => json);
}

/** Gives a real record for Fetch Test Event. */
async function fetchExample({ event, context }: Watch): Promise<IDataObject[]> {
	const example = await event.example(context(false, true));
	if (example === undefined) throw new ActivepiecesError(event.noExample);
	return [example];
}

const toOutput = (records: IDataObject[]): INodeExecutionData[][] | null =>
	records.length === 0 ? null : [records.map((json) => ({ json }))];

/**
 * Whether a poll is the first of an activation. n8n's durable scheduler, which is off by default, makes a
 * context in the mode `update` for every poll, so two of those in a row are not activations.
 */
function isActivation(poll: IPollFunctions, memory: PollMemory): boolean {
	const isUpdate = poll.getActivationMode() === 'update';
	const isFirst = !seenContexts.has(poll);
	seenContexts.add(poll);
	if (isFirst) memory.context = poll;
	const wasUpdate = memory.wasUpdate;
	memory.wasUpdate = isFirst && isUpdate;
	return isFirst && !(isUpdate && wasUpdate);
}

/**
 * What n8n calls at the times of Poll Times, when it activates the workflow, and for Fetch Test Event.
 * A service that is down for one or two polls costs nothing but a line in n8n's log, and so does
 * everything that would keep n8n from activating a workflow by itself; all else is thrown.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const held: HeldCredential = {};
	const node = this.getNode();
	const toThrow = (error: unknown) =>
		toNodeError(node, error, {
			secrets: secretsOfCredential(held.credential),
			failure: failureOf(error),
		});

	if (this.getMode() === 'manual') {
		try {
			return toOutput(await fetchExample(await openWatch(this, held, false)));
		} catch (error) {
			throw toThrow(error);
		}
	}

	if (busyContexts.has(this)) return null;
	busyContexts.add(this);
	const memory = memoryOf(`${this.getWorkflow().id}/${node.id}`, node.name);
	const mode = this.getActivationMode();
	const isOpening = isActivation(this, memory);
	try {
		const staticData = this.getWorkflowStaticData('node');
		if (isOpening) memory.failures = 0;
		// After a start or a change of the leader another process may have polled last.
		if (isOpening && mode !== 'update') forgetState(memory);
		if (isOpening && FRESH.includes(mode)) clearState(staticData);
		// A change may be published while a poll with what was there before is under way.
		const isNewest = () => memory.context === this;
		const watch = await openWatch(this, held, !isOpening);
		const records = await lookForNew(watch, staticData, memory, isNewest);
		memory.failures = 0;
		return toOutput(records);
	} catch (error) {
		const { message } = userMessageOf(error, { secrets: secretsOfCredential(held.credential) });
		const line = `${node.name}: ${message}. The next poll looks again.`;
		if (isTemporary(error)) {
			if (!isOpening && ++memory.failures > limits.triggerToleratedFailures) throw toThrow(error);
			this.logger.warn(line);
		} else {
			if (!isOpening || !UNATTENDED.includes(mode)) throw toThrow(error);
			this.logger.error(line);
		}
		return null;
	} finally {
		busyContexts.delete(this);
	}
}
