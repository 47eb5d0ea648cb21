import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { isRecord, readAnswer, succeeded } from './answer';
import { readApiKey } from './apiKey';
import { readBaseUrl } from './baseUrl';
import { blotOut } from './blotOut';
import { readTrouble } from './connectionTrouble';
import { explainAnswer, explainUnexpectedBody } from './explainAnswer';
import { explainConnection } from './explainConnection';
import type { Explanation } from './explanation';

/** Every key may call it, on every release that has keys (read in the service's source). */
const PATH = '/v1/projects';

const TIMEOUT_MS = 30_000;

/**
 * Tests the credential with the node's own reading of Base URL and its own words for what goes
 * wrong. A test by rules could only say "ECONNREFUSED", and takes a web page for a success.
 */
export async function testActivepiecesApi(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const apiKey = readApiKey(credential.data?.apiKey);
	const failed = ({ message, description }: Explanation): INodeCredentialTestResult => ({
		status: 'Error',
		message: blotOut(`${message}. ${description}`, apiKey),
	});

	const baseUrl = readBaseUrl(credential.data?.baseUrl);
	if ('refusal' in baseUrl) return { status: 'Error', message: baseUrl.refusal };
	if (apiKey === '') return { status: 'Error', message: 'API Key is empty' };

	// The one HTTP helper that a credential test is given.
	const { helpers } = this;
	let response: IN8nHttpFullResponse;
	try {
		response = (await helpers.request({
			method: 'GET',
			uri: `${baseUrl.url}${PATH}`,
			qs: { limit: 1 },
			headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
			json: true,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: TIMEOUT_MS,
		})) as IN8nHttpFullResponse;
	} catch (error) {
		return failed(explainConnection(readTrouble(error), baseUrl.url));
	}

	const answer = readAnswer(response);
	const asked = { method: 'GET', path: PATH, baseUrl: baseUrl.url, noun: 'projects' };
	if (!succeeded(answer)) return failed(explainAnswer(answer, asked));
	if (!isRecord(answer.body) || !Array.isArray(answer.body.data)) {
		return failed(explainUnexpectedBody(answer, asked));
	}
	return { status: 'OK', message: 'Connection successful' };
}
