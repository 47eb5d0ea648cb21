import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { normalizeApiKey } from '../transport/credential/normalizeApiKey';
import { parseBaseUrl } from '../transport/credential/parseBaseUrl';
import { classifyConnectionError } from '../transport/errors/connectionError';
import { errorForConnection } from '../transport/errors/errorForConnection';
import { errorForResponse } from '../transport/errors/errorForResponse';
import { redact } from '../transport/errors/redact';
import { limits } from '../transport/limits';
import { isRecord, isSuccess, parseResponse } from '../transport/response';

const ENDPOINT = { method: 'GET', path: '/v1/projects' } as const;

/** Where the Community edition up to 0.76 has it (recorded). */
const OLD_COMMUNITY_PATH = '/v1/users/projects';

/**
 * Tests the credential with the node's own reading of Base URL and its own words for what goes
 * wrong. A test by rules could only say "ECONNREFUSED", and takes a web page for a success. Every key
 * may list projects, on every release and edition.
 */
export async function testActivepiecesApi(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const apiKey = normalizeApiKey(credential.data?.apiKey);
	const failed = ({ message, description }: { message: string; description: string }) => ({
		status: 'Error' as const,
		message: redact(`${message}. ${description}`, [apiKey]),
	});

	const baseUrl = parseBaseUrl(credential.data?.baseUrl);
	if ('invalid' in baseUrl) return { status: 'Error', message: baseUrl.invalid };
	if (apiKey === '') return { status: 'Error', message: 'API Key is empty' };

	// The one HTTP helper that a credential test is given.
	const { helpers } = this;
	const send = async (path: string) =>
		parseResponse(
			(await helpers.request({
				method: ENDPOINT.method,
				uri: `${baseUrl.url}${path}`,
				qs: { limit: 1 },
				headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
				json: true,
				simple: false,
				resolveWithFullResponse: true,
				followRedirect: false,
				timeout: limits.credentialTestTimeoutMs,
			})) as IN8nHttpFullResponse,
		);

	const context = { ...ENDPOINT, baseUrl: baseUrl.url, noun: 'projects' };
	try {
		let response = await send(ENDPOINT.path);
		if (response.isRouteMissing) response = await send(OLD_COMMUNITY_PATH);
		const isList = isRecord(response.body) && Array.isArray(response.body.data);
		if (!isSuccess(response) || !isList) return failed(errorForResponse(response, context));
	} catch (error) {
		return failed(errorForConnection(classifyConnectionError(error), context));
	}
	return { status: 'OK', message: 'Connection successful' };
}
