import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { createConnection } from './connection';
import {
	type ConnectionSettings,
	overrideSettings,
	settingsOfCredential,
} from './connectionSettings';
import type { HttpHelper } from './exchange';
import {
	createTokenReader,
	type CredentialName,
	CREDENTIALS,
	parseAccount,
	requireApiKey,
	requireBaseUrl,
	secretsOf,
	tokenOfSession,
} from './credential';
import { NO_SECRETS, type Secrets } from './redact';
import type { CredentialKind, MessagePlace } from './words';
import { fetchFlags, isCommunity } from './flags';
import { limits, type RetryPolicy } from './limits';
import type { WebhookCall } from './request';
import type { CircuitBreaker } from './retry';
import type { ApiResponse } from './response';
import { createRunState, type PerCredential, type ProjectNames, type RunState } from './run';
import { setConnection } from './signIn';

/** n8n's context of a node, a locator or a trigger, which sends requests. */
export type RequestContext = Pick<IAllExecuteFunctions, 'helpers'>;

/** A decrypted credential, read once for all requests of a client. */
export interface DecryptedCredential {
	name: CredentialName;
	/** n8n adds the session when it signs in */
	data: ICredentialDataDecryptedObject;
}

/** The connection of one input item, or of one search of a locator, to a server. */
export interface ApiClient {
	/** The kind of credential, for messages */
	readonly credentialKind: CredentialKind;
	readonly baseUrl: string;
	/** Where its messages appear */
	readonly place: MessagePlace;
	/** Host and port of the proxy */
	readonly proxyHost?: string;
	readonly runState: RunState;
	readonly circuitBreaker: CircuitBreaker;
	/** How often and how long its requests are repeated */
	readonly retryPolicy: RetryPolicy;
	/** Whether a request of this client has changed something, or may have; `transport/send.ts` sets it */
	mayHaveChanged: boolean;
	/** An object that all clients of the run with this credential share */
	readonly perCredential: PerCredential;
	/** The names of the projects that the credential may see, as far as the run has read them */
	readonly projectNames: ProjectNames;
	/**
	 * The only project of the credential; undefined when it is for all projects of its user or platform.
	 * Known after the first request of a credential that signs in.
	 */
	tokenProjectId(): string | undefined;
	/** Whether the credential is an API key and the server's edition has no API keys */
	isWithoutKeys(): Promise<boolean>;
	/**
	 * A client for cleaning up after the run: canceling the run does not cancel its requests, and it takes
	 * little time.
	 */
	forCleanUp(): ApiClient;
	/**
	 * A client that waits for the response to a request after the workflow was canceled, because the node
	 * has to know what a request created in order to delete it.
	 */
	withoutAbort(): ApiClient;
	/** What the server tells every client about itself */
	fetchFlags(): Promise<IDataObject>;
	/**
	 * Sends a request to a webhook, without the credential: the run stores all headers, and members of the
	 * project can read them (recorded). Resolves with any status.
	 *
	 * @throws an error for `resultOfThrown` when there was no response
	 */
	call(
		options: IHttpRequestOptions,
		times: Pick<WebhookCall, 'minTimeoutMs' | 'timeoutMs'>,
	): Promise<ApiResponse>;
	/**
	 * Sends a request; resolves with any status.
	 *
	 * @throws an error for `resultOfThrown` when there was no response
	 */
	request(options: IHttpRequestOptions): Promise<ApiResponse>;
}

/** The secrets of a credential, as far as one was read. */
export const secretsOfCredential = (credential?: DecryptedCredential): Secrets =>
	credential === undefined ? NO_SECRETS : secretsOf(credential.name, credential.data);

export interface ClientOptions {
	credential: DecryptedCredential;
	runState: RunState;
	/** Where its messages appear */
	place: MessagePlace;
	/** Override the credential's own settings: n8n's Request Options */
	settings?: ConnectionSettings;
	/** Time-out of a request if no setting gives one, in milliseconds */
	defaultTimeoutMs?: number;
	/** Maximum time-out of a request, whatever the settings */
	maxTimeoutMs?: number;
	retryPolicy?: RetryPolicy;
}

/**
 * Sends with n8n's helper, which adds the credential to the request. n8n gives each request the signal
 * of the execution. This replaces it with the request's own signal, which aborts with the execution and
 * at the request's time-out.
 */
