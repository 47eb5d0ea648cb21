import type { IDataObject, IN8nHttpFullResponse, IPollFunctions } from 'n8n-workflow';

import { locatorValue } from '../descriptions/locator';
import type { Simplify } from '../descriptions/output';
import { getBoolean, getOption, toWholeNumber } from '../descriptions/parameters';
import { Fields, readCredential } from '../execution/item';
import { ApiClient, authenticatedSender, type DecryptedCredential } from '../transport/client';
import type { HttpHelper } from '../transport/exchange';
import { isSuccessStatus } from '../transport/httpStatus';
import { limits, type RetryPolicy } from '../transport/limits';
import type { Run } from '../transport/run';
import type { EventContext, TriggerEvent } from './event';
import { defaultEvent, events } from './events';
import { defaultOf } from './fields';

type GetParameter = EventContext['getParameter'];

const parametersOf =
	(poll: IPollFunctions): GetParameter =>
	(name, fallback, options) =>
		poll.getNodeParameter(name, fallback, options);

/** Reads the credential. n8n adds the session to it when it signs in. */
export async function credentialOf(poll: IPollFunctions): Promise<DecryptedCredential> {
	return await readCredential(poll, parametersOf(poll)('authentication', 'apiKey'));
}

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
		if (!Array.isArray(value)) return [name, value];
		// As JSON, because an object from an expression may have no text.
		return [name, value.map((each) => JSON.stringify(each)).sort()];
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
			end ??= performance.now() + maxElapsedMs;
			return end - performance.now();
		},
	};
}

/** The time of the server; undefined for a refusal, whose time may be that of a proxy. */
function timeOf(response: unknown): number | undefined {
	const { statusCode, headers } = response as IN8nHttpFullResponse;
	const time = Date.parse(String(headers?.date ?? ''));
	return isSuccessStatus(statusCode) && time > 0 ? time : undefined;
}

/** Reads the time of the server from its first response; until then, and without one, it is that of n8n. */
function listenForTime(send: HttpHelper): { send: HttpHelper; now: () => number } {
	const start = Date.now();
	let time: number | undefined;
	return {
		async send(...request) {
			const response = await send(...request);
			time ??= timeOf(response);
			return response;
		},
		now: () => time ?? start,
	};
}

/** The event of a node with the values of its fields. */
export interface ConfiguredEvent {
	event: TriggerEvent;
	/** Identifies what is watched, for comparison */
	fingerprint: string;
	/** @param poll what differs from poll to poll */
	context(poll: Pick<EventContext, 'isStale' | 'isLate' | 'timeLimit' | 'givenUp'>): EventContext;
}

/** @throws {ValidationError} when a field has an invalid value */
export function configuredEvent(
	poll: IPollFunctions,
	credential: DecryptedCredential,
	run: Run,
): ConfiguredEvent {
	const getParameter = parametersOf(poll);
	const credentialId = poll.getNode().credentials?.[credential.name]?.id ?? '';
	const { send, now } = listenForTime(authenticatedSender(poll, credential));
	const client = new ApiClient(send, {
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
		context: (how) =>
			Object.assign(new Fields(getParameter, fields.getTimezone), {
				...how,
				maxItems,
				client,
				now,
				output: (record: IDataObject, simplify: Simplify) =>
					isSimplified ? simplify(record, client) : record,
			}),
	};
}
