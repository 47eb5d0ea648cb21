import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../../transport/values/textOf';

/** `connections['crm']` and `connections.crm` in an expression of a step */
export const REFERENCE = /\bconnections(?:\.([\w-]+)|\[\s*["']([^"'\]]+)["'])/g;

/** All texts in a JSON value. Not recursive, because each step of a flow is nested in the one before. */
export function textsIn(value: unknown): string[] {
	const texts: string[] = [];
	const open: unknown[] = [value];
	while (open.length > 0) {
		const each = open.pop();
		if (typeof each === 'string') texts.push(each);
		else if (typeof each === 'object' && each !== null) {
			// Pushes one by one, because arguments use the stack.
			for (const inner of Object.values(each)) open.push(inner);
		}
	}
	return texts;
}

/**
 * The external IDs of the connections that a version of a flow needs. Its `connectionIds` are those in
 * the connection field of its steps. A step may use a connection in any other field as well (read in the
 * service's source: `extractConnectionIdsFromAuth`).
 */
export function connectionReferences({ connectionIds, trigger }: IDataObject): Set<string> {
	const references = new Set(Array.isArray(connectionIds) ? connectionIds.map(textOf) : []);
	for (const text of textsIn(trigger)) {
		if (!text.includes('{{')) continue;
		for (const [, name, quoted] of text.matchAll(REFERENCE)) references.add(name ?? quoted);
	}
	return references;
}
