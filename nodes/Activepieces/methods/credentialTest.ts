import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	IDataObject,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
	INodeType,
} from 'n8n-workflow';

import { parseAccount, secretsOfPassword } from '../transport/credential/account';
import { type CredentialName, CREDENTIALS } from '../transport/credential/names';
import { normalizeApiKey } from '../transport/credential/normalizeApiKey';
import { parseBaseUrl } from '../transport/credential/parseBaseUrl';
import { projectOfToken } from '../transport/credential/tokenProject';
import { SIGN_IN, tokenOfSignIn } from '../transport/credential/signIn';
import { classifyConnectionError } from '../transport/errors/connectionError';
import { errorForConnection } from '../transport/errors/errorForConnection';
import { errorForResponse } from '../transport/errors/errorForResponse';
import { errorForSignIn } from '../transport/errors/errorForSignIn';
import { redact } from '../transport/errors/redact';
import { ValidationError } from '../transport/errors/activepiecesError';
import type { UserMessage } from '../transport/errors/userMessage';
import { limits } from '../transport/limits';
import type { Endpoint } from '../transport/endpoint';
import { isRecord } from '../transport/isRecord';
import { type ApiResponse, isSuccess, parseResponse } from '../transport/response';

const PROJECTS: Endpoint = { method: 'GET', path: '/v1/projects' };

/** Where the Community edition up to 0.76 has them, and every edition of 0.73 a user's own (recorded). */
const OLD_COMMUNITY_PROJECTS: Endpoint = { method: 'GET', path: '/v1/users/projects' };

interface TestRequest extends Endpoint {
	qs?: IDataObject;
	body?: IDataObject;
	headers?: IDataObject;
}

/** Sends a request by the one HTTP helper that a credential test is given. */
async function send(
	{ helpers }: ICredentialTestFunctions,
	baseUrl: string,
	{ method, path, headers, ...request }: TestRequest,
): Promise<ApiResponse> {
	return parseResponse(
		(await helpers.request({
			...request,
			method,
			uri: baseUrl + path,
			headers: { Accept: 'application/json', ...headers },
			json: true,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: limits.credentialTestTimeoutMs,
		})) as IN8nHttpFullResponse,
	);
}

const failed = ({ message, description }: UserMessage, secrets: string[]) => ({
	status: 'Error' as const,
	message: redact(`${message}. ${description}`, secrets),
});

/** Lists projects: every key and every user may do so, on every release and edition. */
async function testToken(
	context: ICredentialTestFunctions,
	baseUrl: string,
	credentialName: CredentialName,
	token: string,
): Promise<INodeCredentialTestResult> {
	const errorContext = { ...PROJECTS, baseUrl, credentialName, noun: 'projects' };
	const request = { qs: { limit: 1 }, headers: { Authorization: `Bearer ${token}` } };
	try {
		let response = await send(context, baseUrl, { ...PROJECTS, ...request });
		// 0.73 lists all projects to admins only, and tells the others their own (recorded).
		const isMemberOf073 =
			response.status === 403 &&
			response.code === 'AUTHORIZATION' &&
			projectOfToken(token) !== undefined;
		if (response.isRouteMissing || isMemberOf073) {
			response = await send(context, baseUrl, { ...OLD_COMMUNITY_PROJECTS, ...request });
		}
		const isList = isRecord(response.body) && Array.isArray(response.body.data);
		if (isSuccess(response) && isList) return { status: 'OK', message: 'Connection successful' };
		return failed(errorForResponse(response, errorContext), [token]);
	} catch (error) {
		return failed(errorForConnection(classifyConnectionError(error), errorContext), [token]);
	}
}

/**
 * Tests the credential with the node's own reading of Base URL and its own words for what goes
 * wrong. A test by rules could only say "ECONNREFUSED", and takes a web page for a success.
 */
async function testActivepiecesApi(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const apiKey = normalizeApiKey(credential.data?.apiKey);
	const baseUrl = parseBaseUrl(credential.data?.baseUrl);
	if ('invalid' in baseUrl) return { status: 'Error', message: baseUrl.invalid };
	if (apiKey === '') return { status: 'Error', message: 'API Key is empty' };
	return await testToken(this, baseUrl.url, CREDENTIALS.apiKey, apiKey);
}

function readAccount(data: ICredentialDataDecryptedObject) {
	try {
		return parseAccount(data);
	} catch (error) {
		return { invalid: error instanceof ValidationError ? error.message : String(error) };
	}
}

/** Signs in, whatever session n8n keeps, since the person asks whether email and password are right. */
async function testActivepiecesSignInApi(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const account = readAccount(credential.data ?? {});
	if ('invalid' in account) return { status: 'Error', message: account.invalid };
	const { baseUrl, email, password } = account;
	const result = await send(this, baseUrl, { ...SIGN_IN, body: { email, password } }).then(
		(response) => ({ response }),
		(error: unknown) => ({ connectionError: classifyConnectionError(error) }),
	);
	const token = 'response' in result ? tokenOfSignIn(result.response) : undefined;
	if (token === undefined) {
		const error = errorForSignIn(result, { ...SIGN_IN, baseUrl });
		return failed(error, secretsOfPassword(password));
	}
	return await testToken(this, baseUrl, CREDENTIALS.signIn, token);
}

export const credentialTest: NonNullable<NonNullable<INodeType['methods']>['credentialTest']> = {
	testActivepiecesApi,
	testActivepiecesSignInApi,
};
