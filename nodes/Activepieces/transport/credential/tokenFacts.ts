import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { ConnectionSettings } from '../connection/connectionSettings';
import { createRedactor, type Redactor } from '../errors/redact';
import { isRecord } from '../values/isRecord';
import { type CredentialName, CREDENTIALS } from './names';
import { secretsOf } from './secrets';
import { tokenOfSession } from './sessionToken';

/** Decodes the payload of a JSON Web Token; empty for an API key or any other text. */
function payload(token: string): Record<string, unknown> {
	const [, part = ''] = token.split('.');
	if (part === '') return {};
	try {
		const decoded: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
		return isRecord(decoded) ? decoded : {};
	} catch {
		return {};
	}
}

/**
 * The only project of a session token: tokens of releases up to 0.73 name one. Later tokens and API keys
 * are for all projects of their user or platform (recorded).
 */
export function projectOfToken(token: string): string | undefined {
	const { projectId } = payload(token);
	return typeof projectId === 'string' && projectId !== '' ? projectId : undefined;
}

/** What can be read from the token of a credential. */
export interface TokenFacts {
	/** Redacts the secrets of the credential, including earlier sessions, which may still be valid */
	redactor: Redactor;
	/** The only project of the token */
	projectId?: string;
}

/**
 * Makes a function that reads the token of a credential. It is called for every record, and the token
 * changes only by signing in.
 *
 * @param key the API key, if the credential has one
 */
export function createTokenReader(
	{ name, data }: { name: CredentialName; data: ICredentialDataDecryptedObject },
	settings: ConnectionSettings,
	key: string,
): () => TokenFacts {
	let known: (TokenFacts & { session: unknown }) | undefined;
	const tokens = new Set<string>();
	return () => {
		if (known === undefined || known.session !== data.sessionToken) {
			const secrets = secretsOf(name, data, settings);
			for (const token of secrets.tokens) tokens.add(token);
			known = {
				session: data.sessionToken,
				redactor: createRedactor({ ...secrets, tokens: [...tokens] }),
				projectId: projectOfToken(name === CREDENTIALS.signIn ? tokenOfSession(data) : key),
			};
		}
		return known;
	};
}
