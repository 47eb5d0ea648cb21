import { ExpressionError, type IAllExecuteFunctions } from 'n8n-workflow';

import type { DecryptedCredential } from '../transport/client/client';
import { CREDENTIALS } from '../transport/client/credential';
import { validationError } from '../transport/errors/error';
import { plainText, unended } from '../transport/text';

/**
 * Reads the credential that the node has selected.
 *
 * @param authentication value of the parameter; an unknown value means the API key
 * @throws {ValidationError} when n8n has no credential, because none is selected or it was deleted
 */
export async function readCredential(
	context: Pick<IAllExecuteFunctions, 'getCredentials'>,
	authentication: unknown,
	itemIndex?: number,
): Promise<DecryptedCredential> {
	const name = authentication === 'signIn' ? CREDENTIALS.signIn : CREDENTIALS.apiKey;
	const data = await context.getCredentials(name, itemIndex).catch((error: unknown): never => {
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
