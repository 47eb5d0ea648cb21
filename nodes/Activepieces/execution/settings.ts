import {
	ExpressionError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
} from 'n8n-workflow';

import type { DecryptedCredential } from '../transport/client';
import { type ConnectionSettings, parseConnectionSettings } from '../transport/connectionSettings';
import { type CredentialName, credentialName } from '../transport/credential';
import { validationError } from '../transport/error';
import { plainText, unended } from '../transport/text';
import { isRecord } from '../transport/values';

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

/** n8n's Request Options, which it adds to every declarative node. */
export interface RequestOptions {
	/** Override the settings of the credential */
	settings: ConnectionSettings;
	/** Items start in groups of `size`, with this interval between groups; undefined without Batching */
	batching?: { size: number; intervalMs: number };
}

/** Converts a number, also from text; 0 for any other value. */
const toNumber = (value: unknown): number =>
	(typeof value === 'number' || typeof value === 'string' ? Number(value) : 0) || 0;

/** Batching as n8n documents it: -1 turns it off, 0 means 1. */
function parseBatching(value: unknown): RequestOptions['batching'] {
	const batch = isRecord(value) && isRecord(value.batch) ? value.batch : {};
	const size = toNumber(batch.batchSize) || 1;
	const intervalMs = toNumber(batch.batchInterval);
	if (size < 0 || !(intervalMs > 0)) return undefined;
	return { size: Math.max(1, Math.floor(size)), intervalMs };
}

/**
 * Reads n8n's Request Options.
 *
 * @param value the parameter `requestOptions`
 * @throws {ValidationError} when an option cannot be used
 */
export function parseRequestOptions(value: unknown): RequestOptions {
	const options: IDataObject = isRecord(value) ? value : {};
	return {
		settings: parseConnectionSettings(options, "the node's Settings tab under Request Options"),
		batching: options.batching === undefined ? undefined : parseBatching(options.batching),
	};
}
