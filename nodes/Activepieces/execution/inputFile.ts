import type { IBinaryData, IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';

import { validationError } from '../transport/errors/error';
import { limits } from '../transport/limits';
import { describeValue, someOf } from '../transport/values';

type Helpers = Pick<
	IExecuteFunctions['helpers'],
	'binaryToBuffer' | 'getBinaryMetadata' | 'getBinaryStream'
>;

/** n8n holds small files in the item, and others where its ID tells. */
async function sizeOfFile({ getBinaryMetadata }: Helpers, { id, data }: IBinaryData) {
	return id === undefined ? data.length * 0.75 : (await getBinaryMetadata(id)).fileSize;
}

/**
 * Reads a file of the input item.
 *
 * @param label the field of the node that names the binary field
 * @param field the name of the binary field, or its value
 * @param find n8n's own function, which throws if there is no such binary field
 * @param files the binary fields of the item
 * @throws {ValidationError} when there is no such file, or when it is too large
 */
export async function readInputFile(
	helpers: Helpers,
	{
		label,
		field,
		find,
		files = {},
	}: {
		label: string;
		field: unknown;
		find: (field: string) => IBinaryData;
		files?: IBinaryKeyData;
	},
): Promise<Buffer> {
	if (field === '') throw validationError(`${label} is empty`, 'Enter the name of a binary field.');
	let file: IBinaryData;
	try {
		file = find(field as string);
	} catch {
		const names = Object.keys(files);
		throw validationError(
			`The input item has no binary field ${describeValue(field)}`,
			names.length === 0
				? 'It has no files. Check that the previous node returns one.'
				: `It has ${someOf(names)}. Change ${label}.`,
		);
	}
	if ((await sizeOfFile(helpers, file)) > limits.maxInputFileBytes) {
		throw validationError(
			`The file in ${label} is larger than the node accepts (${Math.floor(limits.maxInputFileBytes / 2 ** 20)} MB)`,
			'Choose another file.',
		);
	}
	if (file.id === undefined) return Buffer.from(file.data, 'base64');
	return await helpers.binaryToBuffer(await helpers.getBinaryStream(file.id));
}
