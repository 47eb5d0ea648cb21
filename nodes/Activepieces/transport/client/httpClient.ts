import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { DecryptedCredential } from '../credential/credential';
import { refusal } from '../errors/error';
import { errorForConnection } from '../errors/errorFor';
import { Ledger } from '../errors/ledger';
import { NEEDS_079 } from '../errors/messages';
import type { CredentialKind, ErrorSource, MessagePlace } from '../errors/words';
import {
	exchange,
	type ConnectionSettings,
	type ExchangeOptions,
	type Sender,
} from '../http/exchange';
import { createRedactor, type Redactor } from '../http/redact';
import { isFromService, isStatus, type ApiResponse, type AttemptResult } from '../http/response';
import { limits, type Patience, type RetryPolicy } from '../limits';
import { Account } from './account';
import { untilFinal } from './loop';
import { NodeRun } from './nodeRun';
import {
	httpOptions,
	isWebhookCall,
	webhookOptions,
	type ApiRequest,
	type WebhookRequest,
} from './request';
import {
	flagsOf,
	GET_FLAGS,
	requestAtEitherPath,
	serverOf,
	webhookTimeoutMs,
	type Server,
} from './server';
import { errorForSignIn, signInOptions } from './signIn';

/* The connection of a call to a server: what each of its requests has. */

export interface ClientOptions {
	credential: DecryptedCredential;
	nodeRun: NodeRun;
	place: MessagePlace;
	/** What the requests of the item did; by default nothing yet */
	ledger?: Ledger;
	/** Override the credential's own settings: n8n's Request Options */
	settings?: ConnectionSettings;
	defaultTimeoutMs?: number;
	maxTimeoutMs?: number;
	retryPolicy?: RetryPolicy;
	/** How long, and how often, a change in progress is awaited */
	patience?: Patience;
	/** Whether requests in flight go on after the workflow was canceled */
	ignoresCancel?: boolean;
	/** Secrets in the requests of the item, which messages must not repeat: the item adds them when it reads them */
	itemSecrets?: string[];
}

/**
 * The connection of an input item, a poll, a search or a credential test to a server. The URL and the key of all
 * requests come from the same reading of the credential, so a credential that changes meanwhile is never
 * mixed.
 *
 * A request passes three functions: `request` is what a caller uses, `untilFinal` repeats it (`loop.ts`), and
 * `attempt` exchanges it for a response. What a server has elsewhere is in `server.ts`, sessions in `session.ts`.
 */
export class HttpClient implements ErrorSource {
	readonly nodeRun: NodeRun;
	readonly ledger: Ledger;
	readonly place: MessagePlace;
	readonly retryPolicy: RetryPolicy;
	readonly baseUrl: string;
	readonly credentialKind: CredentialKind;
	readonly settings: ConnectionSettings;
	readonly requestOptionSettings: ConnectionSettings | undefined;
	readonly projectNames: Account['projectNames'];
	protected readonly itemSecrets: string[];
	private readonly account: Account;
	protected readonly maxTimeoutMs: number;
	private readonly timeoutMs: number;

	constructor(
		/** Sends a request with the credential, and signs in first if there is no session */
		protected readonly sender: Sender,
		protected readonly options: ClientOptions,
	) {
		const { credential, nodeRun, settings } = options;
		this.nodeRun = nodeRun;
		this.ledger = options.ledger ?? new Ledger();
		this.itemSecrets = options.itemSecrets ?? [];
		this.place = options.place;
		this.retryPolicy = options.retryPolicy ?? limits.execution;
		this.requestOptionSettings = settings;
		// Contains the password as well, because another item may have the right one.
		const fields = { ...credential.data, sessionToken: undefined };
		const key = JSON.stringify([credential.name, fields, settings]);
		const account = nodeRun.cached(
			`account ${key}`,
			() => new Account(key, credential, nodeRun, settings),
		);
		this.account = account;
		this.baseUrl = account.baseUrl;
		this.credentialKind = account.credentialKind;
		this.settings = account.settings;
		this.projectNames = account.projectNames;
		this.maxTimeoutMs = options.maxTimeoutMs ?? Infinity;
		this.timeoutMs = Math.min(
			this.settings.timeoutMs ?? options.defaultTimeoutMs ?? limits.requestTimeoutMs,
			this.maxTimeoutMs,
		);
		if (account.session === undefined) return;
		// Makes n8n sign in with the settings of this client, until the run is canceled.
		signInOptions.set(credential.data, { settings: this.settings, onCancel: nodeRun.end.onCancel });
	}

	/** Keeps secrets out of every message about the item from now on. */
	addSecrets(secrets: string[]): void {
		this.itemSecrets.push(...secrets);
	}

	get hasResponded(): boolean {
		return this.nodeRun.respondedBaseUrls.has(this.baseUrl);
	}

	/**
	 * The only project of the credential; undefined when it is for all projects of its user or platform.
	 * Known after the first request of a credential that signs in.
	 */
	get tokenProjectId(): string | undefined {
		return this.account.tokenFacts(this.options.credential).projectId;
	}

	/** What is known of the server, for some time after the run as well. */
	get server(): Server {
		return serverOf(this.baseUrl);
	}

