import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import {
	type ConnectionSettings,
	type CredentialName,
	CREDENTIALS,
	parseAccount,
	parseConnectionSettings,
	projectOfToken,
	requireApiKey,
	requireBaseUrl,
	secretsOf,
	tokenOfSession,
} from './credential';
import { type AttemptResult, exchange, type ExchangeOptions, type HttpHelper } from './exchange';
import { limits, type RetryPolicy } from './limits';
import { createRedactor, NO_SECRETS, type Redactor, type Secrets } from './redact';
import type { WebhookRequest } from './request';
import { isSuccess } from './response';
import { Ledger, SharedLedger } from './retry';
import { Run } from './run';
import { connections, Session } from './session';
import { isRecord } from './values';
import type { CredentialKind, MessagePlace } from './words';

/** n8n's context of a node, a locator or a trigger, which sends requests. */
export type RequestContext = Pick<IAllExecuteFunctions, 'helpers'>;

/** A decrypted credential, read once for all requests of a client. */
export interface DecryptedCredential {
	name: CredentialName;
	/** n8n adds the session when it signs in */
	data: ICredentialDataDecryptedObject;
}

/** The secrets of a credential, as far as one was read. */
export const secretsOfCredential = (credential?: DecryptedCredential): Secrets =>
	credential === undefined ? NO_SECRETS : secretsOf(credential.name, credential.data);

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

/** What requests have shown of a server. */
interface Server {
	/** When it is forgotten, in milliseconds since 1970: an upgrade is noticed soon after */
	until: number;
	/** What it tells clients without a credential, stored when the request starts, because several items may ask at once */
	flags?: Promise<IDataObject>;
	/** Whether it refuses the statuses of runs that only newer releases know */
	refusesNewStatuses?: boolean;
	/** Where it has endpoints, by the method and path of the contract; undefined for an endpoint that it lacks */
	paths: Map<string, string | undefined>;
}

const servers = new Map<string, Server>();

export function serverOf(baseUrl: string): Server {
	const now = Date.now();
	for (const [url, { until }] of servers) if (until <= now) servers.delete(url);
	let server = servers.get(baseUrl);
	if (server === undefined) {
		server = { until: now + limits.serverKnowledgeTtlMs, paths: new Map() };
		servers.set(baseUrl, server);
	}
	return server;
}

/** How long a server waits for the response of a flow, in milliseconds; undefined when it does not say so. */
export function webhookTimeoutMs({ WEBHOOK_TIMEOUT_SECONDS: seconds }: IDataObject) {
	if (typeof seconds !== 'number' || !(seconds > 0)) return undefined;
	return Math.min(seconds, limits.maxRunTimeoutSeconds) * 1000;
}

interface ClientOptions {
	credential: DecryptedCredential;
	run: Run;
	place: MessagePlace;
	/** What the requests of the item did; by default nothing yet */
	ledger?: Ledger;
	/** Override the credential's own settings: n8n's Request Options */
	settings?: ConnectionSettings;
	/** Time-out of a request if no setting gives one, in milliseconds */
	defaultTimeoutMs?: number;
	/** Maximum time-out of a request, whatever the settings */
	maxTimeoutMs?: number;
	retryPolicy?: RetryPolicy;
}

/** The names of the projects that a credential may see, as far as the run has read them. */
interface ProjectNames {
	/** Keyed by ID */
	readonly byId: Map<string, string>;
	/** The read of all names, in progress or complete */
	reading?: Promise<void>;
}

interface TokenFacts {
	/** The credential's field `sessionToken` of which it was read */
	session: unknown;
	redactor: Redactor;
	/** The only project of the token */
	projectId?: string;
}

/**
 * The connection of one input item, or of one search of a locator, to a server. The URL and the key of all
 * requests come from the same reading of the credential, so a credential that changes meanwhile is never
 * mixed.
 */
export class ApiClient {
	readonly run: Run;

	readonly ledger: Ledger;

	readonly place: MessagePlace;

	readonly baseUrl: string;

	readonly credentialKind: CredentialKind;

	readonly retryPolicy: RetryPolicy;

	readonly projectNames: ProjectNames;

	private readonly credential: DecryptedCredential;

	private readonly settings: ConnectionSettings;

