/** A file of an input item. */
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { validationError } from '../transport/errors/error';
import { limits } from '../transport/limits';

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
 * @param label the field of the node that names its binary field
 * @throws {ValidationError} when it is too large
 */
export async function readInputFile(
	helpers: Helpers,
	label: string,
	file: IBinaryData,
): Promise<Buffer> {
	if ((await sizeOfFile(helpers, file)) > limits.maxInputFileBytes) {
		throw validationError(
			`The file in ${label} is larger than the node accepts (${Math.floor(limits.maxInputFileBytes / 2 ** 20)} MB)`,
			'Choose another file.',
		);
	}
	if (file.id === undefined) return Buffer.from(file.data, 'base64');
	return await helpers.binaryToBuffer(await helpers.getBinaryStream(file.id));
}
