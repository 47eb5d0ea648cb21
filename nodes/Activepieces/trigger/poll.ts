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
import { type Deadline, startDeadline, untilAborted } from '../transport/deadline';
import { ActivepiecesError, RunEndedError } from '../transport/errors/activepiecesError';
import { limits } from '../transport/limits';
import { plainText } from '../transport/plainText';
import { createRunState, type RunState } from '../transport/runState';
import type { EventContext, Occurrence, TriggerEvent, UnreadProject } from './event';
import { defaultEvent, events } from './events';
import { failureOf, isTemporary } from './failure';
import { DEFAULTS } from './fields';
import {
	type Activation,
	forgetState,
	memoryOf,
	type PollMemory,
	recall,
	remember,
} from './pollMemory';
import { createRetryBudget } from './retryBudget';
import { type ServerClock, type TimedClient, timedClient } from './serviceTime';
import {
	clearState,
	fingerprintOf,
	isStorable,
	newRevision,
	readState,
	STATE_VERSION,
	type StoredState,
	writeState,
} from './state';

/** An event with everything that it needs to look at the service. */
interface Watch {
	event: TriggerEvent;
	/** What is watched, as a text that can be compared */
	fingerprint: string;
	maxItems: number;
	/** @param isOutputWanted false while watching begins, when nothing comes out */
	open(from: { isStale: boolean; isOutputWanted: boolean; clock?: ServerClock }): {
		context: EventContext;
		time: TimedClient;
	};
}

/**
 * By n8n's context, which it makes when it activates a workflow, and polls with until it is deactivated;
 * the first of these polls is the test of the activation.
 */
const activations = new WeakMap<object, Activation>();

const TIME_DOUBTED =
	'The time in the answer of the server does not follow that of the last poll, so it is not used unless the next poll gets it, too. Check the clocks of the server, of its proxies and of n8n.';

/** So many projects that cannot be read are named in a message */
const MAX_NAMED_PROJECTS = 5;
/** Characters of the name of each */
const MAX_NAME = 100;

/** Ways of activating that begin anew: what happened while the workflow was inactive is not given. */
const FRESH: WorkflowActivateMode[] = ['activate', 'create'];

/**
 * Those in which nobody reads why it was refused. n8n 2 gives up after a few attempts then, and the
 * workflow stays active without a trigger.
 */
const UNATTENDED: WorkflowActivateMode[] = ['init', 'leadershipChange'];

/** What a poll has opened, once it has. */
interface Held {
	/** A session is put into it when it signs in */
	credential?: DecryptedCredential;
	runState?: RunState;
}

async function openWatch(poll: IPollFunctions, held: Held, isUnattended: boolean): Promise<Watch> {
	const getParameter: EventContext['getParameter'] = (name, fallback, options) =>
		poll.getNodeParameter(name, fallback, options);
	const credential = await readCredential(
		getParameter('authentication', 'apiKey'),
		async (name) => await poll.getCredentials(name),
	);
	held.credential = credential;
	const credentialId = poll.getNode().credentials?.[credential.name]?.id ?? '';

	const runState = createRunState({ isUnattended });
	held.runState = runState;
	const client = createClient(authenticatedSender(poll, credential), {
		credential,
		runState,
		place: 'trigger',
		defaultTimeoutMs: limits.triggerRequestTimeoutMs,
		retryPolicy: createRetryBudget(),
	});
	const parameters = { getParameter };
	const values = events.map(({ value }) => value);
	const value = getOption(parameters, 'Event', 'event', values, defaultEvent.value);
	const event = events.find((each) => each.value === value) ?? defaultEvent;
	const isSimplified = getBoolean(parameters, 'Simplify', 'simplify', true);
	const maxItems = toPositiveInteger(
		'Max Items per Poll',
		getParameter('options.maxItems', DEFAULTS.maxItems),
	);
	return {
		event,
		fingerprint: fingerprintOf(event, { baseUrl: client.baseUrl, credentialId }, getParameter),
		maxItems,
		open({ isStale, isOutputWanted, clock }) {
			const time = timedClient(client, clock);
			const context: EventContext = {
				maxItems,
				client: time.client,
				getParameter,
				getTimezone: () => poll.getTimezone(),
				serviceTime: time.serviceTime,
				isStale,
				output: (record, simplify) =>
					!isOutputWanted ? {} : isSimplified ? simplify(record, client) : record,
			};
			return { context, time };
		},
	};
}

const hasOutput = (each: Occurrence): each is Occurrence & Required<Pick<Occurrence, 'json'>> =>
	each.json !== undefined;

interface Given {
	records: IDataObject[];
	unread: UnreadProject[];
	/** The server told a time that was not believed, and did not at the last poll */
	isTimeDoubted: boolean;
}

/**
 * Gives what has happened since the last poll, and remembers it.
 *
 * @param isNewest whether no other context has begun to poll meanwhile
 * @param deadline once it is over, another poll may have begun, and nothing is remembered
 */
async function lookForNew(
	{ event, fingerprint, maxItems, open }: Watch,
	staticData: IDataObject,
	memory: PollMemory,
	isNewest: () => boolean,
	deadline: Deadline,
): Promise<Given> {
	const stored = readState(staticData, fingerprint, event.isState);
	const { state: before, isStale, base } = recall(memory, stored, fingerprint);
	const isOutputWanted = before !== undefined;
	const { context, time } = open({ isStale, isOutputWanted, clock: before?.clock });
	const look = await event.look(context, before?.event);
	if (deadline.isOver) throw new RunEndedError();
	const given = look.occurrences.filter(hasOutput).slice(0, maxItems);
	const isGiven = given.length > 0;
	const revision = isGiven || before === undefined ? newRevision() : before.revision;
	const clock = time.clock();
	const state: StoredState = {
		version: STATE_VERSION,
		fingerprint,
		revision,
		event: look.remember(given),
		...(clock && { clock }),
	};
	writeState(staticData, state);
	// What cannot be stored is remembered here, so that nothing is repeated until n8n restarts.
	const isStored = isGiven && isStorable(staticData);
	if (isNewest()) remember(memory, state, { isGiven: isStored, base });
	return {
		records: given.map(({ json }) => json),
		unread: look.unread ?? [],
		isTimeDoubted: time.isNewlyDoubted(),
	};
}

