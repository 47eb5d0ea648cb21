import type { IN8nHttpFullResponse, IPollFunctions } from 'n8n-workflow';

import { getBoolean, getOption, locatorValue, toWholeNumber } from '../descriptions/parameters';
import { authenticatedSender } from '../execution/credential';
import { Fields } from '../execution/fields';
import { ApiClient } from '../transport/client/client';
import type { DecryptedCredential } from '../transport/client/credential';
import type { NodeRun } from '../transport/client/run';
import type { HttpHelper } from '../transport/http/exchange';
import { isStatus } from '../transport/http/httpStatus';
import { limits, type RetryPolicy } from '../transport/limits';
import { EventContext, type TriggerEvent } from './event';
import { defaultEvent, events } from './events';
import { MAX_ITEMS, OUTPUT_FIELDS } from './fields';

function fingerprintOf(
	event: TriggerEvent,
	{ baseUrl, credentialId }: { baseUrl: string; credentialId: string },
	fields: Fields,
): string {
	const watched = event.fields.filter((name) => !OUTPUT_FIELDS.includes(name));
	const values = watched.map((name) => {
		const value = locatorValue(fields.get(name, null));
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
	let end: number | undefined;
	return {
		...limits.poll,
		remainingMs() {
			end ??= performance.now() + limits.poll.maxElapsedMs;
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
			if (isStatus(response.statusCode, 'success') && date > 0) time ??= date;
			return response;
		},
		now: () => time ?? start,
	};
}

/** The event of a node, the text that identifies what it watches, and the context for its poll. */
export function configuredEvent(
	poll: IPollFunctions,
	credential: DecryptedCredential,
	run: NodeRun,
) {
	const fields = new Fields(
		(name, fallback, options) => poll.getNodeParameter(name, fallback, options),
		() => poll.getTimezone(),
	);
	// Another credential sees other projects; a new key in the same credential does not.
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
	const values = events.map(({ value }) => value);
	const value = getOption(fields, 'Event', 'event', values, defaultEvent.value);
	const event = events.find((each) => each.value === value) ?? defaultEvent;
	const isSimplified = getBoolean(fields, 'Simplify', 'simplify', true);
	const maxItems = toWholeNumber('Max Items per Poll', fields.get('options.maxItems', MAX_ITEMS));
	return {
		event,
		fingerprint: fingerprintOf(event, { baseUrl: client.baseUrl, credentialId }, fields),
		context: new EventContext(fields, client, now, maxItems, isSimplified),
	};
}
