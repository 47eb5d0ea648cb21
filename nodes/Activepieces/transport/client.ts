import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import type { CircuitBreaker } from './circuitBreaker';
import {
	connectionOptions,
	type ConnectionSettings,
	overrideSettings,
	settingsOfCredential,
} from './connectionSettings';
import { parseAccount } from './credential/account';
import { requireApiKey } from './credential/apiKey';
import { type CredentialName, CREDENTIALS } from './credential/names';
import { requireBaseUrl } from './credential/parseBaseUrl';
import { secretsOf } from './credential/secrets';
import { findSignInError, setConnection, SignInError } from './credential/signIn';
import { tokenOfSession } from './credential/sessionToken';
import { projectOfToken } from './credential/tokenProject';
import { isCommunity } from './edition';
import { createRedactor, NO_SECRETS, type Redactor, type Secrets } from './errors/redact';
import type { CredentialKind, MessagePlace } from './errors/words';
import { exchange, type HttpHelper, toAttemptResult } from './exchange';
import { fetchFlags } from './flags';
import { limits, type RetryPolicy } from './limits';
import type { WebhookCall } from './request';
import type { ApiResponse } from './response';
import { createRunState, type ProjectNames, type RunState } from './runState';

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

/**
 * Makes the client of one credential. Address and key of all its requests come from the one reading
 * that it is given, so that a credential that is changed meanwhile is never mixed.
 *
 * @param sender sends a request with the credential, and signs in first where that has no session
 * @throws {ValidationError} when a field of the credential cannot be used
 */
export function createClient(
	sender: HttpHelper,
	{
		credential: { name, data },
		runState: run,
		place,
		settings: overriding = {},
		defaultTimeoutMs = limits.requestTimeoutMs,
		maxTimeoutMs = Infinity,
		retryPolicy = limits.execution,
	}: ClientOptions,
): ApiClient {
	const baseUrl = requireBaseUrl(data.baseUrl);
	const settings = overrideSettings(settingsOfCredential(data), overriding);
	const timeout = Math.min(settings.timeoutMs ?? defaultTimeoutMs, maxTimeoutMs);
	const signInTimeout = settings.timeoutMs ?? limits.signInTimeoutMs;
	const isSignIn = name === CREDENTIALS.signIn;
	const account = isSignIn ? parseAccount(data) : undefined;
	const key = isSignIn ? '' : requireApiKey(data.apiKey);

	let known: { session: unknown; redactor: Redactor; projectId?: string } | undefined;
	/** Also those of earlier sessions, which may be valid still */
	const tokens = new Set<string>();
	/** What follows from the token. It is asked for with every record, and changes only by signing in. */
	const ofToken = () => {
		if (known === undefined || known.session !== data.sessionToken) {
			const secrets = secretsOf(name, data, settings);
			for (const token of secrets.tokens) tokens.add(token);
			known = {
				session: data.sessionToken,
				redactor: createRedactor({ ...secrets, tokens: [...tokens] }),
				projectId: projectOfToken(isSignIn ? tokenOfSession(data) : key),
			};
		}
		return known;
	};

	const exchangeWith = async (
		send: HttpHelper,
		options: IHttpRequestOptions,
		bounds: { timeoutMs: number; isWebhook?: boolean },
	): Promise<ApiResponse> =>
		await exchange(
			send,
			{ ...connectionOptions(settings), ...options, baseURL: baseUrl },
			{
				...bounds,
				getRedactor: () => ofToken().redactor,
				onCancel: run.onCancel,
				limitLargeBodies: run.limitLargeBodies,
			},
		);
	const send = async (options: IHttpRequestOptions): Promise<ApiResponse> => {
		// n8n signs in first where there is no session, which has a time of its own.
		const hasNoSession = () => isSignIn && tokenOfSession(data) === '';
		const isSigningIn = hasNoSession();
		const exchanged = exchangeWith(
			sender,
			{ timeout, ...options },
			{ timeoutMs: isSigningIn ? timeout + signInTimeout : timeout },
		);
		return await exchanged.catch((error: unknown) => {
			// The request itself was not sent, so that nothing can have come of it.
			const isOfSignIn = isSigningIn && hasNoSession() && findSignInError(error) === undefined;
			throw isOfSignIn ? new SignInError(toAttemptResult(error)) : error;
		});
	};
	/** Nothing of the credential is in what it sends. */
	const exchangePublic = async (
		options: IHttpRequestOptions,
		timeoutMs: number,
		isWebhook = false,
	): Promise<ApiResponse> =>
		await exchangeWith(async (all) => await sender(all, true), options, { timeoutMs, isWebhook });
	const session = account === undefined ? undefined : run.sendWithSession(account);
	if (session !== undefined) setConnection(data, { settings, onCancel: run.onCancel });
	const { proxy } = settings;
	return {
		credentialKind: isSignIn ? 'signIn' : key.startsWith('sk-') ? 'apiKey' : 'otherKey',
		baseUrl,
		place,
		proxyHost: proxy === undefined ? undefined : `${proxy.host}:${proxy.port}`,
		runState: run,
		circuitBreaker: run.circuitBreaker(baseUrl),
		retryPolicy,
		projectNames: run.projectNames(JSON.stringify([baseUrl, account ?? key])),
		tokenProjectId: () => ofToken().projectId,
		async isWithoutKeys() {
			// The Community edition takes a session token in place of a key.
			if (!key.startsWith('sk-')) return false;
			return isCommunity(await this.flags());
		},
		forCleanUp: () =>
			createClient(sender, {
				credential: { name, data },
				runState: createRunState(),
				place,
				settings: overriding,
				defaultTimeoutMs,
				maxTimeoutMs: Math.min(maxTimeoutMs, limits.cleanUp.maxElapsedMs),
				retryPolicy: limits.cleanUp,
			}),
		async flags() {
			return await fetchFlags(
				baseUrl,
				async (options) =>
					await exchangePublic(options, Math.min(timeout, limits.editionTimeoutMs)),
			);
		},
		async call(options, { minTimeoutMs = 0, timeoutMs = Math.max(timeout, minTimeoutMs) }) {
			return await exchangePublic(options, Math.min(timeoutMs, maxTimeoutMs), true);
		},
		async request(options) {
			return session === undefined
				? await send(options)
				: await session(data, async () => await send(options));
		},
	};
}
