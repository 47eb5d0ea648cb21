import { isRecord } from '../../transport/values';

/** Names one of the lists that a search reads. */
export interface ListName {
	list: string;
	/** The list is read completely, without the service's own search */
	isWhole?: boolean;
}

/**
 * Where a search stopped: before which list, after which of its pages. n8n returns it unchanged when the
 * person scrolls. It names the list instead of counting, because projects may appear or disappear in between.
 */
export interface Position extends ListName {
	cursor?: string;
	/** Where the search continues if the list has disappeared */
	following?: ListName;
}

export const formatPosition = (position: Position): string => JSON.stringify(position);

function parseListName(value: unknown): ListName | undefined {
	if (!isRecord(value)) return undefined;
	const { list, isWhole } = value;
	return typeof list === 'string' ? { list, isWhole: isWhole === true } : undefined;
}

/** @returns undefined for an invalid position, so that the search starts again */
export function parsePosition(token: unknown): Position | undefined {
	if (typeof token !== 'string') return undefined;
	let position: unknown;
	try {
		position = JSON.parse(token);
	} catch {
		return undefined;
	}
	const name = parseListName(position);
	const { cursor, following }: Record<string, unknown> = isRecord(position) ? position : {};
	const isCursor = cursor === undefined || (typeof cursor === 'string' && cursor !== '');
	if (name === undefined || !isCursor) return undefined;
	return { ...name, cursor, following: parseListName(following) };
}
