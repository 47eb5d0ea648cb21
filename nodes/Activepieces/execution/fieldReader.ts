/** The fields of the node, as n8n gives them. */
import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';

import type { ApiClient } from '../transport/api/client';

export interface NodeFields {
	get(name: string, fallback?: unknown): unknown;
	/** Returns expressions as the workflow saves them */
	raw(name: string, fallback?: unknown): unknown;
	getTimezone(): string;
}

/** Reads the fields for one input item or one poll. Some of them name records, which the client reads. */
export interface FieldReader extends NodeFields {
	readonly client: ApiClient;
}

/** The fields as a context of n8n reads them that is for one item, for a poll or for the editor. */
export const fieldsOf = (
	n8n: Pick<ILoadOptionsFunctions, 'getNodeParameter' | 'getTimezone'>,
): NodeFields => ({
	get: (name, fallback) => n8n.getNodeParameter(name, fallback),
	raw: (name, fallback) => n8n.getNodeParameter(name, fallback, { rawExpressions: true }),
	getTimezone: () => n8n.getTimezone(),
});

/**
 * The fields of each input item. One without an expression is read once for all items, because n8n takes longer for
 * reading a parameter than the node for everything else.
 */
export function fieldsOfItems(n8n: IExecuteFunctions): (index: number) => NodeFields {
	/** As the workflow saves them, which is the same for all items */
	const saved = new Map<string, unknown>();
	const fixed = new Map<string, unknown>();
	const expressions = new Set<string>();
	return (index) => {
		const raw = (name: string, fallback?: unknown): unknown => {
			if (!saved.has(name)) {
				const options = { rawExpressions: true };
				saved.set(name, n8n.getNodeParameter(name, index, fallback, options));
			}
			return saved.get(name);
		};
		return {
			raw,
			get(name, fallback) {
				if (fixed.has(name)) return fixed.get(name);
				const value = n8n.getNodeParameter(name, index, fallback);
				if (expressions.has(name)) return value;
				// A text in the value begins with =, so it is an expression.
				if (JSON.stringify(raw(name, fallback))?.includes('"=')) expressions.add(name);
				else fixed.set(name, value);
				return value;
			},
			getTimezone: () => n8n.getTimezone(),
		};
	};
}
