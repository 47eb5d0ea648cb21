/** The credential and the Request Options of the node, as n8n gives them, and what sends requests with them. */
import {
	ExpressionError,
	type IAllExecuteFunctions,
	type IDataObject,
	type INode,
} from 'n8n-workflow';

import { parseConnectionSettings } from '../transport/credential/connectionSettings';
import { CREDENTIALS, type DecryptedCredential } from '../transport/credential/credential';
import { validationError } from '../transport/errors/error';
import type { ConnectionSettings, Sender } from '../transport/http/exchange';
import { plainText, unended } from '../transport/texts';
import { isRecord, recordOf, textOf } from '../transport/values';
import type { FieldReader } from './fieldReader';

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
 * The `Sender` of `exchange.ts`; `isPublic` sends without the credential. n8n's helper adds the credential by
 * `authenticate` in `credentials/`, and gives each request the signal of the execution. This replaces it with the
 * request's own signal, which aborts with the execution and at the request's time-out.
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
			// n8n does not read the credential again.
			{ credentialsDecrypted: { id: '', name, type: name, data } },
		)) as unknown;
	};

export interface RequestOptions {
	settings: ConnectionSettings;
	/**
	 * Items start in groups of `size`, with this interval between groups, and no more than `size` run at once: with one,
	 * requests are in the order of the input; undefined without Batching
	 */
	batching?: { size: number; intervalMs: number };
}

/** Batching as n8n documents it: -1 turns it off, 0 means 1. */
function parseBatching(value: unknown): RequestOptions['batching'] {
	const batch = isRecord(value) && isRecord(value.batch) ? value.batch : {};
	const size = Number(textOf(batch.batchSize)) || 1;
	const intervalMs = Number(textOf(batch.batchInterval));
	const hasInterval = intervalMs > 0;
	if (size < 0 || (textOf(batch.batchSize) === '' && !hasInterval)) return undefined;
	return { size: Math.max(1, Math.floor(size)), intervalMs: hasInterval ? intervalMs : 0 };
}

/** The fields of Request Options that may be an expression. */
const LABELS: Record<string, string> = {
	allowUnauthorizedCerts: 'Ignore SSL Issues',
	batchInterval: 'Batch Interval',
	batchSize: 'Items per Batch',
	proxy: 'Proxy',
	timeout: 'Timeout',
};

/** An expression without a value would turn its setting off: the key would be sent around the proxy. */
function assertValues(options: IDataObject, saved: IDataObject): void {
	for (const [name, expression] of Object.entries(saved)) {
		const value = options[name];
		if (isRecord(expression)) assertValues(recordOf(value), expression);
		if (typeof expression !== 'string' || !expression.startsWith('=')) continue;
		// An empty text means none, as in an empty field.
		const isBlank = typeof value === 'string' && value !== '' && value.trim() === '';
		if (value !== undefined && value !== null && !isBlank) continue;
		const label = LABELS[name] ?? name;
		throw validationError(
			`The expression in ${label} returns no value`,
			`Change the expression in ${WHERE}. If you do not want to set ${label}, remove it, or return an empty string.`,
		);
	}
}

const WHERE = "the node's Settings tab under Request Options";

/** @throws {ValidationError} when they cannot be used */
export function parseRequestOptions(fields: Pick<FieldReader, 'get' | 'raw'>): RequestOptions {
	const options = recordOf(fields.get('requestOptions', {}));
	assertValues(options, recordOf(fields.raw('requestOptions', {})));
	return {
		settings: parseConnectionSettings(options, WHERE),
		batching: options.batching === undefined ? undefined : parseBatching(options.batching),
	};
}

/** n8n's name of a node that is used as a tool */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');
