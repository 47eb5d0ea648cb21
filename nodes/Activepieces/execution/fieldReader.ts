import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { ApiClient } from '../transport/api/client';

/**
 * Reads the fields of the node, as n8n gives them for one input item or one poll. Some of them name records, which
 * the client reads.
 */
export interface FieldReader {
	get(name: string, fallback?: unknown): unknown;
	/** Returns expressions as the workflow saves them */
	raw(name: string, fallback?: unknown): unknown;
	getTimezone(): string;
	readonly client: ApiClient;
}

/** The fields as a context of n8n reads them that is for one item, for a poll or for the editor. */
export const fieldsOf = (
	n8n: Pick<ILoadOptionsFunctions, 'getNodeParameter' | 'getTimezone'>,
): Omit<FieldReader, 'client'> => ({
	get: (name, fallback) => n8n.getNodeParameter(name, fallback),
	raw: (name, fallback) => n8n.getNodeParameter(name, fallback, { rawExpressions: true }),
	getTimezone: () => n8n.getTimezone(),
});
