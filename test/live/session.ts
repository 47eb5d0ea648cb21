import type { INodeParameters } from 'n8n-workflow';

import type { AnyCredential } from '../engine/harness/credentials';
import type { Settings } from './settings';

/** Longer than any answer takes that a person would wait for; the node's own default is 300 s. */
const TIMEOUT_MS = 60_000;

/** How the node signs in to the server. */
export interface Session {
	credential: AnyCredential;
	/** Parameters that every operation gets */
	parameters: INodeParameters;
	/** What it is, for the report */
	description: string;
}

const requestOptions = { timeout: TIMEOUT_MS };

export function makeSession({ baseUrl, login }: Settings): Session {
	if (!('apiKey' in login)) {
		return {
			credential: { baseUrl, ...login },
			parameters: { authentication: 'signIn', requestOptions },
			description: 'e-mail and password',
		};
	}
	const { apiKey } = login;
	return {
		credential: { baseUrl, apiKey },
		parameters: { authentication: 'apiKey', requestOptions },
		description: apiKey.startsWith('sk-') ? 'API key' : 'session token in place of an API key',
	};
}
