import { RunEndedError } from '../errors/error';
import type { Ledger } from '../errors/ledger';
import {
	isStatus,
	type AttemptResult,
	type Attempts,
	type Outcome,
	type StatusClass,
	type StatusName,
} from '../http/response';
import { nextRetryDelay } from '../http/retry';
import { mayRepeat, verdictOf, worse } from '../http/verdict';
import { limits, type RetryPolicy } from '../limits';
import type { NodeRun } from './nodeRun';
import { isWebhookCall, type ApiRequest, type WebhookRequest } from './request';

/* Repeats a request while another attempt may change its result, and notes what it may have done. */

/** With these a flow may respond that has run, if something in front of it removes the header that shows it. */
const OF_FLOWS: Array<StatusName | StatusClass> = [
	'redirect',
	'tooEarly',
	'tooManyRequests',
	'serviceUnavailable',
];

/** What an attempt of a change may have done. */
function outcomeOf(
	request: ApiRequest | WebhookRequest,
	result: AttemptResult,
	outcome: Outcome,
): Outcome {
	if (!('response' in result)) return outcome;
	const { response } = result;
	if (request.endpoint.isNotDone?.(response)) return 'nothing';
	const isOfFlow = isWebhookCall(request) && request.isFlowResponse;
	return isOfFlow && isStatus(response.status, ...OF_FLOWS) ? 'maybe' : outcome;
}

/** The run in which a request is sent, and the server that it is sent to. */
interface Course {
	readonly nodeRun: NodeRun;
	readonly baseUrl: string;
	readonly ledger: Ledger;
	readonly retryPolicy: RetryPolicy;
}

/**
 * Repeats a request until another attempt would not change its result: while the service or the connection to
 * it has a temporary problem (`retry.ts`).
 *
 * @throws {RunEndedError} when the run has ended meanwhile
 */
export async function untilFinal(
	{ nodeRun, baseUrl, ledger, retryPolicy }: Course,
	request: ApiRequest | WebhookRequest,
	attempt: () => Promise<AttemptResult>,
): Promise<{ result: AttemptResult; attempts: Attempts }> {
	const { end, failuresInARow, respondedBaseUrls } = nodeRun;
	const { endpoint, ids = [request.id] } = request;
	const { method } = endpoint;
	const attempts: Attempts = { count: 0, elapsedMs: 0 };
	for (;;) {
		if (end.isEnded) throw new RunEndedError();
		const start = performance.now();
		const result = await attempt();
		attempts.count++;
		attempts.elapsedMs += performance.now() - start;
		if ('response' in result) respondedBaseUrls.add(baseUrl);
		const verdict = verdictOf(result, method);
		if (method !== 'GET') {
			const outcome = outcomeOf(request, result, verdict.outcome);
			ledger.note(outcome, ...ids);
			attempts.outcome = worse(attempts.outcome ?? 'nothing', outcome);
		}
		// Nothing shows whether a request that was canceled in flight was carried out.
		if ('connectionError' in result && end.isCancelled) throw new RunEndedError();

		// The flow may have sent this response, so that another call would run it again.
		const mayBeOfFlow = isWebhookCall(request) && request.isFlowResponse && 'response' in result;
		const failures = failuresInARow.get(baseUrl) ?? 0;
		// A server that is down for longer: otherwise a run of thousands of items would wait for hours.
		const isDown = failures >= limits.maxConsecutiveFailures;
		const delay =
			mayRepeat(verdict, method) && !isDown && !mayBeOfFlow
				? nextRetryDelay(result, attempts, retryPolicy)
				: undefined;
		if (delay === undefined) {
			if (verdict.isTemporary) failuresInARow.set(baseUrl, failures + 1);
			else if ('response' in result) failuresInARow.delete(baseUrl);
			return { result, attempts };
		}
		if (!(await end.wait(delay))) throw new RunEndedError();
		attempts.elapsedMs += delay;
	}
}
