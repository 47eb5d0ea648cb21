import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { validationError } from '../errors/activepiecesError';
import { isRecord } from '../response';
import { cleanInput } from './cleanInput';
import { parseBaseUrl } from './parseBaseUrl';

/** What a person signs in with, and where. */
export interface Account {
	baseUrl: string;
	email: string;
	password: string;
}

/**
 * Reads the Sign-In credential.
 *
 * @throws {ValidationError} when a field cannot be used
 */
export function parseAccount(data: ICredentialDataDecryptedObject): Account {
	const baseUrl = parseBaseUrl(data.baseUrl);
	if ('invalid' in baseUrl) {
		throw validationError(baseUrl.invalid, 'Open the credential and correct Base URL.');
	}
	const email = cleanInput(data.email);
	if (email === '') throw validationError('Email is empty', 'Open the credential and enter it.');
	const password = typeof data.password === 'string' ? data.password : '';
	if (password === '') {
		throw validationError('Password is empty', 'Open the credential and enter it.');
	}
	return { baseUrl: baseUrl.url, email, password };
}

const ownerOf = ({ baseUrl, email }: Account): string => `${email.toLowerCase()} ${baseUrl}`;

/**
 * What n8n keeps in the hidden field `sessionToken`: the token, and whose it is. n8n keeps the field as it
 * is when a person changes Base URL or Email, which may come from expressions as well, and a token must
 * not reach another server.
 */
export function formatSession(account: Account, token: string): string {
	return JSON.stringify({ token, owner: ownerOf(account) });
}

/** The token that n8n keeps for the account; empty when there is none, or one of another account. */
export function tokenOfSession(data: ICredentialDataDecryptedObject): string {
	try {
		const session: unknown = JSON.parse(String(data.sessionToken));
		const isOwn = isRecord(session) && session.owner === ownerOf(parseAccount(data));
		return isOwn && typeof session.token === 'string' ? session.token : '';
	} catch {
		return '';
	}
}

/**
 * What no item and no message may show of a password: also as JSON writes it. One shorter than the
 * service allows is no password, and blanking it out would spoil every text and so show it.
 */
export function secretsOfPassword(password: unknown): string[] {
	const MIN_LENGTH = 8;
	if (typeof password !== 'string' || password.length < MIN_LENGTH) return [];
	return [password, JSON.stringify(password).slice(1, -1)];
}
