import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { ConnectionSettings } from '../connection/connectionSettings';
import { createRedactor, type Redactor } from '../errors/redact';
import { isRecord } from '../values/isRecord';
import { type CredentialName, CREDENTIALS } from './names';
import { secretsOf } from './secrets';
import { tokenOfSession } from './sessionToken';

/** The payload of a JSON Web Token; an empty one for an API key and for anything else. */
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
 * The one project that a session token is for: those of releases up to 0.73 name it, later ones and API
 * keys are for all projects of their user or platform (recorded).
 */
export function projectOfToken(token: string): string | undefined {
	const { projectId } = payload(token);
	return typeof projectId === 'string' && projectId !== '' ? projectId : undefined;
}

/** What follows from the token of a credential. */
export interface TokenFacts {
	/** Takes the secrets of the credential out of texts, those of earlier sessions as well: they may be valid still */
	redactor: Redactor;
	/** The one project that the token is for */
	projectId?: string;
}

/**
 * Reads the token of a credential. It is asked for with every record, and changes only by signing in.
 *
 * @param key the API key, of a credential that has one
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
