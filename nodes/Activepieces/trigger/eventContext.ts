/* One poll as its event sees it, with the time that it may take. */
import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import type { Simplify } from '../descriptions/output';
import type { Call } from '../execution/call';
import type { FieldReader } from '../execution/fieldReader';
import type { ApiClient } from '../transport/api/client';
import type { NodeRun } from '../transport/client/nodeRun';
import type { Sender } from '../transport/http/exchange';
import { isStatus } from '../transport/http/response';
import { limits, type RetryPolicy } from '../transport/limits';
import { fieldsByName, isSimplified, maxItems, type Watched } from './fields';

/**
 * The retry policy of one poll. Its time starts at the first failed request and applies to all of them:
 * with a policy for each request, a poll of a thousand projects could take hours.
 */
function createRetryBudget(): RetryPolicy {
	let end: number | undefined;
	return {
		...limits.poll,
		remainingMs() {
			end ??= performance.now() + limits.poll.maxElapsedMs;
			return end - performance.now();
		},
	};
}

/** The time of the server, from its first response, in milliseconds since 1970. Before that, and if it sends none, that of n8n. */
class ServerClock {
	private readonly startedAt = Date.now();
	private serverTime?: number;

	now(): number {
		return this.serverTime ?? this.startedAt;
	}

	/** A refusal is not believed, because its time may be that of a proxy. */
	readonly listen =
		(sender: Sender): Sender =>
		async (...request) => {
			const response = (await sender(...request)) as IN8nHttpFullResponse;
			const date = Date.parse(String(response.headers?.date ?? ''));
			if (isStatus(response.statusCode, 'success') && date > 0) this.serverTime ??= date;
			return response;
		};
}

/** What an event gets for one poll: the fields of the node, and the client and the clocks of the poll. */
export class EventContext implements FieldReader {
	readonly get: FieldReader['get'];
	readonly raw: FieldReader['raw'];
	readonly getTimezone: FieldReader['getTimezone'];
	/** Another credential sees other projects; a new key in the same credential does not */
	readonly credentialId: string;
	readonly maxItems: number;
	/** Aborts when unread projects should be left to the next polls */
	readonly timeLimit = AbortSignal.timeout(limits.triggerProjectsMs);
	readonly isSimplified: boolean;
	private readonly longAt = performance.now() + limits.triggerReadMs;

	private constructor(
		{ fields, credentialId }: Call,
		readonly client: ApiClient,
		private readonly clock: ServerClock,
	) {
		({ get: this.get, raw: this.raw, getTimezone: this.getTimezone } = fields);
		this.credentialId = credentialId;
		this.isSimplified = isSimplified.read(this);
		this.maxItems = maxItems.read(this);
	}

	static async open(call: Call, nodeRun: NodeRun): Promise<EventContext> {
		const clock = new ServerClock();
		const options = {
			nodeRun,
			place: 'trigger' as const,
			maxTimeoutMs: limits.triggerRequestTimeoutMs,
			retryPolicy: createRetryBudget(),
		};
		return new EventContext(call, await call.connect(() => options, clock.listen), clock);
	}

	/** @throws {ValidationError} for a value that cannot be used */
	value<Name extends keyof Watched>(name: Name): Watched[Name] {
		return fieldsByName[name].read(this) as Watched[Name];
	}

	/** By the clock of the server. */
	now(): number {
		return this.clock.now();
	}

	/** Whether the poll has taken long and should return what it has. */
	isLongPoll(): boolean {
		return performance.now() >= this.longAt;
	}

	output(record: IDataObject, simplify: Simplify): IDataObject {
		return this.isSimplified ? simplify(record, this.client) : record;
	}
}
