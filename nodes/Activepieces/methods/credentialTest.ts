import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
	INodeType,
} from 'n8n-workflow';

import { userMessageOf } from '../execution/nodeError';
import { ApiClient } from '../transport/api/client';
import { LIST_PROJECTS } from '../transport/api/projects';
import { NodeRun } from '../transport/client/nodeRun';
import { signIn } from '../transport/client/signIn';
import {
	authenticate,
	CREDENTIALS,
	requireApiKey,
	secretsOfCredential,
	tokenOfSession,
	type CredentialName,
	type DecryptedCredential,
} from '../transport/credential/credential';
import type { Sender } from '../transport/http/exchange';
import { limits } from '../transport/limits';

/** Sends with the only HTTP helper that a credential test receives, which uses older names of the options. */
const legacySender =
	({ helpers }: ICredentialTestFunctions): Sender =>
	async ({ url, baseURL = '', timeout, method, qs, body, headers, proxy, ...options }) =>
		(await helpers.request({
			uri: baseURL + url,
			method,
			qs,
			body,
			headers,
			timeout,
			...(proxy === undefined ? {} : { proxy }),
			...(options.skipSslCertificateValidation === true ? { rejectUnauthorized: false } : {}),
			json: true,
			simple: false,
			resolveWithFullResponse: true,
			useStream: true,
			followRedirect: false,
		})) as unknown;

/** Authenticates a request as n8n does for a node, which signs in first when there is no session. */
function testSender(sender: Sender, { name, data }: DecryptedCredential): Sender {
	const getToken = async (): Promise<string> => {
		if (name === CREDENTIALS.apiKey) return requireApiKey(data.apiKey);
		if (tokenOfSession(data) === '') data.sessionToken = await signIn(sender, data);
		return tokenOfSession(data);
	};
	return async (options: IHttpRequestOptions, isPublic = false) => {
		if (isPublic) return await sender(options);
		return await sender(authenticate(options, data, await getToken()));
	};
}

/** Uses the client, the server and the messages of the node, so a credential that passes here works there. */
const testOf = (name: CredentialName) =>
	async function (
		this: ICredentialTestFunctions,
		{ data }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		// Ignores the session that n8n keeps, because the person wants to know whether email and password are right.
		const credential: DecryptedCredential = { name, data: { ...data, sessionToken: '' } };
		try {
			const client = new ApiClient(testSender(legacySender(this), credential), {
				credential,
				nodeRun: new NodeRun(),
				place: 'editor',
				defaultTimeoutMs: limits.credentialTestTimeoutMs,
				retryPolicy: { maxAttempts: 1, maxElapsedMs: 0 },
			});
			// Every key and every user may list projects, in every release and edition.
			await client.fetchPage(LIST_PROJECTS, { limit: 1 });
			return { status: 'OK', message: 'Connection successful' };
		} catch (error) {
			const secrets = secretsOfCredential(credential);
			const { message, description } = userMessageOf(error, { secrets });
			return { status: 'Error', message: `${message}. ${description}` };
		}
	};

export const credentialTest: NonNullable<NonNullable<INodeType['methods']>['credentialTest']> = {
	testActivepiecesApi: testOf(CREDENTIALS.apiKey),
	testActivepiecesSignInApi: testOf(CREDENTIALS.signIn),
};
