import type { AnyCredential } from '../../engine/harness/credentials';

export const USAGE = `Runs the node against your Activepieces server and prints what works. Set in the environment:

  ACTIVEPIECES_BASE_URL   the Base URL of the credential, for example https://flows.example.com/api
  ACTIVEPIECES_API_KEY    an API key, or the session token of a user
  or ACTIVEPIECES_EMAIL and ACTIVEPIECES_PASSWORD instead of the key

Nothing on the server is changed, unless you add --write: npm run live -- --write
creates a folder and a flow, changes and reads them, runs the flow, and deletes both.`;

export class UsageError extends Error {}

/** Longer than any response that a person would wait for; the node's own default is 300 s. */
export const TIMEOUT_MS = 60_000;

/**
 * The server, the user, and whether the command may change something.
 *
 * @throws {UsageError} naming what is missing or unknown
 */
export function readSettings(args: string[], environment: NodeJS.ProcessEnv) {
	// Not quoted, because it may be a key.
	if (args.some((arg) => arg !== '--write')) throw new UsageError('The only option is --write.');
	const [baseUrl, apiKey, email, password] = ['BASE_URL', 'API_KEY', 'EMAIL', 'PASSWORD'].map(
		(name) => environment[`ACTIVEPIECES_${name}`] ?? '',
	);
	if (!baseUrl) throw new UsageError('Set ACTIVEPIECES_BASE_URL.');
	const either = 'Set ACTIVEPIECES_API_KEY, or ACTIVEPIECES_EMAIL and ACTIVEPIECES_PASSWORD.';
	if (!apiKey && !(email && password)) throw new UsageError(either);
	const credential: AnyCredential = apiKey ? { baseUrl, apiKey } : { baseUrl, email, password };
	const ofKey = apiKey.startsWith('sk-') ? 'API key' : 'session token in place of an API key';
	return {
		credential,
		/** Parameters that every operation gets */
		parameters: {
			authentication: apiKey ? 'apiKey' : 'signIn',
			requestOptions: { timeout: TIMEOUT_MS },
		},
		/** The user, for the report */
		session: apiKey ? ofKey : 'email and password',
		/** Whether it creates, changes, reads and deletes a folder and a flow */
		write: args.includes('--write'),
	};
}

export type Settings = ReturnType<typeof readSettings>;
