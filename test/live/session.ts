import type { INodeParameters } from 'n8n-workflow';

import type { Credential } from '../engine/harness/credentials';
import { type Settings, UsageError } from './settings';

/** Longer than any answer takes that a person would wait for; the node's own default is 300 s. */
const TIMEOUT_MS = 60_000;

/** How the node signs in to the server. */
export interface Session {
	credential: Credential;
	/** Parameters that every operation gets */
	parameters: INodeParameters;
	/** What it is, for the report */
	description: string;
}

/** @throws {UsageError} */
export function makeSession({ baseUrl, login }: Settings): Session {
	if (!('apiKey' in login)) throw new UsageError('This version of the node has no sign-in yet.');
	const { apiKey } = login;
	return {
		credential: { baseUrl, apiKey },
		parameters: { authentication: 'apiKey', requestOptions: { timeout: TIMEOUT_MS } },
		description: apiKey.startsWith('sk-') ? 'API key' : 'session token in place of an API key',
	};
}
