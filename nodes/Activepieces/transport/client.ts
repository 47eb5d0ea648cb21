import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import type { CircuitBreaker } from './circuitBreaker';
import { parseAccount, secretsOfPassword } from './credential/account';
import { type CredentialName, CREDENTIALS } from './credential/names';
import { normalizeApiKey } from './credential/normalizeApiKey';
import { requireBaseUrl } from './credential/parseBaseUrl';
import { projectOfToken } from './credential/tokenProject';
import { tokenOfSession } from './credential/sessionToken';
import { setConnection } from './credential/signIn';
import { limits, type RetryPolicy } from './limits';
import { type ApiResponse, parseResponse } from './response';
import type { RunState } from './runState';

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
	readonly credentialName: CredentialName;
	readonly baseUrl: string;
	readonly runState: RunState;
	readonly circuitBreaker: CircuitBreaker;
	/** For how long its requests are repeated */
	readonly retryPolicy: RetryPolicy;
	/**
	 * The one project that the credential is for; nothing when it is for all of its user or platform. Known
	 * after the first request of a credential that signs in.
	 */
	tokenProjectId(): string | undefined;
	/**
	 * Sends one request by n8n's own helper; resolves with any status.
	 *
	 * @throws what the helper throws when no response came
	 */
	request(options: IHttpRequestOptions): Promise<ApiResponse>;
}

export interface ClientOptions {
	credential: DecryptedCredential;
	runState: RunState;
	/** What each request starts from: n8n's Request Options (proxy, timeout, certificates) */
	requestDefaults?: Partial<IHttpRequestOptions>;
	retryPolicy?: RetryPolicy;
}

/** What goes with every request of a credential; empty before it signed in. */
const tokenOf = ({ name, data }: DecryptedCredential): string =>
	name === CREDENTIALS.signIn ? tokenOfSession(data) : normalizeApiKey(data.apiKey);

/** What no item and no message may show of a credential, as far as one was read. */
export function secretsOf(credential?: DecryptedCredential): string[] {
	if (credential === undefined) return [];
	const secrets = [tokenOf(credential), ...secretsOfPassword(credential.data.password)];
	return secrets.filter((secret) => secret !== '');
}

/**
 * Makes the client of one credential. Address and key of all its requests come from the one reading
 * that it is given, so that a credential that is changed meanwhile is never mixed.
 *
 * @throws {ValidationError} when a field of the credential cannot be used
 */
export function createClient(
	context: RequestContext,
	{
		credential,
		runState: run,
		requestDefaults = {},
		retryPolicy = limits.execution,
	}: ClientOptions,
): ApiClient {
	const { name, data } = credential;
	const baseUrl = requireBaseUrl(data.baseUrl);
	const credentialsDecrypted = { id: '', name, type: name, data };
	const send = async (options: IHttpRequestOptions): Promise<ApiResponse> => {
		const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
			context as IAllExecuteFunctions,
			name,
			{ ...requestDefaults, ...options, baseURL: baseUrl },
			{ credentialsDecrypted },
		);
		return parseResponse(response as IN8nHttpFullResponse, secretsOf(credential));
	};
	const session = name === CREDENTIALS.signIn ? run.sendWithSession(parseAccount(data)) : undefined;
	if (session !== undefined) setConnection(data, requestDefaults);
	return {
		credentialName: name,
		baseUrl,
		runState: run,
		circuitBreaker: run.circuitBreaker(baseUrl),
		retryPolicy,
		tokenProjectId: () => projectOfToken(tokenOf(credential)),
		async request(options) {
			return session === undefined
				? await send(options)
				: await session(data, async () => await send(options));
		},
	};
}
