import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../../transport/values/textOf';

/** `connections['crm']` and `connections.crm` in an expression of a step */
export const REFERENCE = /\bconnections(?:\.([\w-]+)|\[\s*["']([^"'\]]+)["'])/g;

/** All texts in a value of JSON. Without recursion, since each step of a flow is nested in the one before. */
export function textsIn(value: unknown): string[] {
	const texts: string[] = [];
	const open: unknown[] = [value];
	while (open.length > 0) {
		const each = open.pop();
		if (typeof each === 'string') texts.push(each);
		else if (typeof each === 'object' && each !== null) {
			// Not all at once: arguments go on the stack.
			for (const inner of Object.values(each)) open.push(inner);
		}
	}
	return texts;
}

/**
 * The external IDs of the connections that a version of a flow needs. Its `connectionIds` are those that its steps
 * have in their field for a connection; a step may use one in any other field as well (read in the service's
 * source: `extractConnectionIdsFromAuth`).
 */
export function connectionReferences({ connectionIds, trigger }: IDataObject): Set<string> {
	const references = new Set(Array.isArray(connectionIds) ? connectionIds.map(textOf) : []);
	for (const text of textsIn(trigger)) {
		if (!text.includes('{{')) continue;
		for (const [, name, quoted] of text.matchAll(REFERENCE)) references.add(name ?? quoted);
	}
	return references;
}
