import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { Account } from './account';
import { type DecryptedCredential, tokenOfSession } from '../credential/credential';
import { RunEndedError } from '../errors/error';
import { errorForConnection } from '../errors/errorFor';
import { Ledger, SharedLedger } from '../errors/ledger';
import {
	type ConnectionSettings,
	exchange,
	type ExchangeOptions,
	type Sender,
} from '../http/exchange';
import { isStatus, type StatusClass, type StatusName } from '../http/httpStatus';
import {
	type ApiResponse,
	type AttemptResult,
	type Attempts,
	isServiceRefusal,
	type Outcome,
} from '../http/response';
import { createRedactor, type Redactor } from '../http/redact';
import { nextRetryDelay } from '../http/retry';
import { mayRepeat, verdictOf, worse } from '../http/verdict';
import { limits, type RetryPolicy } from '../limits';
import { type ApiRequest, httpOptions, type WebhookRequest, webhookOptions } from './request';
import { NodeRun } from './run';
import { flagsOf, serverOf } from './server';
import { connections, errorForSignIn } from './signIn';
import type { CredentialKind, ErrorSource, MessagePlace } from '../errors/facts';

interface ClientOptions {
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
	/** Whether requests in flight go on after the workflow was canceled */
	ignoresCancel?: boolean;
	/** Secrets in the requests of the item, which messages must not repeat: the item adds them when it reads them */
	itemSecrets?: string[];
}

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
	const isOfFlow = 'json' in request && request.isFlowResponse;
	return isOfFlow && isStatus(response.status, ...OF_FLOWS) ? 'maybe' : outcome;
}

/**
 * The connection of an input item, a poll, a search or a credential test to a server. The URL and the key of all
 * requests come from the same reading of the credential, so a credential that changes meanwhile is never
 * mixed.
 *
 * A request is sent on three levels, each of which uses the one before: `attempt` sends it once, `send` until
 * the result is final, and `request` to the path where the server has the endpoint.
 */
export class ApiClient implements ErrorSource {
	readonly nodeRun: NodeRun;
	readonly ledger: Ledger;
	readonly place: MessagePlace;
	readonly retryPolicy: RetryPolicy;
	readonly baseUrl: string;
	readonly credentialKind: CredentialKind;
	readonly settings: ConnectionSettings;
	readonly requestOptionSettings: ConnectionSettings | undefined;
	readonly projectNames: Account['projectNames'];
	private readonly itemSecrets: string[];
	private readonly account: Account;
	private readonly maxTimeoutMs: number;
	private readonly timeoutMs: number;