	/** The settings that n8n's helper reads */
	private readonly connection: Omit<ConnectionSettings, 'timeoutMs'>;

	private readonly maxTimeoutMs: number;

	private readonly timeoutMs: number;

	/** Identifies the server and the account or key among those of the run */
	private readonly account: string;

	private readonly session: Session | undefined;

	private token: TokenFacts | undefined;

	/** Including those of earlier sessions, which may still be valid */
	private readonly tokens = new Set<string>();

	/** Whether requests in flight go on after the workflow was canceled */
	private readonly ignoresCancel: boolean = false;

	constructor(
		/** Sends a request with the credential, and signs in first if there is no session */
		private readonly sender: HttpHelper,
		options: ClientOptions,
	) {
		const { credential, run } = options;
		const { name, data } = credential;
		this.run = run;
		this.ledger = options.ledger ?? new Ledger();
		this.place = options.place;
		this.retryPolicy = options.retryPolicy ?? limits.execution;
		this.credential = credential;
		this.baseUrl = requireBaseUrl(data.baseUrl);
		this.settings = { ...parseConnectionSettings(data, 'the credential'), ...options.settings };
		this.maxTimeoutMs = options.maxTimeoutMs ?? Infinity;
		const { timeoutMs, ...connection } = this.settings;
		this.connection = connection;
		this.timeoutMs = Math.min(
			timeoutMs ?? options.defaultTimeoutMs ?? limits.requestTimeoutMs,
			this.maxTimeoutMs,
		);
		if (name === CREDENTIALS.signIn) {
			this.credentialKind = 'signIn';
			// Includes the password, because another item may have the right one.
			this.account = JSON.stringify(parseAccount(data));
			this.session = run.memo(`session ${this.account}`, () => new Session(run.end));
			this.signInWith(run);
		} else {
			const key = requireApiKey(data.apiKey);
			this.credentialKind = key.startsWith('sk-') ? 'apiKey' : 'otherKey';
			this.account = `${this.baseUrl} ${key}`;
		}
		this.projectNames = run.memo(`names ${this.account}`, () => ({ byId: new Map() }));
	}

	/**
	 * A client for cleaning up after the run: canceling the run does not cancel its requests, and it takes
	 * little time.
	 */
	forCleanUp(): ApiClient {
		const run = new Run();
		if (this.session !== undefined) this.signInWith(run);
		return this.with({
			run,
			session: this.session && new Session(run.end),
			retryPolicy: limits.cleanUp,
			timeoutMs: Math.min(this.timeoutMs, limits.cleanUp.maxElapsedMs),
		});
	}

	/** Makes n8n sign in with the settings of this client, until the run is canceled. */
	private signInWith({ end }: Run): void {
		connections.set(this.credential.data, { settings: this.settings, onCancel: end.onCancel });
	}

	/**
	 * A client that waits for the response to a request after the workflow was canceled, because the node
	 * has to know what a request created in order to delete it.
	 */
	withoutAbort(): ApiClient {
		return this.with({ ignoresCancel: true });
	}

	/** A client for a request that several input items share. */
	forItems(ledgers: Ledger[]): ApiClient {
		return this.with({ ledger: new SharedLedger(ledgers) });
	}

	private with(change: object): ApiClient {
		return Object.assign(Object.create(this) as ApiClient, change);
	}

	get proxyHost(): string | undefined {
		const { proxy } = this.settings;
		return proxy && `${proxy.host}:${proxy.port}`;
	}

	/**
	 * The only project of the credential; undefined when it is for all projects of its user or platform.
	 * Known after the first request of a credential that signs in.
	 */
	get tokenProjectId(): string | undefined {
		return this.readToken().projectId;
	}

	/** A value that input items with this credential share during the run, made once. */
	memo<Value>(key: string, make: () => Value): Value {
		return this.run.memo(`${key} ${this.account}`, make);
	}

	/** What can be read from the token. It is needed for every record, and changes only by signing in. */
	private readToken(): TokenFacts {
		const { name, data } = this.credential;
		if (this.token === undefined || this.token.session !== data.sessionToken) {
			const secrets = secretsOf(name, data, this.settings);
			for (const token of secrets.tokens) this.tokens.add(token);
			this.token = {
				session: data.sessionToken,
				redactor: createRedactor({ ...secrets, tokens: [...this.tokens] }),
				projectId: projectOfToken(secrets.tokens[0] ?? ''),
			};
		}
		return this.token;
	}

