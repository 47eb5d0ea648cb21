import { ExpressionError, type IAllExecuteFunctions } from 'n8n-workflow';

import { CREDENTIALS, type DecryptedCredential } from '../transport/credential/credential';
import { validationError } from '../transport/errors/error';
import type { Sender } from '../transport/http/exchange';
import { plainText, unended } from '../transport/values';

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

export type RequestContext = Pick<IAllExecuteFunctions, 'helpers'>;

/**
 * Sends with n8n's helper, which adds the credential to the request by `authenticate` in `credentials/`. n8n gives each request the signal
 * of the execution. This replaces it with the request's own signal, which aborts with the execution and
 * at the request's time-out.
 */
export const authenticatedSender =
	(context: RequestContext, { name, data }: DecryptedCredential): Sender =>
	async (options, isPublic = false) => {
		if (isPublic) return (await context.helpers.httpRequest(options)) as unknown;
		// Only by its prototype, because the context is n8n's: what n8n uses of it differs by release, and an
		// object with some of its functions would fail every request in the release that uses another one.
		const withSignal: RequestContext =
			'getExecutionCancelSignal' in context
				? (Object.create(context, {
						getExecutionCancelSignal: { value: () => options.abortSignal },
					}) as RequestContext)
				: context;
		return (await context.helpers.httpRequestWithAuthentication.call(
			withSignal as IAllExecuteFunctions,
			name,
			options,
			{ credentialsDecrypted: { id: '', name, type: name, data } },
		)) as unknown;
	};
