import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { isRecord } from '../values/isRecord';
import { type Account, parseAccount } from './account';

const ownerOf = ({ baseUrl, email }: Account): string => `${email.toLowerCase()} ${baseUrl}`;

/**
 * The value of the credential's hidden field `sessionToken`: the token with its account, so that it is
 * not sent to another server. n8n keeps the field when a person changes Base URL or Email, and both may
 * be expressions: `https://a.example/api` for one item and `https://b.example/api` for the next.
 */
export function formatSession(account: Account, token: string): string {
	return JSON.stringify({ token, owner: ownerOf(account) });
}

/**
 * The token that n8n keeps for the account; empty when there is none, or when it belongs to another account.
 */
export function tokenOfSession(data: ICredentialDataDecryptedObject): string {
	try {
		const session: unknown = JSON.parse(String(data.sessionToken));
		const isOwn = isRecord(session) && session.owner === ownerOf(parseAccount(data));
		return isOwn && typeof session.token === 'string' ? session.token : '';
	} catch {
		return '';
	}
}
