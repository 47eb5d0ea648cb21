import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteSingleFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IN8nHttpFullResponse,
	type INode,
	sleep,
} from 'n8n-workflow';

import { readApiKey } from './apiKey';
import { readBaseUrl } from './baseUrl';
import { blotOut } from './blotOut';
import type { Explanation } from './explanation';
import { createLimiter, type Limiter } from './limiter';
import { type Patience, patience } from './patience';

export const CREDENTIAL = 'activepiecesApi';

/** More at once would only queue in the service; n8n itself sets no bound. */
const AT_ONCE = 10;

export type RequestContext = IExecuteSingleFunctions | ILoadOptionsFunctions;

/** What all input items of one node run share. */
export interface Run {
	/** Bounds the requests in flight */
	readonly requests: Limiter;
	/** Bounds the input items at work, so that those who wait cost no more than their place */
	readonly items: Limiter;
	/** Of each server; input items may have credentials of their own */
	readonly outages: Map<string, Outage>;
}

/** Whether the service is down for more than a moment, as far as the requests of a run can tell. */
export interface Outage {
	/** Requests given up since the service last gave an answer of its own */
	givenUp: number;
}

/** The connection of one input item, or of one search of a locator, to the service. */
export interface Session {
	readonly baseUrl: string;
	readonly requests: Limiter;
	readonly outage: Outage;
	/** For how long its requests are repeated */
	readonly patience: Patience;
	/** Sends one request by the engine's own helper; resolves with any status. */
	request(options: IHttpRequestOptions): Promise<IN8nHttpFullResponse>;
	/** Throws when the workflow was cancelled; to be called before each request. */
	throwIfCancelled(): void;
	/** Waits so many milliseconds; throws at once when the workflow is cancelled meanwhile. */
	pause(ms: number): Promise<void>;
	/** Makes the error the person reads. The key is blotted out wherever it stands. */
	error(explanation: Explanation, httpCode?: number): NodeApiError;
	/** Makes the error for what is refused before anything is sent. */
	refusal(message: string, description?: string): NodeOperationError;
}

/**
 * Keyed by what n8n makes anew for every node run. Nothing of the credential is kept here: the tools
 * of an agent share the agent's run but not its credentials.
 */
const runs = new WeakMap<object, Run>();

const createRun = (): Run => ({
	requests: createLimiter(AT_ONCE),
	items: createLimiter(AT_ONCE),
	outages: new Map(),
});

/** The run that an input item belongs to. */
export function runOf(context: RequestContext): Run {
	const key =
		'getExecuteData' in context ? (context.getExecuteData() as object | undefined) : undefined;
	if (key === undefined) return createRun();
	let run = runs.get(key);
	if (run === undefined) {
		run = createRun();
		runs.set(key, run);
	}
	return run;
}

/**
 * Sleeps, and wakes at once with a rejection when the signal aborts. In n8n 1.x `sleep` knows no
 * signal, so the two are raced; in 2.x the signal also clears the timer.
 */
async function sleepUnless(signal: AbortSignal | undefined, ms: number): Promise<void> {
	if (signal === undefined) return await sleep(ms);
	let wake = () => {};
	const aborted = new Promise<never>((_resolve, reject) => {
		wake = () => reject(new Error('aborted'));
		signal.addEventListener('abort', wake, { once: true });
	});
	try {
		await Promise.race([sleep(ms, signal), aborted]);
	} finally {
		signal.removeEventListener('abort', wake);
	}
}

/**
 * Opens the session of one input item with that item's own credential, which may come from an
 * expression: address and key always belong together.
 *
 * @param options what each request starts from: n8n's Request Options (proxy, timeout, certificates)
 * @param bounds for how long requests are repeated
 * @throws {NodeOperationError} when Base URL cannot be used
 */
export async function openSession(
	context: RequestContext,
	options: Partial<IHttpRequestOptions>,
	{ requests, outages }: Run = runOf(context),
	bounds: Patience = patience.run,
): Promise<Session> {
	const node: INode = context.getNode();
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const credential = await context.getCredentials(CREDENTIAL);
	const baseUrl = readBaseUrl(credential.baseUrl);
	if ('refusal' in baseUrl) {
		throw new NodeOperationError(node, baseUrl.refusal, {
			description: 'Open the credential and correct Base URL.',
		});
	}
	const apiKey = readApiKey(credential.apiKey);
	const outage = outages.get(baseUrl.url) ?? { givenUp: 0 };
	outages.set(baseUrl.url, outage);

	const throwIfCancelled = () => {
		if (signal?.aborted) throw new NodeOperationError(node, 'The execution was cancelled');
	};

	return {
		baseUrl: baseUrl.url,
		requests,
		outage,
		patience: bounds,
		async request(request) {
			const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL,
				{ ...options, ...request, baseURL: baseUrl.url },
			);
			return response as IN8nHttpFullResponse;
		},
		throwIfCancelled,
		async pause(ms) {
			try {
				await sleepUnless(signal, ms * patience.share);
			} finally {
				throwIfCancelled();
			}
		},
		error({ message, description }, httpCode) {
			// A plain object, because NodeApiError hands a NodeApiError back unchanged; an empty one,
			// because whatever stands in it is stored with the execution.
			const errorResponse: IDataObject = {};
			return new NodeApiError(
				node,
				errorResponse as ConstructorParameters<typeof NodeApiError>[1],
				{
					message: blotOut(message, apiKey),
					description: blotOut(description, apiKey),
					httpCode: httpCode === undefined ? undefined : String(httpCode),
				},
			);
		},
		refusal(message, description) {
			return new NodeOperationError(node, blotOut(message, apiKey), {
				description: description === undefined ? undefined : blotOut(description, apiKey),
			});
		},
	};
}
