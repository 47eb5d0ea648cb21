/** A call by n8n: of an input item, of a poll, or of a list in the editor. */
import { ExpressionError, type IAllExecuteFunctions, type INode } from 'n8n-workflow';

import { ApiClient } from '../transport/api/client';
import type { ClientOptions } from '../transport/client/httpClient';
import {
	CREDENTIALS,
	secretsOfCredential,
	type DecryptedCredential,
} from '../transport/credential/credential';
import { validationError } from '../transport/errors/error';
import type { Sender } from '../transport/http/exchange';
import type { Secrets } from '../transport/http/redact';
import { plainText, unended } from '../transport/texts';
import type { NodeFields } from './fieldReader';
import { toNodeError, userMessageOf, type ErrorOrigin } from './nodeError';

/**
 * Reads the credential that the node has selected.
 *
 * @param authentication value of the parameter; an unknown value means the API key
 * @throws {ValidationError} when n8n has no credential, because none is selected or it was deleted
 */
async function readCredential(
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

type RequestContext = Pick<IAllExecuteFunctions, 'helpers'>;

/**
 * The `Sender` of `exchange.ts`; `isPublic` sends without the credential. n8n's helper adds the credential by
 * `authenticate` in `credentials/`, and gives each request the signal of the execution. This replaces it with the
 * request's own signal, which aborts with the execution and at the request's time-out.
 */
const authenticatedSender =
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
			// n8n does not read the credential again.
			{ credentialsDecrypted: { id: '', name, type: name, data } },
		)) as unknown;
	};

export type CallContext = RequestContext &
	Pick<IAllExecuteFunctions, 'getCredentials'> & { getNode(): INode };

/** Connects to the server of the node's credential, and makes errors that do not show what is in it. */
export class Call<N8n extends CallContext = CallContext> {
	private credential?: DecryptedCredential;
	/** The client adds them, when a field with a secret is read */
	private readonly fieldSecrets: string[] = [];

	constructor(
		readonly n8n: N8n,
		readonly fields: NodeFields,
		private readonly itemIndex?: number,
	) {}

	/**
	 * @param optionsOf called once the credential is read, so that no error of theirs can show what is in it
	 * @param listen receives what sends the requests, and returns what does so in its place
	 */
	async connect(
		optionsOf: () => Omit<ClientOptions, 'credential' | 'itemSecrets'>,
		listen = (sender: Sender) => sender,
	): Promise<ApiClient> {
		const authentication = this.fields.get('authentication', 'apiKey');
		const credential = await readCredential(this.n8n, authentication, this.itemIndex);
		this.credential = credential;
		return new ApiClient(listen(authenticatedSender(this.n8n, credential)), {
			...optionsOf(),
			credential,
			itemSecrets: this.fieldSecrets,
		});
	}

	/** That of n8n; empty for none, and before it is read */
	get credentialId(): string {
		const { credentials } = this.n8n.getNode();
		return (this.credential && credentials?.[this.credential.name]?.id) ?? '';
	}

	/** Not kept, because the credential may sign in meanwhile. */
	get secrets(): Secrets {
		const { tokens, passwords } = secretsOfCredential(this.credential);
		return { tokens, passwords: [...passwords, ...this.fieldSecrets] };
	}

	/** An error where it leaves the node. */
	toNodeError(error: unknown, origin: Omit<ErrorOrigin, 'secrets'> = {}) {
		return toNodeError(this.n8n.getNode(), error, { ...origin, secrets: this.secrets });
	}

	messageOf(error: unknown): string {
		return userMessageOf(error, { secrets: this.secrets }).message;
	}
}
