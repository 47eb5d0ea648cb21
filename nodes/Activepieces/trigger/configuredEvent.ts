import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { locatorValue } from '../descriptions/locator';
import type { Simplify } from '../descriptions/output';
import { getBoolean, getOption, toWholeNumber } from '../descriptions/parameters';
import { Fields } from '../execution/item';
import { readCredential } from '../execution/settings';
import { ApiClient, authenticatedSender, type DecryptedCredential } from '../transport/client';
import { limits, type RetryPolicy } from '../transport/limits';
import type { Run } from '../transport/run';
import type { EventContext, TriggerEvent } from './event';
import { defaultEvent, events } from './events';
import { defaultOf } from './fields';
import { ProjectOrder } from './projectOrder';
import { type ServerClock, type TimedClient, timedClient } from './serviceTime';

type GetParameter = EventContext['getParameter'];

const parametersOf =
	(poll: IPollFunctions): GetParameter =>
	(name, fallback, options) =>
		poll.getNodeParameter(name, fallback, options);

/** Reads the credential. n8n adds the session to it when it signs in. */
export async function credentialOf(poll: IPollFunctions): Promise<DecryptedCredential> {
	return await readCredential(
		parametersOf(poll)('authentication', 'apiKey'),
		async (name) => await poll.getCredentials(name),
	);
}

/** Sorts values by their JSON, because an object from an expression may have no text. */
const inOrder = (values: unknown[]): unknown[] =>
	values
		.map((value) => ({ value, text: JSON.stringify(value) ?? '' }))
		.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)))
		.map(({ value }) => value);

/**
 * A text that identifies what is watched, for comparison.
 *
 * @param credentialId in n8n. Another credential sees other projects; a new key in the same credential
 * does not
 */
export function fingerprintOf(
	event: TriggerEvent,
	{ baseUrl, credentialId }: { baseUrl: string; credentialId: string },
	getParameter: (name: string, fallback?: unknown) => unknown,
): string {
	const values = event.watched.map((name) => {
		const value = locatorValue(getParameter(name, null));
		return [name, Array.isArray(value) ? inOrder(value) : value];
	});
	return JSON.stringify([event.value, baseUrl, credentialId, values]);
}

/**
 * The retry policy of one poll. Its time starts at the first failed request and applies to all of them:
 * with a policy for each request, a poll of a thousand projects could take hours.
 */
export function createRetryBudget(): RetryPolicy {
	const { maxAttempts, maxElapsedMs } = limits.poll;
	let end: number | undefined;
	return {
		maxAttempts,
		maxElapsedMs,
		remainingMs() {
			end ??= Date.now() + maxElapsedMs;
			return end - Date.now();
		},
	};
}

/** The event of a node with the values of its fields. */
export interface ConfiguredEvent {
	event: TriggerEvent;
	/** Identifies what is watched, for comparison */
	fingerprint: string;
	maxItems: number;
	/** @param isOutputWanted false when watching starts, because nothing is returned then */
	open(from: {
		isStale: boolean;
		isOutputWanted: boolean;
		clock?: ServerClock;
		isLate?: () => boolean;
		timeLimit?: AbortSignal;
		projectOrder?: ProjectOrder;
	}): {
		context: EventContext;
		time: TimedClient;
	};
}

/** For Fetch Test Event, for which a person waits */
const NO_END = new AbortController().signal;

/** @throws {ValidationError} when a field has an invalid value */
export function configuredEvent(
	poll: IPollFunctions,
	credential: DecryptedCredential,
	run: Run,
): ConfiguredEvent {
	const getParameter = parametersOf(poll);
	const credentialId = poll.getNode().credentials?.[credential.name]?.id ?? '';
	const client = new ApiClient(authenticatedSender(poll, credential), {
		credential,
		run,
		place: 'trigger',
		defaultTimeoutMs: limits.triggerRequestTimeoutMs,
		maxTimeoutMs: limits.triggerMaxRequestMs,
		retryPolicy: createRetryBudget(),
	});
	const fields = new Fields(getParameter, () => poll.getTimezone());
	const values = events.map(({ value }) => value);
	const value = getOption(fields, 'Event', 'event', values, defaultEvent.value);
	const event = events.find((each) => each.value === value) ?? defaultEvent;
	const isSimplified = getBoolean(fields, 'Simplify', 'simplify', true);
	const maxItems = toWholeNumber(
		'Max Items per Poll',
		getParameter('options.maxItems', defaultOf(event, 'maxItems')),
	);
	return {
		event,
		fingerprint: fingerprintOf(event, { baseUrl: client.baseUrl, credentialId }, getParameter),
		maxItems,
		open({
			isStale,
			isOutputWanted,
			clock,
			isLate = () => false,
			timeLimit = NO_END,
			projectOrder = new ProjectOrder(),
		}) {
			const time = timedClient(client, clock);
			const context: EventContext = Object.assign(new Fields(getParameter, fields.getTimezone), {
				maxItems,
				client: time.client,
				// No event returns files.
				attach: () => {},
				showHint: () => {},
				serviceTime: time.serviceTime,
				isLate,
				timeLimit,
				projectOrder,
				isStale,
				output: (record: IDataObject, simplify: Simplify) =>
					!isOutputWanted ? {} : isSimplified ? simplify(record, client) : record,
			});
			return { context, time };
		},
	};
}
