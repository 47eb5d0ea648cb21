import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { createConnection } from './connection/connection';
import {
	type ConnectionSettings,
	overrideSettings,
	settingsOfCredential,
} from './connection/connectionSettings';
import type { HttpHelper } from './connection/exchange';
import { parseAccount } from './credential/account';
import { requireApiKey } from './credential/apiKey';
import { type CredentialName, CREDENTIALS } from './credential/names';
import { requireBaseUrl } from './credential/parseBaseUrl';
import { secretsOf } from './credential/secrets';
import { tokenOfSession } from './credential/sessionToken';
import { createTokenReader } from './credential/tokenFacts';
import { NO_SECRETS, type Secrets } from './errors/redact';
import type { CredentialKind, MessagePlace } from './errors/words';
import { fetchFlags, isCommunity } from './flags';
import { limits, type RetryPolicy } from './limits';
import type { WebhookCall } from './request/request';
import type { CircuitBreaker } from './request/retry';
import type { ApiResponse } from './response/response';
import {
	createRunState,
	type PerCredential,
	type ProjectNames,
	type RunState,
} from './run/runState';
import { setConnection } from './session/signIn';

/** n8n's own context of a node, a locator or a trigger, which sends requests. */
export type RequestContext = Pick<IAllExecuteFunctions, 'helpers'>;

/** A credential as n8n decrypted it, once for all the requests that a client sends. */
export interface DecryptedCredential {
	name: CredentialName;
	/** n8n puts the session in when it signs in */
	data: ICredentialDataDecryptedObject;
}

/** The connection of one input item, or of one search of a locator, to one server. */
export interface ApiClient {
	/** What it holds, for messages */
	readonly credentialKind: CredentialKind;
	readonly baseUrl: string;
	/** Where its messages are read */
	readonly place: MessagePlace;
	/** Host and port of the proxy that its requests go through */
	readonly proxyHost?: string;
	readonly runState: RunState;
	readonly circuitBreaker: CircuitBreaker;
	/** For how long its requests are repeated */
	readonly retryPolicy: RetryPolicy;
	/** One object for all clients of the run with this credential */
	readonly perCredential: PerCredential;
	/** The names of the projects that its credential may see, as far as the run has read them */
	readonly projectNames: ProjectNames;
	/**
	 * The one project that the credential is for; nothing when it is for all of its user or platform. Known
	 * after the first request of a credential that signs in.
	 */
	tokenProjectId(): string | undefined;
	/** Whether the credential is an API key and the server says that its edition has none */
	isWithoutKeys(): Promise<boolean>;
	/**
	 * The same connection for what has to be put right whatever became of the run: it is not cancelled with
	 * it, and takes little time.
	 */
	forCleanUp(): ApiClient;
	/**
	 * The same, but the answer to a request that was sent is waited for although the workflow was cancelled:
	 * what it made has to be known to be removed.
	 */
	withoutAbort(): ApiClient;
	/** What the server tells of itself to everybody */
	flags(): Promise<IDataObject>;
	/**
	 * Sends one request to a webhook, without the credential: whatever headers arrive there are stored in the
	 * run, where members of the project read them (recorded). Resolves with any status.
	 *
	 * @throws what `resultOfThrown` reads when no response came
	 */
	call(
		options: IHttpRequestOptions,
		times: Pick<WebhookCall, 'minTimeoutMs' | 'timeoutMs'>,
	): Promise<ApiResponse>;
	/**
	 * Sends one request; resolves with any status.
	 *
	 * @throws what `resultOfThrown` reads when no response came
	 */
	request(options: IHttpRequestOptions): Promise<ApiResponse>;
}

/** What must not be shown of a credential, as far as one was read. */
export const secretsOfCredential = (credential?: DecryptedCredential): Secrets =>
	credential === undefined ? NO_SECRETS : secretsOf(credential.name, credential.data);

export interface ClientOptions {
	credential: DecryptedCredential;
	runState: RunState;
	/** Where its messages are read */
	place: MessagePlace;
	/** What comes before the credential's own settings: n8n's Request Options */
	settings?: ConnectionSettings;
	/** The time of a request where neither says otherwise, in milliseconds */
	defaultTimeoutMs?: number;
	/** No request takes longer, whatever the settings say */
	maxTimeoutMs?: number;
	retryPolicy?: RetryPolicy;
}

/**
 * Sends by n8n's helper, which puts the credential into the request. n8n makes the signal of the execution
 * that of every request; it is given the request's own in its place, which ends with the execution and with
 * the time of the request.
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

/** What a credential holds, for messages. */
function credentialKindOf(isSignIn: boolean, key: string): CredentialKind {
	if (isSignIn) return 'signIn';
	return key.startsWith('sk-') ? 'apiKey' : 'otherKey';
}

/** The clients that differ from one in few options. */
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
 * Makes the client of one credential. Address and key of all its requests come from the one reading
 * that it is given, so that a credential that is changed meanwhile is never mixed.
 *
 * @param sender sends a request with the credential, and signs in first where that has no session
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
	const { send, sendPublic } = createConnection(sender, {
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
		perCredential,
		projectNames: perCredential.projectNames,
		tokenProjectId: () => readToken().projectId,
		async isWithoutKeys() {
			// The Community edition takes a session token in place of a key.
			return this.credentialKind === 'apiKey' && isCommunity(await this.flags());
		},
		async flags() {
			const timeoutMs = Math.min(timeout, limits.editionTimeoutMs);
			return await fetchFlags(baseUrl, async (asked) => await sendPublic(asked, { timeoutMs }));
		},
		async call(asked, { minTimeoutMs = 0, timeoutMs = Math.max(timeout, minTimeoutMs) }) {
			const ms = Math.min(timeoutMs, maxTimeoutMs);
			return await sendPublic(asked, { timeoutMs: ms, isWebhook: true });
		},
		request: async (asked) =>
			session === undefined
				? await send(asked)
				: await session.send(data, async () => await send(asked)),
	};
}
