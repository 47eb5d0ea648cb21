/** Records as JSON files, which Export makes. */
import type { IDataObject } from 'n8n-workflow';

import { flag } from '../descriptions/kinds';
import type { OperationContext } from '../execution/operationContext';
import { shorten } from '../transport/texts';
import { textOf } from '../transport/values';

/** Characters that a file system may refuse, or that hide what a name is */
const UNFIT = /[/\\:*?"<>|\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Most file systems accept 255 bytes, and a character has at most three of each of its two halves. */
const MAX_NAME = 80;

const fileNameOf = (name: string, noun: string): string =>
	`${shorten(name.trim().replace(UNFIT, '_') || noun, MAX_NAME)}.json`;

/** @param noun what is exported */
export const includeFile = (noun: string) =>
	flag(
		'Include File',
		'includeFile',
		`Whether to also return the ${noun} as a JSON file, in the binary field data of the item`,
	);

/** Gives an exported record a file with its name. */
export const addFile = (files: OperationContext['files'], record: IDataObject, noun: string) =>
	files.set(record, {
		content: Buffer.from(JSON.stringify(record), 'utf8'),
		mimeType: 'application/json',
		fileName: fileNameOf(textOf(record.name), noun),
	});
