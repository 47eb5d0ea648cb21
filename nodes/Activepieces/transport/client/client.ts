import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import {
	type CredentialName,
	CREDENTIALS,
	connectionSettingsOf,
	projectOfToken,
	requireAccount,
	requireApiKey,
	requireBaseUrl,
	secretsOf,
	tokenOf,
	tokenOfSession,
} from './credential';
import {
	type ConnectionSettings,
	exchange,
	type ExchangeOptions,
	type HttpHelper,
} from '../http/exchange';
import { limits, type RetryPolicy } from '../limits';
import {
	createRedactor,
	NO_SECRETS,
	partsOfSecret,
	type Redactor,
	type Secrets,
} from '../http/redact';
import type { WebhookRequest } from './request';
import { type AttemptResult, isSuccess } from '../http/response';
import { Ledger, SharedLedger } from './ledger';
import { type IsFinal, NodeRun } from './run';
import { connections, Session } from './session';
import { isRecord } from '../values';
import type { CredentialKind, MessagePlace } from '../errors/words';

export type RequestContext = Pick<IAllExecuteFunctions, 'helpers'>;

/** A decrypted credential, read once for all requests of a client. */
export interface DecryptedCredential {
	name: CredentialName;
	/** n8n adds the session when it signs in */
	data: ICredentialDataDecryptedObject;
}

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
	run: NodeRun;
	place: MessagePlace;
	/** What the requests of the item did; by default nothing yet */
	ledger?: Ledger;
	/** Override the credential's own settings: n8n's Request Options */
	settings?: ConnectionSettings;
	defaultTimeoutMs?: number;
	maxTimeoutMs?: number;
	retryPolicy?: RetryPolicy;
}

interface Account {
	baseUrl: string;
	credentialKind: CredentialKind;
	settings: ConnectionSettings;
	/** Only for a credential that signs in */
	session?: Session;
	/** Names of the projects that it may see, by ID, as far as they were read */
	projectNames: Map<string, string>;
	/** Tokens of the run, including those of earlier sessions, which may still be valid */
	tokens: Set<string>;
	/** What can be read from the token. It is needed for every record, and changes only by signing in. */
	token?: {
		/** The credential's field `sessionToken` of which it was read */
		session: unknown;
		redactor: Redactor;
		projectId?: string;
	};
}

function readAccount(
	{ name, data }: DecryptedCredential,
	{ run, settings }: ClientOptions,
): Account {
	const baseUrl = requireBaseUrl(data.baseUrl);
	const account = {
		baseUrl,
		settings: { ...connectionSettingsOf(data), ...settings },
		projectNames: new Map<string, string>(),
		tokens: new Set<string>(),
	};
	if (name === CREDENTIALS.apiKey) {
		const isKey = requireApiKey(data.apiKey).startsWith('sk-');
		return { ...account, credentialKind: isKey ? 'apiKey' : 'otherKey' };
	}
	requireAccount(data);
	return { ...account, credentialKind: 'signIn', session: new Session(run.end) };
}

/**
 * The connection of an input item, a poll, a search or a credential test to a server. The URL and the key of all
 * requests come from the same reading of the credential, so a credential that changes meanwhile is never
 * mixed.
 */
export class ApiClient {
	readonly run: NodeRun;
	readonly ledger: Ledger;
	readonly place: MessagePlace;
	readonly retryPolicy: RetryPolicy;
	readonly baseUrl: string;
	readonly credentialKind: CredentialKind;
	readonly settings: ConnectionSettings;
	readonly ownSettings: ConnectionSettings | undefined;
	readonly projectNames: Account['projectNames'];
	private readonly credential: DecryptedCredential;
	/** Identifies the account among those of the run */
	private readonly accountKey: string;
	private readonly account: Account;
	private readonly session: Session | undefined;
	private readonly maxTimeoutMs: number;
	private readonly timeoutMs: number;
	/** Whether requests in flight go on after the workflow was canceled */
	private readonly ignoresCancel: boolean = false;
	/** Redacts the secrets that requests send in their bodies */
	private readonly sent?: Redactor;

	constructor(
		/** Sends a request with the credential, and signs in first if there is no session */
		private readonly sender: HttpHelper,
		options: ClientOptions,
	) {
		const { credential, run, settings } = options;
		this.run = run;
		this.ledger = options.ledger ?? new Ledger();
		this.place = options.place;
		this.retryPolicy = options.retryPolicy ?? limits.execution;
		this.credential = credential;
		this.ownSettings = settings;
		// Contains the password as well, because another item may have the right one.
		const fields = { ...credential.data, sessionToken: undefined };
		this.accountKey = JSON.stringify([credential.name, fields, settings]);
		const account = run.memo(`account ${this.accountKey}`, () => readAccount(credential, options));
		this.account = account;
		({
			baseUrl: this.baseUrl,
			credentialKind: this.credentialKind,
			settings: this.settings,
			projectNames: this.projectNames,
			session: this.session,
		} = account);
		this.maxTimeoutMs = options.maxTimeoutMs ?? Infinity;
		this.timeoutMs = Math.min(
			account.settings.timeoutMs ?? options.defaultTimeoutMs ?? limits.requestTimeoutMs,
			this.maxTimeoutMs,
		);
		this.signInWith(run);
	}

	/**
	 * A client for cleaning up after the run: canceling the run does not cancel its requests, and it takes
	 * little time.
	 */
	forCleanUp(): ApiClient {
		const run = new NodeRun();
		this.signInWith(run);
		return this.with({
			run,
			session: this.session && new Session(run.end),
			retryPolicy: limits.cleanUp,
			timeoutMs: Math.min(this.timeoutMs, limits.cleanUp.maxElapsedMs),
		});
	}