	/**
	 * A read that input items with this credential share during the run. A failed read is repeated.
	 *
	 * @param isFinal whether an error is kept as well, instead of reading again
	 */
	async readOnce<T>(
		key: string,
		read: () => Promise<T>,
		isFinal?: (error: unknown) => boolean,
	): Promise<T> {
		return await this.run.readOnce(`${key} ${this.account}`, read, isFinal);
	}

	/** Whether the credential is an API key and the server's edition has no API keys */
	async isWithoutKeys(): Promise<boolean> {
		// The Community edition accepts a session token in place of a key. It refuses each API key like a wrong
		// one (recorded).
		return this.credentialKind === 'apiKey' && (await this.fetchFlags()).EDITION === 'ce';
	}

	/**
	 * What the server tells every client about itself. A wrong credential gets 401, and 0.73 responds to a
	 * right one with 409 (recorded). Empty when the request fails; the next caller then asks again.
	 */
	async fetchFlags(): Promise<IDataObject> {
		const server = serverOf(this.baseUrl);
		server.flags ??= this.exchangePublic(
			{ method: 'GET', url: '/v1/flags', headers: { Accept: 'application/json' } },
			// Other runs wait for it, too.
			{ timeoutMs: Math.min(this.timeoutMs, limits.editionTimeoutMs), onCancel: undefined },
		).then((result) => {
			const response = 'response' in result ? result.response : undefined;
			if (response !== undefined && isSuccess(response) && isRecord(response.body)) {
				return response.body;
			}
			server.flags = undefined;
			return {};
		});
		return await server.flags;
	}

	/** Sends a request to a webhook once, without the credential; resolves with any status. */
	async call(
		options: IHttpRequestOptions,
		{ minTimeoutMs = 0, timeoutMs }: Pick<WebhookRequest, 'minTimeoutMs' | 'timeoutMs'>,
	): Promise<AttemptResult> {
		const wanted = timeoutMs ?? Math.max(this.timeoutMs, minTimeoutMs);
		const bounds = { timeoutMs: Math.min(wanted, this.maxTimeoutMs) };
		return await this.exchangePublic(options, { ...bounds, isWebhook: true });
	}

	/** Sends a request once, and once more when its session has ended; resolves with any status. */
	async request(options: IHttpRequestOptions): Promise<AttemptResult> {
		const { session } = this;
		const { data } = this.credential;
		if (session === undefined) return await this.exchange(this.sender, options, {});
		return await session.request(data, async () => {
			// Signing in has its own time-out.
			const isSigningIn = tokenOfSession(data) === '';
			const signInMs = isSigningIn ? (this.settings.timeoutMs ?? limits.signInTimeoutMs) : 0;
			const timed = { timeout: this.timeoutMs, ...options };
			const result = await this.exchange(this.sender, timed, {
				timeoutMs: this.timeoutMs + signInMs,
			});
			// Without a session the request itself was not sent, so it cannot have changed anything.
			const isOfSignIn = isSigningIn && 'connectionError' in result && tokenOfSession(data) === '';
			return isOfSignIn ? { ...result, isSignIn: true } : result;
		});
	}

	/** Sends without the credential or any part of it. */
	private async exchangePublic(
		options: IHttpRequestOptions,
		bounds: Pick<ExchangeOptions, 'timeoutMs' | 'isWebhook' | 'onCancel'>,
	): Promise<AttemptResult> {
		return await this.exchange(async (all) => await this.sender(all, true), options, bounds);
	}

	private async exchange(
		sender: HttpHelper,
		options: IHttpRequestOptions,
		bounds: Partial<ExchangeOptions>,
	): Promise<AttemptResult> {
		const all = { ...this.connection, ...options, baseURL: this.baseUrl };
		return await exchange(sender, all, {
			timeoutMs: this.timeoutMs,
			onCancel: this.ignoresCancel ? undefined : this.run.end.onCancel,
			getRedactor: () => this.readToken().redactor,
			...bounds,
		});
	}
}
