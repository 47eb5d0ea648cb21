import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import type { CircuitBreaker } from './circuitBreaker';
import type { CredentialName } from './credential/names';
import { normalizeApiKey } from './credential/normalizeApiKey';
import { parseBaseUrl } from './credential/parseBaseUrl';
import { projectOfToken } from './credential/sessionToken';
import { validationError } from './errors/activepiecesError';
import { limits, type RetryPolicy } from './limits';
import type { RunState } from './runState';

/** n8n's own context of a node, a locator or a trigger, which sends requests. */
export type RequestContext = Pick<IAllExecuteFunctions, 'helpers'>;

/** A credential as n8n decrypted it, once for all the requests that a client sends. */
export interface DecryptedCredential {
	name: CredentialName;
	data: ICredentialDataDecryptedObject;
}

/** The connection of one input item, or of one search of a locator, to one server. */
export interface ApiClient {
	readonly baseUrl: string;
	/** What no item and no message may show */
	readonly secrets: string[];
	readonly run: RunState;
	readonly circuitBreaker: CircuitBreaker;
	/** For how long its requests are repeated */
	readonly retryPolicy: RetryPolicy;
	/** The one project that the credential is for; nothing when it is for all of its user or platform */
	tokenProjectId(): string | undefined;
	/** Sends one request by n8n's own helper; resolves with any status. */
	request(options: IHttpRequestOptions): Promise<IN8nHttpFullResponse>;
}

export interface ClientOptions {
	credential: DecryptedCredential;
	run: RunState;
	/** What each request starts from: n8n's Request Options (proxy, timeout, certificates) */
	requestDefaults?: Partial<IHttpRequestOptions>;
	retryPolicy?: RetryPolicy;
}

/** What no item and no message may show of a credential. */
export function secretsOf({ data }: DecryptedCredential): string[] {
	return [normalizeApiKey(data.apiKey)].filter((secret) => secret !== '');
}

/**
 * Makes the client of one credential. Address and key of all its requests come from the one reading
 * that it is given, so that a credential that is changed meanwhile is never mixed.
 *
 * @throws {ValidationError} when Base URL cannot be used
 */
export function createClient(
	context: RequestContext,
	{ credential, run, requestDefaults = {}, retryPolicy = limits.execution }: ClientOptions,
): ApiClient {
	const { name, data } = credential;
	const baseUrl = parseBaseUrl(data.baseUrl);
	if ('invalid' in baseUrl) {
		throw validationError(baseUrl.invalid, 'Open the credential and correct Base URL.');
	}
	const credentialsDecrypted = { id: '', name, type: name, data };
	return {
		baseUrl: baseUrl.url,
		secrets: secretsOf(credential),
		run,
		circuitBreaker: run.circuitBreaker(baseUrl.url),
		retryPolicy,
		tokenProjectId: () => projectOfToken(normalizeApiKey(data.apiKey)),
		async request(options) {
			const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
				context as IAllExecuteFunctions,
				name,
				{ ...requestDefaults, ...options, baseURL: baseUrl.url },
				{ credentialsDecrypted },
			);
			return response as IN8nHttpFullResponse;
		},
	};
}