export const authenticatedSender =
	(context: RequestContext, { name, data }: DecryptedCredential): HttpHelper =>
	async (options, isPublic = false) => {
		if (isPublic) return (await context.helpers.httpRequest(options)) as unknown;
		const withSignal: RequestContext =
			'getExecutionCancelSignal' in context
				? (Object.create(context, {
						getExecutionCancelSignal: { value: () => options.abortSignal },
					}) as RequestContext)
				: context;
		return (await context.helpers.httpRequestWithAuthentication.call(
			withSignal as IAllExecuteFunctions,
			name,
			options,
			{ credentialsDecrypted: { id: '', name, type: name, data } },
		)) as unknown;
	};

/** The kind of a credential, for messages. */
function credentialKindOf(isSignIn: boolean, key: string): CredentialKind {
	if (isSignIn) return 'signIn';
	return key.startsWith('sk-') ? 'apiKey' : 'otherKey';
}

/** Clients that differ from another one in a few options. */
function derivedClients(
	sender: HttpHelper,
	options: ClientOptions,
): Pick<ApiClient, 'forCleanUp' | 'withoutAbort'> {
	const { runState: run, maxTimeoutMs = Infinity } = options;
	return {
		forCleanUp: () =>
			createClient(sender, {
				...options,
				runState: createRunState(),
				maxTimeoutMs: Math.min(maxTimeoutMs, limits.cleanUp.maxElapsedMs),
				retryPolicy: limits.cleanUp,
			}),
		withoutAbort: () =>
			createClient(sender, {
				...options,
				runState: { ...run, onCancel: () => () => {} },
			}),
	};
}

/**
 * Makes the client of one credential. The URL and the key of all requests come from the same reading of
 * the credential, so a credential that changes meanwhile is never mixed.
 *
 * @param sender sends a request with the credential, and signs in first if there is no session
 * @throws {ValidationError} when a field of the credential cannot be used
 */
export function createClient(sender: HttpHelper, options: ClientOptions): ApiClient {
	const { credential, runState: run, place, retryPolicy = limits.execution } = options;
	const { name, data } = credential;
	const { defaultTimeoutMs = limits.requestTimeoutMs, maxTimeoutMs = Infinity } = options;
	const baseUrl = requireBaseUrl(data.baseUrl);
	const settings = overrideSettings(settingsOfCredential(data), options.settings ?? {});
	const timeout = Math.min(settings.timeoutMs ?? defaultTimeoutMs, maxTimeoutMs);
	const isSignIn = name === CREDENTIALS.signIn;
	const account = isSignIn ? parseAccount(data) : undefined;
	const key = isSignIn ? '' : requireApiKey(data.apiKey);
	const { onCancel, limitLargeBodies } = run;
	const readToken = createTokenReader(credential, settings, key);
	const connection = createConnection(sender, {
		baseUrl,
		settings,
		timeoutMs: timeout,
		signsInFirst: () => isSignIn && tokenOfSession(data) === '',
		getRedactor: () => readToken().redactor,
		onCancel,
		limitLargeBodies,
	});
	const session = account === undefined ? undefined : run.session(account);
	if (session !== undefined) setConnection(data, { settings, onCancel });
	const { proxy } = settings;
	const perCredential = run.perCredential(JSON.stringify([baseUrl, account ?? key]));
	return {
		...derivedClients(sender, options),
		credentialKind: credentialKindOf(isSignIn, key),
		baseUrl,
		place,
		proxyHost: proxy === undefined ? undefined : `${proxy.host}:${proxy.port}`,
		runState: run,
		circuitBreaker: run.circuitBreaker(baseUrl),
		retryPolicy,
		mayHaveChanged: false,
		perCredential,
		projectNames: perCredential.projectNames,
		tokenProjectId: () => readToken().projectId,
		async isWithoutKeys() {
			// The Community edition accepts a session token in place of a key.
			return this.credentialKind === 'apiKey' && isCommunity(await this.fetchFlags());
		},
		async fetchFlags() {
			const timeoutMs = Math.min(timeout, limits.editionTimeoutMs);
			return await fetchFlags(
				baseUrl,
				async (asked) => await connection.exchangePublic(asked, { timeoutMs }),
			);
		},
		async call(asked, { minTimeoutMs = 0, timeoutMs = Math.max(timeout, minTimeoutMs) }) {
			const ms = Math.min(timeoutMs, maxTimeoutMs);
			return await connection.exchangePublic(asked, { timeoutMs: ms, isWebhook: true });
		},
		request: async (asked) =>
			session === undefined
				? await connection.exchange(asked)
				: await session.request(data, async () => await connection.exchange(asked)),
	};
}