	/** Makes n8n sign in with the settings of this client, until the run is canceled. */
	private signInWith({ end }: NodeRun): void {
		const { session, settings } = this.account;
		if (session) connections.set(this.credential.data, { settings, onCancel: end.onCancel });
	}

	/**
	 * A client that waits for the response to a request after the workflow was canceled, because the node
	 * has to know what a request created in order to delete it.
	 */
	withoutAbort(): ApiClient {
		return this.with({ ignoresCancel: true });
	}

	forItems(ledgers: Ledger[]): ApiClient {
		return this.with({ ledger: new SharedLedger(ledgers) });
	}

	/**
	 * A client whose messages show none of the texts that its requests send, such as the value of a variable,
	 * whatever the server says.
	 */
	withSecrets(texts: string[]): ApiClient {
		return this.with({
			sent: createRedactor({ tokens: [], passwords: texts.flatMap(partsOfSecret) }),
		});
	}

	private with(change: object): ApiClient {
		return Object.assign(Object.create(this) as ApiClient, change);
	}

	get hasResponded(): boolean {
		return this.run.responded.has(this.baseUrl);
	}

	/**
	 * The only project of the credential; undefined when it is for all projects of its user or platform.
	 * Known after the first request of a credential that signs in.
	 */
	get tokenProjectId(): string | undefined {
		return this.readToken().projectId;
	}

	private readToken(): NonNullable<Account['token']> {
		const { account, credential } = this;
		const { name, data } = credential;
		if (account.token === undefined || account.token.session !== data.sessionToken) {
			const secrets = secretsOf(name, data, account.settings);
			for (const token of secrets.tokens) account.tokens.add(token);
			account.token = {
				session: data.sessionToken,
				redactor: createRedactor({ ...secrets, tokens: [...account.tokens] }),
				projectId: projectOfToken(tokenOf(name, data)),
			};
		}
		return account.token;
	}

	memo<Value>(key: string, make: () => Value): Value {
		return this.run.memo(`${key} ${this.accountKey}`, make);
	}

	async once<T>(key: string, read: () => Promise<T>, isFinal?: IsFinal): Promise<T> {
		return await this.run.once(`${key} ${this.accountKey}`, read, isFinal);
	}

	/**
	 * Whether the server is of the Community edition, which accepts a session token in place of a key. It
	 * refuses each API key like a wrong one (recorded).
	 */
	async isWithoutKeys(): Promise<boolean> {
		return this.credentialKind === 'apiKey' && (await this.fetchFlags()).EDITION === 'ce';
	}

	/**
	 * What the server tells every client about itself. A wrong credential gets 401, and 0.73 responds to a
	 * right one with 409 (recorded). Empty when the request fails; the next caller then asks again.
	 */
	async fetchFlags(): Promise<IDataObject> {
		const server = serverOf(this.baseUrl);
		server.flags ??= this.exchange(
			{ method: 'GET', url: '/v1/flags', headers: { Accept: 'application/json' } },
			{
				timeoutMs: Math.min(this.timeoutMs, limits.editionTimeoutMs),
				isPublic: true,
				// Other runs wait for it, too.
				onCancel: undefined,
			},
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

	/** Sends a request to a webhook once, without the key or the session; resolves with any status. */
	async call(
		options: IHttpRequestOptions,
		{ minTimeoutMs = 0, timeoutMs }: Pick<WebhookRequest, 'minTimeoutMs' | 'timeoutMs'>,
	): Promise<AttemptResult> {
		const wanted = timeoutMs ?? Math.max(this.timeoutMs, minTimeoutMs);
		return await this.exchange(options, {
			timeoutMs: Math.min(wanted, this.maxTimeoutMs),
			isPublic: true,
			isWebhook: true,
		});
	}

	/** Sends a request once, and once more when its session has ended; resolves with any status. */
	async request(options: IHttpRequestOptions): Promise<AttemptResult> {
		const { session, timeoutMs } = this;
		const { data } = this.credential;
		if (session === undefined) return await this.exchange(options);
		return await session.request(data, async () => {
			// Signing in has its own time-out.
			const isSigningIn = tokenOfSession(data) === '';
			const ownMs = this.settings.timeoutMs ?? limits.signInTimeoutMs;
			const result = await this.exchange(
				{ timeout: timeoutMs, ...options },
				{ timeoutMs: timeoutMs + (isSigningIn ? ownMs : 0) },
			);
			// Without a session the request itself was not sent, so it cannot have changed anything.
			const isOfSignIn = isSigningIn && 'connectionError' in result && tokenOfSession(data) === '';
			return isOfSignIn ? { ...result, isSignIn: true } : result;
		});
	}

	private async exchange(options: IHttpRequestOptions, bounds: Partial<ExchangeOptions> = {}) {
		// n8n's helper does not know the setting timeoutMs, and ignores it.
		const { settings } = this;
		const headers = { ...settings.headers, ...options.headers };
		const all = { ...settings, ...options, headers, baseURL: this.baseUrl };
		return await exchange(this.sender, all, {
			timeoutMs: this.timeoutMs,
			onCancel: this.ignoresCancel ? undefined : this.run.end.onCancel,
			getRedactor: () => {
				const { sent } = this;
				const { redactor } = this.readToken();
				if (sent === undefined) return redactor;
				return { ...redactor, message: (text) => redactor.message(sent.message(text)) };
			},
			...bounds,
		});
	}
}
