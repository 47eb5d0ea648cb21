import { isRecord } from '../../transport/isRecord';

/**
 * Where a search stopped: before which list, after which of its pages. Opaque to n8n, which gives it back
 * when the person scrolls. The list is named and not counted: projects appear and go meanwhile.
 */
export interface Position {
	list: string;
	cursor?: string;
	/** The list is read again without the service's own search */
	isWhole?: boolean;
}

export const formatPosition = (position: Position): string => JSON.stringify(position);

/** @returns nothing for what is no position: the search starts anew then */
export function parsePosition(token: unknown): Position | undefined {
	if (typeof token !== 'string') return undefined;
	let position: unknown;
	try {
		position = JSON.parse(token);
	} catch {
		return undefined;
	}
	if (!isRecord(position)) return undefined;
	const { list, cursor, isWhole }: Record<string, unknown> = position;
	const isCursor = cursor === undefined || (typeof cursor === 'string' && cursor !== '');
	if (typeof list !== 'string' || !isCursor) return undefined;
	return { list, cursor, isWhole: isWhole === true };
}
