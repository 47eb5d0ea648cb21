import type { INodeParameters } from 'n8n-workflow';

import type { AnyCredential } from '../engine/harness/credentials';

/** What the command is told: which server, as whom, and whether it may change something. */
export interface Settings {
	baseUrl: string;
	login: { apiKey: string } | { email: string; password: string };
	/** Whether a folder and a flow are made, changed, read and deleted */
	write: boolean;
}

/** How the node signs in to the server. */
export interface Session {
	credential: AnyCredential;
	/** Parameters that every operation gets */
	parameters: INodeParameters;
	/** What it is, for the report */
	description: string;
}

export const USAGE = `Runs the node against your Activepieces server and prints what works. Set in the environment:

  ACTIVEPIECES_BASE_URL   the Base URL of the credential, for example https://flows.example.com/api
  ACTIVEPIECES_API_KEY    an API key, or the session token of a user
  or ACTIVEPIECES_EMAIL and ACTIVEPIECES_PASSWORD instead of the key

Nothing on the server is changed, unless you add --write: npm run live -- --write
makes a folder and a flow, changes, reads and runs them, and deletes them.`;

/** Longer than any answer takes that a person would wait for; the node's own default is 300 s. */
const TIMEOUT_MS = 60_000;

/** The command was called in a way that it cannot use. */
export class UsageError extends Error {}

type Environment = Record<string, string | undefined>;

function readLogin(environment: Environment): Settings['login'] {
	const apiKey = environment.ACTIVEPIECES_API_KEY ?? '';
	const email = environment.ACTIVEPIECES_EMAIL ?? '';
	const password = environment.ACTIVEPIECES_PASSWORD ?? '';
	if (apiKey !== '') return { apiKey };
	if (email !== '' && password !== '') return { email, password };
	throw new UsageError(
		'Set ACTIVEPIECES_API_KEY, or ACTIVEPIECES_EMAIL and ACTIVEPIECES_PASSWORD.',
	);
}

/** @throws {UsageError} naming what is missing or not known */
export function readSettings(args: string[], environment: Environment): Settings {
	// Not repeated: it may be a key.
	if (args.some((arg) => arg !== '--write')) throw new UsageError('The only option is --write.');
	const baseUrl = environment.ACTIVEPIECES_BASE_URL ?? '';
	if (baseUrl === '') throw new UsageError('Set ACTIVEPIECES_BASE_URL.');
	return { baseUrl, login: readLogin(environment), write: args.includes('--write') };
}

export function sessionOf({ baseUrl, login }: Settings): Session {
	const hasKey = 'apiKey' in login;
	const keyKind =
		hasKey && login.apiKey.startsWith('sk-') ? 'API key' : 'session token in place of an API key';
	return {
		credential: { baseUrl, ...login },
		parameters: {
			authentication: hasKey ? 'apiKey' : 'signIn',
			requestOptions: { timeout: TIMEOUT_MS },
		},
		description: hasKey ? keyKind : 'e-mail and password',
	};
}
