import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { validationError } from '../errors/activepiecesError';
import { cleanInput } from '../values/plainText';
import { requireBaseUrl } from './parseBaseUrl';

/** What a person signs in with, and on which server. */
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
	const baseUrl = requireBaseUrl(data.baseUrl);
	const email = cleanInput(data.email);
	if (email === '') throw validationError('Email is empty', 'Open the credential and enter it.');
	const password = typeof data.password === 'string' ? data.password : '';
	if (password === '') {
		throw validationError('Password is empty', 'Open the credential and enter it.');
	}
	return { baseUrl, email, password };
}
