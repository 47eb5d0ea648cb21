import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/isRecord';
import { textOf } from '../../transport/textOf';

/** `connections['crm']` and `connections.crm` in an expression of a step */
export const REFERENCE = /\bconnections(?:\.([\w-]+)|\[\s*["']([^"'\]]+)["'])/g;

/**
 * The external IDs of the connections that a version of a flow needs. Its `connectionIds` are those that its steps
 * have in their field for a connection; a step may use one in any other field as well (read in the service's
 * source: `extractConnectionIdsFromAuth`).
 */
export function connectionReferences({ connectionIds, trigger }: IDataObject): Set<string> {
	const references = new Set(Array.isArray(connectionIds) ? connectionIds.map(textOf) : []);
	// Without recursion, since each step is nested in the one before.
	const open: unknown[] = [trigger];
	while (open.length > 0) {
		const value = open.pop();
		if (typeof value === 'string') {
			if (!value.includes('{{')) continue;
			for (const [, name, quoted] of value.matchAll(REFERENCE)) references.add(name ?? quoted);
		} else if (isRecord(value) || Array.isArray(value)) {
			// Not all at once: arguments go on the stack.
			for (const each of Object.values(value)) open.push(each);
		}
	}
	return references;
}