	private get redactor(): Redactor {
		const { itemSecrets } = this;
		const { redactor, secrets } = this.account.tokenFacts(this.options.credential);
		if (itemSecrets.length === 0) return redactor;
		return createRedactor({ ...secrets, passwords: [...secrets.passwords, ...itemSecrets] });
	}

	/** What all input items of the run share that have the same account (`NodeRun.cached`). */
	cached<T>(key: string, make: () => T, maxAgeMs?: number): T {
		return this.nodeRun.cached(`${key} ${this.account.key}`, make, maxAgeMs);
	}

	/** Sends a request once, and once more when its session has ended; resolves with any status. */
	async attempt(
		options: IHttpRequestOptions,
		{ timeoutMs = this.timeoutMs, ...exchangeOptions }: Partial<ExchangeOptions> = {},
	): Promise<AttemptResult> {
		this.ledger.hasSent = true;
		// n8n's helper does not know the setting timeoutMs, and ignores it.
		const { settings, nodeRun } = this;
		const all: IHttpRequestOptions = {
			...{ ...settings, timeout: timeoutMs, ...options },
			headers: { ...settings.headers, ...options.headers },
			baseURL: this.baseUrl,
		};
		const send = async (signInMs = 0) =>
			await exchange(this.sender, all, {
				onCancel: this.options.ignoresCancel === true ? undefined : nodeRun.end.onCancel,
				getRedactor: () => this.redactor,
				...exchangeOptions,
				timeoutMs: timeoutMs + signInMs,
			});
		const { session } = this.account;
		if (session === undefined || exchangeOptions.isPublic) return await send();
		return await session.attempt(this.options.credential.data, send);
	}

	/**
	 * Sends a request until its result is final. It keeps its slot among the requests in flight meanwhile, so
	 * that the other items do not send requests to a service that asked to wait.
	 *
	 * Resolves with any status, which `expectRecord` and `parsePage` turn into an error.
	 *
	 * @throws {ActivepiecesError} when there is no response, or no session
	 */
	async request(request: ApiRequest | WebhookRequest): Promise<ApiResponse> {
		this.assertRelease(request);
		if (!isWebhookCall(request) && request.endpoint.otherPath !== undefined) {
			return await requestAtEitherPath(this, request, request.endpoint.otherPath);
		}
		const options = isWebhookCall(request) ? webhookOptions(request) : httpOptions(request);
		const exchangeOptions = isWebhookCall(request) ? this.webhookExchange(request) : {};
		const { result, attempts } = await this.nodeRun.limitRequests(
			async () =>
				await untilFinal(this, request, async () => await this.attempt(options, exchangeOptions)),
		);
		if (result.isSignIn) throw errorForSignIn(this, result, attempts);
		if ('connectionError' in result) {
			throw errorForConnection(this, request, result.connectionError, attempts);
		}
		// A change that signs in first is compared with the project of the session by the service (recorded).
		if (request.endpoint.method === 'GET') this.assertRelease(request);
		const { response } = result;
		response.attempts = attempts;
		if (
			!isWebhookCall(request) &&
			isStatus(response.status, 'unauthorized') &&
			isFromService(response)
		) {
			// Community accepts a session token in place of a key. It refuses each API key like a wrong one (recorded).
			response.isWithoutKeys =
				this.credentialKind === 'apiKey' && (await this.fetchFlags()).EDITION === 'ce';
		}
		return response;
	}

	/** Up to 0.73 a session reads the lists of its own project, whichever is asked for, and creates tables there (recorded). */
	private assertRelease({ endpoint }: ApiRequest | WebhookRequest): void {
		if (this.tokenProjectId === undefined || endpoint.worksOn073) return;
		throw refusal(NEEDS_079.message, NEEDS_079.description);
	}

	/** A call of a webhook goes without the key or the session. */
	private webhookExchange({
		minTimeoutMs = 0,
		timeoutMs,
	}: WebhookRequest): Partial<ExchangeOptions> {
		const wanted = timeoutMs ?? Math.max(this.timeoutMs, minTimeoutMs);
		return {
			timeoutMs: Math.min(wanted, this.maxTimeoutMs),
			isPublic: true,
			isWebhook: true,
		};
	}

	/** Sends a request to an endpoint that some servers lack. Such a server is not asked again for some time. */
	async requestIfPresent(request: ApiRequest): Promise<ApiResponse | undefined> {
		const { absent } = this.server;
		const key = `${request.endpoint.method} ${request.endpoint.path}`;
		if (absent.has(key)) return undefined;
		const response = await this.request(request);
		if (!response.isRouteMissing) return response;
		absent.add(key);
		return undefined;
	}

	/** How long the server waits for the response of a flow, in milliseconds; undefined when it does not say so. */
	async webhookTimeoutMs(): Promise<number | undefined> {
		return webhookTimeoutMs(await this.fetchFlags());
	}

	/**
	 * What the server tells every client about itself; empty when it cannot be read.
	 *
	 * @param isFresh whether it is read although it is known
	 */
	async fetchFlags({ isFresh = false } = {}): Promise<IDataObject> {
		const timeoutMs = Math.min(this.timeoutMs, limits.editionTimeoutMs);
		// Other runs wait for it, too, so it is not canceled.
		const exchangeOptions = { timeoutMs, isPublic: true, onCancel: undefined };
		const fetch = async () => await this.attempt(GET_FLAGS, exchangeOptions);
		return await flagsOf(this.baseUrl, fetch, isFresh);
	}
}
