import { emptyError, toText } from './parameters';

/**
 * Whether a text shows something. One that consists of invisible characters counts as empty; within a name
 * they may join the parts of an emoji.
 */
export const isVisible = (text: string): boolean =>
	/[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/**
 * Converts the new name of a folder or a flow. The service accepts an empty name (recorded), and nobody
 * can find a record without one. The service does not trim either, so "Sales " would become a second
 * "Sales".
 */
export function toRecordName(label: string, value: unknown, noun: string): string {
	const trimmed = toText(label, value ?? '');
	if (isVisible(trimmed)) return trimmed;
	throw emptyError(label, `Enter the name of the ${noun}.`);
}