/** Which projects cannot be read, and why; not all of many. */
function describeUnread(unread: UnreadProject[]): string {
	const named = unread.slice(0, MAX_NAMED_PROJECTS).map(
		({ id, name, reason }) =>
			// Cut, since a name by others could hide the reason.
			`The project "${plainText(name, MAX_NAME)}" (${plainText(id, MAX_NAME)}) cannot be read: ${reason.message}.`,
	);
	const others = unread.length - named.length;
	return [...named, ...(others > 0 ? [`Nor can ${others} more.`] : [])].join(' ');
}

/**
 * Counts the polls in a row that could not read a project, and writes those that are tolerated to n8n's log.
 *
 * @returns what ends in an error; nothing when all is read or tolerated
 */
function judgeUnread(
	unread: UnreadProject[],
	memory: PollMemory,
	warn: (line: string) => void,
): ActivepiecesError | undefined {
	memory.unread = new Map(unread.map(({ id }) => [id, (memory.unread.get(id) ?? 0) + 1]));
	const isLasting = ({ id }: UnreadProject) =>
		(memory.unread.get(id) ?? 0) > limits.triggerToleratedFailures;
	const tolerated = unread.filter((each) => !isLasting(each));
	if (tolerated.length > 0) {
		warn(`${describeUnread(tolerated)} The other projects are read. Its events come later.`);
	}
	const lasting = unread.filter(isLasting);
	if (lasting.length === 0) return undefined;
	// Without a status, by which n8n would slow down the polls of the other projects, too.
	return new ActivepiecesError({
		message: describeUnread(lasting),
		description: `${lasting[0].reason.description} The events of the other projects are given. Those of this project are given when it can be read again.`,
	});
}

/** Gives a real record for Fetch Test Event. */
async function fetchExample({ event, open }: Watch): Promise<IDataObject[]> {
	const { context } = open({ isStale: false, isOutputWanted: true });
	const example = await event.example(context);
	if (example === undefined) throw new ActivepiecesError(event.noExample);
	return [example];
}

/** Counts like a server that does not answer, which is mostly why. */
const tooLong = () =>
	new ActivepiecesError(
		{
			message: `The poll was not done after ${Math.ceil(limits.triggerPollMs / 60_000)} minutes`,
			description:
				'The server may be slow. Select a project or a flow in the trigger, or a shorter Lookback, where it has them, so that a poll reads less.',
		},
		{ connectionError: 'timeout' },
	);

const toOutput = (records: IDataObject[]): INodeExecutionData[][] | null =>
	records.length === 0 ? null : [records.map((json) => ({ json }))];

/**
 * Whether a poll is the first of an activation. n8n's durable scheduler, which is off by default, makes a
 * context in the mode `update` for every poll, so two of those in a row are not activations.
 */
function isActivation(
	poll: IPollFunctions,
	isFirst: boolean,
	activation: Activation,
	memory: PollMemory,
): boolean {
	const isUpdate = poll.getActivationMode() === 'update';
	if (isFirst) memory.activation = activation;
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
	const held: Held = {};
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

	const known = activations.get(this);
	const activation = known ?? { isBusy: false };
	activations.set(this, activation);
	if (activation.isBusy) return null;
	activation.isBusy = true;
	const deadline = startDeadline(limits.triggerPollMs);
	const memory = memoryOf(this.getWorkflow().id, node);
	const mode = this.getActivationMode();
	const isOpening = isActivation(this, known === undefined, activation, memory);
	try {
		const staticData = this.getWorkflowStaticData('node');
		if (isOpening) {
			memory.failures = 0;
			memory.unread.clear();
		}
		// After a start or a change of the leader another process may have polled last.
		if (isOpening && mode !== 'update') forgetState(memory);
		if (isOpening && FRESH.includes(mode)) clearState(staticData);
		// A change may be published while a poll with what was there before is under way.
		const isNewest = () => memory.activation === activation;
		const lookOnce = async () => {
			const watch = await openWatch(this, held, !isOpening);
			return await lookForNew(watch, staticData, memory, isNewest, deadline);
		};
		const { records, unread, isTimeDoubted } = await untilAborted(
			lookOnce(),
			deadline.signal,
			() => {},
		);
		memory.failures = 0;
		if (isTimeDoubted) this.logger.warn(`${node.name}: ${TIME_DOUBTED}`);
		const lasting = judgeUnread(unread, memory, (message) => {
			const error = new ActivepiecesError({ message, description: '' });
			const line = userMessageOf(error, { secrets: secretsOfCredential(held.credential) });
			this.logger.warn(`${node.name}: ${line.message}`);
		});
		if (lasting !== undefined) {
			if (records.length === 0) throw lasting;
			// A poll that throws gives nothing, so n8n is told beside what is given.
			this.__emitError(toThrow(lasting));
		}
		return toOutput(records);
	} catch (thrown) {
		if (deadline.isOver) held.runState?.stop();
		const error: unknown = deadline.isOver ? tooLong() : thrown;
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
		deadline.release();
		activation.isBusy = false;
	}
}
