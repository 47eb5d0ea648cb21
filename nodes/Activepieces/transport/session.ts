import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteSingleFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IN8nHttpFullResponse,
	type INode,
} from 'n8n-workflow';

import { readBaseUrl } from './baseUrl';
import type { Explanation } from './explanation';
import { createLimiter, type Limiter } from './limiter';

export const CREDENTIAL = 'activepiecesApi';

/** More at once would only queue in the service; n8n itself sets no bound. */
const REQUESTS_IN_FLIGHT = 10;

export type RequestContext = IExecuteSingleFunctions | ILoadOptionsFunctions;

/** What all input items of one node run share: where to, how many at once, and what stays secret. */
interface Run {
	baseUrl: string;
	apiKey: string;
	limiter: Limiter;
}

/** The connection of one input item, or of one search of a locator, to the service. */
export interface Session {
	readonly baseUrl: string;
	/** Sends one request by the engine's own helper; resolves with any status. */
	request(options: IHttpRequestOptions): Promise<IN8nHttpFullResponse>;
	readonly limiter: Limiter;
	/** Throws when the workflow was cancelled; to be called before each request. */
	throwIfCancelled(): void;
	/** Makes the error the person reads. The key is blotted out wherever it stands. */
	error(explanation: Explanation, httpCode?: number): NodeApiError;
	/** Makes the error for what is refused before anything is sent. */
	refusal(message: string, description?: string): NodeOperationError;
}

/** Keyed by what n8n makes anew for every node run, so that nothing outlives the run. */
const runs = new WeakMap<object, Promise<Run>>();

async function readCredential(context: RequestContext): Promise<Run> {
	const credential = await context.getCredentials(CREDENTIAL);
	const baseUrl = readBaseUrl(credential.baseUrl);
	if ('refusal' in baseUrl) {
		throw new NodeOperationError(context.getNode(), baseUrl.refusal, {
			description: 'Open the credential and correct Base URL.',
		});
	}
	return {
		baseUrl: baseUrl.url,
		apiKey: typeof credential.apiKey === 'string' ? credential.apiKey.trim() : '',
		limiter: createLimiter(REQUESTS_IN_FLIGHT),
	};
}

async function runOf(context: RequestContext): Promise<Run> {
	const key =
		'getExecuteData' in context ? (context.getExecuteData() as object | undefined) : undefined;
	if (key === undefined) return await readCredential(context);
	let run = runs.get(key);
	if (run === undefined) {
		run = readCredential(context);
		runs.set(key, run);
	}
	return await run;
}

function blotOut(text: string, secret: string): string {
	return secret === '' ? text : text.split(secret).join('***');
}

/**
 * Opens the session of one input item.
 *
 * @param options what the request starts from: n8n's Request Options (proxy, timeout, certificates)
 * @throws {NodeOperationError} when Base URL cannot be used
 */
export async function openSession(
	context: RequestContext,
	options: Partial<IHttpRequestOptions>,
): Promise<Session> {
	const run = await runOf(context);
	const node: INode = context.getNode();
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

	return {
		baseUrl: run.baseUrl,
		limiter: run.limiter,
		async request(request) {
			const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL,
				{ ...options, ...request, baseURL: run.baseUrl },
			);
			return response as IN8nHttpFullResponse;
		},
		throwIfCancelled() {
			if (signal?.aborted) throw new NodeOperationError(node, 'The execution was cancelled');
		},
		error({ message, description }, httpCode) {
			// A plain object, because NodeApiError hands a NodeApiError back unchanged; an empty one,
			// because whatever stands in it is stored with the execution.
			const errorResponse: IDataObject = {};
			return new NodeApiError(
				node,
				errorResponse as ConstructorParameters<typeof NodeApiError>[1],
				{
					message: blotOut(message, run.apiKey),
					description: blotOut(description, run.apiKey),
					httpCode: httpCode === undefined ? undefined : String(httpCode),
				},
			);
		},
		refusal(message, description) {
			return new NodeOperationError(node, blotOut(message, run.apiKey), {
				description: description === undefined ? undefined : blotOut(description, run.apiKey),
			});
		},
	};
}
