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

/** Reads the credential. n8n adds the session to it when it signs in. */
export async function credentialOf(poll: IPollFunctions): Promise<DecryptedCredential> {
	return await readCredential(poll, poll.getNodeParameter('authentication', 'apiKey'));
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

/**
 * Reads the time of the server from its first response; until then, and without one, it is that of n8n. A
 * refusal is not believed, because its time may be that of a proxy.
 */
function listenForTime(send: HttpHelper): { send: HttpHelper; now: () => number } {
	const start = Date.now();
	let time: number | undefined;
	return {
		async send(...request) {
			const response = (await send(...request)) as IN8nHttpFullResponse;
			const date = Date.parse(String(response.headers?.date ?? ''));
			if (isSuccessStatus(response.statusCode) && date > 0) time ??= date;
			return response;
		},
		now: () => time ?? start,
	};
}

/**
 * The event of a node, the text that identifies what it watches, and the context for its poll.
 *
 * @throws {ValidationError} when a field has an invalid value
 */
export function configuredEvent(poll: IPollFunctions, credential: DecryptedCredential, run: Run) {
	const getParameter: GetParameter = (name, fallback, options) =>
		poll.getNodeParameter(name, fallback, options);
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
		context(last: Pick<EventContext, 'isStale' | 'givenUp'>): EventContext {
			const lateAt = performance.now() + limits.triggerReadMs;
			return Object.assign(fields, {
				...last,
				maxItems,
				client,
				now,
				isLate: () => performance.now() >= lateAt,
				timeLimit: AbortSignal.timeout(limits.triggerProjectsMs),
				output: (record: IDataObject, simplify: Simplify) =>
					isSimplified ? simplify(record, client) : record,
			});
		},
	};
}