	constructor(
		/** Sends a request with the credential, and signs in first if there is no session */
		private readonly sender: Sender,
		private readonly options: ClientOptions,
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
		const account = nodeRun.once(
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
		connections.set(credential.data, { settings: this.settings, onCancel: nodeRun.end.onCancel });
	}

	/**
	 * A client for cleaning up after the run: canceling the run does not cancel its requests, and it takes
	 * little time.
	 */
	forCleanUp(): ApiClient {
		const maxTimeoutMs = Math.min(this.maxTimeoutMs, limits.cleanUp.maxElapsedMs);
		return this.with({ nodeRun: new NodeRun(), retryPolicy: limits.cleanUp, maxTimeoutMs });
	}

	/**
	 * A client that waits for the response to a request after the workflow was canceled, because the node
	 * has to know what a request created in order to delete it.
	 */
	withoutAbort(): ApiClient {
		return this.with({ ignoresCancel: true });
	}

	/** Keeps secrets out of every message about the item from now on. */
	addSecrets(secrets: string[]): void {
		this.itemSecrets.push(...secrets);
	}

	forItems(ledgers: Ledger[]): ApiClient {
		return this.with({ ledger: new SharedLedger(ledgers) });
	}

	private with(change: Partial<ClientOptions>): ApiClient {
		const { ledger, itemSecrets } = this;
		return new ApiClient(this.sender, { ...this.options, ledger, itemSecrets, ...change });
	}

	get hasResponded(): boolean {
		return this.nodeRun.respondedBaseUrls.has(this.baseUrl);
	}

	/**
	 * The only project of the credential; undefined when it is for all projects of its user or platform.
	 * Known after the first request of a credential that signs in.
	 */
	get tokenProjectId(): string | undefined {
		return this.account.readToken(this.options.credential).projectId;
	}

	private get redactor(): Redactor {
		const { itemSecrets } = this;
		const { redactor, secrets } = this.account.readToken(this.options.credential);
		if (itemSecrets.length === 0) return redactor;
		return createRedactor({ ...secrets, passwords: [...secrets.passwords, ...itemSecrets] });
	}

	/** What all input items of the run share that have the same account (`NodeRun.once`). */
	once<T>(key: string, make: () => T): T {
		return this.nodeRun.once(`${key} ${this.account.key}`, make);
	}

	/** Sends a request once, and once more when its session has ended; resolves with any status. */
	async attempt(
		options: IHttpRequestOptions,
		exchangeOptions: Partial<ExchangeOptions> = {},
	): Promise<AttemptResult> {
		this.ledger.hasSent = true;
		const { session, settings } = this.account;
		const { data } = this.options.credential;
		const { timeoutMs } = this;
		if (session === undefined || exchangeOptions.isPublic)
			return await this.exchangeOnce(options, exchangeOptions);
		return await session.attempt(data, async () => {
			// Signing in has its own time-out.
			const isSigningIn = tokenOfSession(data) === '';
			const ownMs = settings.timeoutMs ?? limits.signInTimeoutMs;
			const result = await this.exchangeOnce(
				{ timeout: timeoutMs, ...options },
				{ ...exchangeOptions, timeoutMs: timeoutMs + (isSigningIn ? ownMs : 0) },
			);
			// Without a session the request itself was not sent, so it cannot have changed anything.
			const isOfSignIn = isSigningIn && 'connectionError' in result && tokenOfSession(data) === '';
			return isOfSignIn ? { ...result, isSignIn: true } : result;
		});
	}

	private async exchangeOnce(
		options: IHttpRequestOptions,
		exchangeOptions: Partial<ExchangeOptions>,
	) {
		// n8n's helper does not know the setting timeoutMs, and ignores it.
		const { settings } = this;
		const headers = { ...settings.headers, ...options.headers };
		const all = { ...settings, ...options, headers, baseURL: this.baseUrl };
		return await exchange(this.sender, all, {
			timeoutMs: this.timeoutMs,
			onCancel: this.options.ignoresCancel === true ? undefined : this.nodeRun.end.onCancel,
			getRedactor: () => this.redactor,
			...exchangeOptions,
		});
	}

	/**
	 * Sends a request until another attempt would not change the result. While the service or the connection
	 * to it has a temporary problem, the request is repeated (`retry.ts`). It keeps its slot among the
	 * requests in flight meanwhile, so that the other items do not send requests to a service that asked to
	 * wait.
	 *
	 * Resolves with any status, which `expectRecord` and `parsePage` turn into an error.
	 *
	 * @throws {ActivepiecesError} when there is no response, or no session
	 */
	async send(request: ApiRequest | WebhookRequest): Promise<ApiResponse> {
		const isCall = 'json' in request;
		const options = isCall ? webhookOptions(request) : httpOptions(request);
		const exchangeOptions = isCall ? this.exchangeOptionsOf(request) : {};
		const { result, attempts } = await this.nodeRun.limitRequests(
			async () => await this.attemptUntilFinal(request, options, exchangeOptions),
		);
		if (result.isSignIn) throw errorForSignIn(this, result, attempts);
		if ('connectionError' in result) {
			throw errorForConnection(this, request, result.connectionError, attempts);
		}
		const { response } = result;
		response.attempts = attempts;
		if (!isCall && isStatus(response.status, 'unauthorized') && isServiceRefusal(response)) {
			response.isWithoutKeys = await this.isWithoutKeys();
		}
		return response;
	}

	private async attemptUntilFinal(
		request: ApiRequest | WebhookRequest,
		options: IHttpRequestOptions,
		exchangeOptions: Partial<ExchangeOptions>,
	) {
		const { end, failuresInARow, respondedBaseUrls } = this.nodeRun;
		const { method } = request.endpoint;
		const attempts: Attempts = { count: 0, elapsedMs: 0 };
		for (;;) {
			if (end.isEnded) throw new RunEndedError();
			const start = performance.now();
			const result = await this.attempt(options, exchangeOptions);
			attempts.count++;
			attempts.elapsedMs += performance.now() - start;
			if ('response' in result) respondedBaseUrls.add(this.baseUrl);
			const verdict = verdictOf(result, method);
			if (method !== 'GET') {
				const outcome = outcomeOf(request, result, verdict.outcome);
				this.ledger.note(outcome, request.id);
				attempts.outcome = worse(attempts.outcome ?? 'nothing', outcome);
			}
			// Nothing shows whether a request that was canceled in flight was carried out.
			if ('connectionError' in result && end.isCancelled) throw new RunEndedError();

			// The flow may have sent this response, so that another call would run it again.
			const mayBeOfFlow = 'json' in request && request.isFlowResponse && 'response' in result;
			const failures = failuresInARow.get(this.baseUrl) ?? 0;
			// A server that is down for longer: otherwise a run of thousands of items would wait for hours.
			const isDown = failures >= limits.maxConsecutiveFailures;
			const delay =
				mayRepeat(verdict, method) && !isDown && !mayBeOfFlow
					? nextRetryDelay(result, attempts, this.retryPolicy)
					: undefined;
			if (delay === undefined) {
				if (verdict.isTemporary) failuresInARow.set(this.baseUrl, failures + 1);
				else if ('response' in result) failuresInARow.delete(this.baseUrl);
				return { result, attempts };
			}
			if (!(await end.wait(delay))) throw new RunEndedError();
			attempts.elapsedMs += delay;
		}
	}

	/** A call of a webhook goes without the key or the session. */
	private exchangeOptionsOf({
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

	/**
	 * Sends a request, like `send`, to the path where the server has its endpoint. Only the framework's own 404 leads
	 * to the other path; a missing record is a final response. The right path is remembered per Base URL for some time.
	 */
	async request(request: ApiRequest): Promise<ApiResponse> {
		const { endpoint } = request;
		const { otherPath: other } = endpoint;
		if (other === undefined) return await this.send(request);

		const { paths } = serverOf(this.baseUrl);
		const key = `${endpoint.method} ${endpoint.path}`;
		const otherRequest: ApiRequest = {
			...request,
			endpoint: { ...endpoint, path: other.path },
			query: { ...request.query, ...other.query },
			body: other.body ?? request.body,
		};
		const isOtherFirst = paths.has(key) ? paths.get(key) === other.path : other.isTriedFirst;
		const [first, second] = isOtherFirst ? [otherRequest, request] : [request, otherRequest];
		const response = await this.send(first);
		if (
			other.alsoIfForbidden === true &&
			isStatus(response.status, 'forbidden') &&
			response.code === 'AUTHORIZATION' &&
			this.tokenProjectId !== undefined
		) {
			// Not remembered, because other users of the server are not refused.
			return await this.send(second);
		}
		const isAbsent = first === otherRequest && isStatus(response.status, other.absentStatus);
		if (!response.isRouteMissing && !isAbsent) return response;

		const fallback = await this.send(second);
		// Neither path exists, so the first response was about the record.
		if (isAbsent && fallback.isRouteMissing) return response;
		if (second === otherRequest && isStatus(fallback.status, other.absentStatus)) return response;
		if (fallback.isRouteMissing) paths.delete(key);
		else paths.set(key, second.endpoint.path);
		return fallback;
	}

	/** Sends a request to an endpoint that some servers lack. Such a server is not asked again for some time. */
	async requestIfPresent(request: ApiRequest): Promise<ApiResponse | undefined> {
		const { endpoint } = request;
		const { absent } = serverOf(this.baseUrl);
		const key = `${endpoint.method} ${endpoint.path}`;
		if (absent.has(key)) return undefined;
		const response = await this.send(request);
		if (!response.isRouteMissing) return response;
		absent.add(key);
		return undefined;
	}

	/**
	 * What the server tells every client about itself; empty when it cannot be read.
	 *
	 * @param isFresh whether it is read although it is known
	 */
	async fetchFlags({ isFresh = false } = {}): Promise<IDataObject> {
		const options: IHttpRequestOptions = {
			method: 'GET',
			url: '/v1/flags',
			headers: { Accept: 'application/json' },
		};
		const timeoutMs = Math.min(this.timeoutMs, limits.editionTimeoutMs);
		// Other runs wait for it, too, so it is not canceled.
		const exchangeOptions = { timeoutMs, isPublic: true, onCancel: undefined };
		const fetch = async () => await this.attempt(options, exchangeOptions);
		return await flagsOf(this.baseUrl, fetch, isFresh);
	}

	/**
	 * Whether the server is of the Community edition, which accepts a session token in place of a key. It
	 * refuses each API key like a wrong one (recorded).
	 */
	private async isWithoutKeys(): Promise<boolean> {
		return this.credentialKind === 'apiKey' && (await this.fetchFlags()).EDITION === 'ce';
	}
}
