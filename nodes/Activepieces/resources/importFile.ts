/** Records that Import reads, from a field or a file of the input item. */
import type { IDataObject } from 'n8n-workflow';

import { shownFor, together } from '../descriptions/field';
import { choice, itemJson, text } from '../descriptions/kinds';
import type { Simplify } from '../descriptions/output';
import { jsonError, withoutFence } from '../descriptions/parameters';
import type { OperationContext } from '../execution/operationContext';
import { validationError } from '../transport/errors/error';
import { capitalize, describeValue } from '../transport/texts';
import { isRecord, orNull } from '../transport/values';

export const acceptedContent = (noun: string): string =>
	`Use an item from ${capitalize(noun)} > Export, or the JSON of a file that you exported from Activepieces.`;

/**
 * Converts the value of a field to what JSON can hold; undefined for a value that JSON cannot hold, or
 * that refers to itself. A text may hold the text of JSON.
 */
function asJson(held: unknown): unknown {
	try {
		if (typeof held !== 'string') return JSON.parse(JSON.stringify(held));
		// Files of Windows often begin with a byte order mark.
		const json = held.replace(/^\uFEFF/, '');
		const value: unknown = JSON.parse(withoutFence(json));
		return typeof value === 'string' ? (asJson(value) ?? value) : value;
	} catch {
		return undefined;
	}
}

/** Unwraps a list with one entry, which is how n8n's Convert to File writes a single item. */
export const onlyOne = (value: unknown): unknown =>
	Array.isArray(value) && value.length === 1 ? (value as unknown[])[0] : value;

/** Unwraps `data`, into which n8n's Extract From File and HTTP Request put the content of a file, maybe as text. */
function unpacked(value: unknown): unknown {
	if (!isRecord(value) || Object.keys(value).join() !== 'data') return value;
	const { data } = value;
	return typeof data === 'string' ? (asJson(data) ?? data) : data;
}

/**
 * The text of a file.
 *
 * @throws {ValidationError} for another encoding, of which letters would be lost
 */
function textOfFile(file: Buffer, noun: string): string {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(file);
	} catch {
		throw validationError(
			'The file is not a text in UTF-8',
			`Save it in UTF-8, or export the ${noun} again.`,
		);
	}
}

/** Where an exported record comes from, for messages */
export type Place = 'Content' | 'the file';

/** What is exported, and how it is found in what a file holds. */
interface Exported {
	noun: string;
	/** Without which it is none */
	part: string;
	find: (value: unknown) => IDataObject | undefined;
}

/**
 * Finds an exported record in the value of a field, or in the text of a file.
 *
 * @param advice what to do if this is the wrong place, for the message that it has none
 * @throws {ValidationError} when there is none, or more than one
 */
export function findExported(
	{ noun, part, find }: Exported,
	held: unknown,
	place: Place,
	advice?: string,
): { value: IDataObject; found: IDataObject } {
	const subject = capitalize(place);
	const acceptedAfter = (...sentences: Array<string | undefined>) =>
		[...sentences, acceptedContent(noun)].filter((each) => each !== undefined).join(' ');
	if (held === undefined || held === null || held === '') {
		throw validationError(`${subject} is empty`, acceptedAfter(advice));
	}
	const error = typeof held === 'string' ? jsonError(held) : undefined;
	const value = onlyOne(unpacked(asJson(held)));
	const several = isRecord(value) ? value[`${noun}s`] : value;
	if (Array.isArray(several) && several.length > 1) {
		throw validationError(
			`${subject} has ${several.length} ${noun}s`,
			`Import one ${noun} per input item. To turn a list into items, use the Split Out node.`,
		);
	}
	const found = find(value);
	if (found !== undefined && isRecord(value)) return { value, found };
	const shown = value === undefined ? held : value;
	throw validationError(
		isRecord(shown)
			? `${subject} is not an exported ${noun}: it has no ${part}`
			: `${subject} must be an exported ${noun}, not ${describeValue(shown)}`,
		acceptedAfter(error, advice),
	);
}

const FILE_FIELD = 'Input Binary Field';

/**
 * The fields of an Import that say where the exported record is.
 *
 * @param read finds the record, as `findExported` does
 */
export function fileToImport<T extends object>(
	noun: string,
	read: (held: unknown, place: Place, advice?: string) => T,
) {
	const source = choice('Input', 'inputSource', {
		options: [
			['Binary File', 'binary', 'A file of the input item, as Export returns it with Include File'],
			['JSON', 'json', `The ${noun} as JSON, by default the input item`],
		],
		default: 'json',
		description: `Where to read the ${noun} from`,
	});
	const file = {
		...text(FILE_FIELD, 'binaryPropertyName', {
			required: true,
			default: 'data',
			placeholder: 'e.g. data',
			hint: 'The name of the input binary field containing the file to import',
		}),
		read: async ({ readFile }: OperationContext) =>
			read(textOfFile(await readFile(FILE_FIELD, 'binaryPropertyName'), noun), 'the file'),
	};
	const json = itemJson(
		(_label, value, { hasInputFile }) =>
			// By default Content is the JSON of the item, which describes the file.
			read(
				value,
				'Content',
				hasInputFile
					? 'The input item has a file. To import it, set Input to Binary File.'
					: undefined,
			),
		'Content',
		'content',
		`The ${noun} to import: an item from Export, or the JSON of a file that you exported from Activepieces. Uses the input item by default. In a tool, pass the JSON that Export returned.`,
		'JSON that Export returned',
	);
	return together(
		{ source, file: shownFor(source, 'binary', file), json: shownFor(source, 'json', json) },
		(given) => (given.file ?? given.json)!,
	);
}

/** A record with what its import did to it after its name, and with further fields at the end. */
export const simplifyImported =
	(simplify: Simplify, ...fields: string[]): Simplify =>
	(record, source) => {
		const { name, ...others } = simplify(record, source);
		return { name, ...orNull(record, 'change'), ...others, ...orNull(record, ...fields) };
	};
