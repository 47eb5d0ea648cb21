import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { ConnectionSettings } from '../connection/connectionSettings';
import type { Secrets } from '../errors/redact';
import { normalizeApiKey } from './apiKey';
import { type CredentialName, CREDENTIALS } from './names';
import { tokenOfSession } from './sessionToken';

/**
 * The minimum length of an Activepieces password. Redacting shorter ones would damage every text, and so
 * reveal them.
 */
const MIN_LENGTH = 8;

/** The password of a proxy may be short, but shorter ones appear inside too many words. */
const MIN_PROXY_LENGTH = 4;

const longEnough = (texts: unknown[]): string[] => [
	...new Set(
		texts.filter((text): text is string => typeof text === 'string' && text.length >= MIN_LENGTH),
	),
];

/**
 * The secrets of a credential.
 *
 * @param settings for the connection: a proxy may have a password too
 */
export function secretsOf(
	name: CredentialName,
	data: ICredentialDataDecryptedObject,
	settings?: ConnectionSettings,
): Secrets {
	const token = name === CREDENTIALS.signIn ? tokenOfSession(data) : normalizeApiKey(data.apiKey);
	const { username = '', password = '' } = settings?.proxy?.auth ?? {};
	const header = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
	const ofProxy = password.length < MIN_PROXY_LENGTH ? [] : [password, header];
	return {
		tokens: longEnough([token]),
		passwords: [...longEnough([data.password]), ...ofProxy],
	};
}
