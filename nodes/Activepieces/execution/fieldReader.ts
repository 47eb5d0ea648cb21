import type { ApiClient } from '../transport/client/client';

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
