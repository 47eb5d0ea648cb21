import { unended } from '../transport/text';

function unfitFor(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
	if (typeof value === 'symbol' || typeof value === 'function') return `a ${typeof value}`;
	// JSON.stringify would write {} for them.
	const [, tag] = /^\[object (Map|Set)\]$/.exec(Object.prototype.toString.call(value)) ?? [];
	return tag && `a ${tag}`;
}

/**
 * Writes a value as JSON, without values that are `undefined`, as n8n stores an item.
 *
 * @returns no JSON when it cannot be written, with the reason if it is known
 */
export function writeJson(value: unknown): { json?: string; unfit?: string } {
	let unfit: string | undefined;
	try {
		// JSON.stringify would write null for NaN and Infinity, and leave out the others.
		const json = JSON.stringify(value, (_name, each: unknown) => {
			unfit ??= unfitFor(each);
			return unfit === undefined ? each : null;
		});
		return { json, unfit };
	} catch {
		return { unfit };
	}
}

/** What is wrong with a text that is not JSON, as a sentence that names the place; undefined for JSON. */
export function jsonError(text: string): string | undefined {
	try {
		JSON.parse(text);
		return undefined;
	} catch (error) {
		return `${unended((error as Error).message)}.`;
	}
}
