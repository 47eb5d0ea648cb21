import type { Credential } from '../engine/harness/credentials';
import { type Settings, UsageError } from './settings';

/** How the node signs in to the server. */
export interface Session {
	credential: Credential;
	/** Value of the node's parameter `authentication` */
	authentication: string;
	/** What it is, for the report */
	description: string;
}

/** @throws {UsageError} */
export function makeSession({ baseUrl, login }: Settings): Session {
	if (!('apiKey' in login)) throw new UsageError('This version of the node has no sign-in yet.');
	const { apiKey } = login;
	return {
		credential: { baseUrl, apiKey },
		authentication: 'apiKey',
		description: apiKey.startsWith('sk-') ? 'API key' : 'session token in place of an API key',
	};
}
