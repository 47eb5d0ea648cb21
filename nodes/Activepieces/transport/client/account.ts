import { connectionSettingsOf } from '../credential/connectionSettings';
import {
	CREDENTIALS,
	projectOfToken,
	requireApiKey,
	requireBaseUrl,
	requireSignInFields,
	secretsOf,
	tokenOf,
	type DecryptedCredential,
} from '../credential/credential';
import type { CredentialKind } from '../errors/words';
import type { ConnectionSettings } from '../http/exchange';
import { createRedactor, type Redactor, type Secrets } from '../http/redact';
import type { NodeRun } from './nodeRun';
import { Session } from './session';

/* What a credential gives to the requests of a run. */

/** What can be read from a token. It is needed for every record, and changes only by signing in. */
interface TokenFacts {
	/** The credential's field `sessionToken` of which it was read */
	sessionToken: unknown;
	secrets: Secrets;
	redactor: Redactor;
	projectId?: string;
}

/** What a credential gives to the requests of a run: one for all input items with the same values. */
export class Account {
	readonly baseUrl: string;
	readonly credentialKind: CredentialKind;
	readonly settings: ConnectionSettings;
	/** Only for a credential that signs in */
	readonly session?: Session;
	/** Names of the projects that it may see, by ID, as far as `fetchProjects` has read them */
	readonly projectNames = new Map<string, string>();
	/** Tokens of the run, including those of earlier sessions, which may still be valid */
	private readonly tokens = new Set<string>();
	private token?: TokenFacts;

	constructor(
		/** Identifies it among those of the run */
		readonly key: string,
		{ name, data }: DecryptedCredential,
		nodeRun: NodeRun,
		settings?: ConnectionSettings,
	) {
		this.baseUrl = requireBaseUrl(data.baseUrl);
		this.settings = { ...connectionSettingsOf(data), ...settings };
		if (name === CREDENTIALS.apiKey) {
			requireApiKey(data.apiKey);
			this.credentialKind = 'apiKey';
		} else {
			requireSignInFields(data);
			this.credentialKind = 'session';
			this.session = new Session(nodeRun.end, this.settings.timeoutMs);
		}
	}

	/** @param credential that of the request; of several items of the account, each has its own */
	tokenFacts({ name, data }: DecryptedCredential): TokenFacts {
		if (this.token === undefined || this.token.sessionToken !== data.sessionToken) {
			const { tokens, passwords } = secretsOf(name, data, this.settings);
			for (const token of tokens) this.tokens.add(token);
			const secrets = { tokens: [...this.tokens], passwords };
			this.token = {
				sessionToken: data.sessionToken,
				secrets,
				redactor: createRedactor(secrets),
				projectId: projectOfToken(tokenOf(name, data)),
			};
		}
		return this.token;
	}
}
