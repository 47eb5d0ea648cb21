import { ExpressionError, type ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { DecryptedCredential } from '../transport/client';
import { type CredentialName, credentialName } from '../transport/credential/names';
import { validationError } from '../transport/errors/activepiecesError';
import { plainText, unended } from '../transport/values/plainText';

/**
 * Reads the credential that the node has selected.
 *
 * @param authentication value of the parameter
 * @param getCredentials n8n's own function
 * @throws {ValidationError} when n8n has no credential, because none is selected or it was deleted
 */
export async function readCredential(
	authentication: unknown,
	getCredentials: (name: CredentialName) => Promise<ICredentialDataDecryptedObject>,
): Promise<DecryptedCredential> {
	const name = credentialName(authentication);
	const data = await getCredentials(name).catch((error: unknown) => {
		// Names the credential field whose expression cannot be evaluated.
		if (error instanceof ExpressionError) throw error;
		const reason = error instanceof Error ? `n8n says: ${unended(plainText(error.message))}. ` : '';
		throw validationError(
			'The credential could not be read',
			`${reason}Select a credential in the node.`,
		);
	});
	return { name, data };
}
