/** A body that arrives in parts, as n8n's request helper gives it with `encoding: 'stream'`. */
interface BodyStream extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

/** A body of more bytes than the node reads; the rest of it was not awaited. */
export class BodyTooLargeError extends Error {
	override readonly name = 'BodyTooLargeError';

	constructor(readonly maxBytes: number) {
		super('The body is larger than the limit');
	}
}

const isStream = (body: unknown): body is BodyStream =>
	typeof body === 'object' &&
	body !== null &&
	Symbol.asyncIterator in body &&
	'destroy' in body &&
	typeof body.destroy === 'function';

/** Lets go of a body that nobody reads, and of its connection. */
export function discardBody(body: unknown): void {
	if (isStream(body)) body.destroy();
}

/**
 * Reads a body to its end as UTF-8 text, a byte order mark left out. What is no stream is given as it is.
 *
 * The bytes are counted as they come out of the decompression: a body of 2 kB can become 1 GB.
 *
 * @param maxBytes how many decompressed bytes are read at most
 * @param signal ends the reading; the connection is closed then
 * @throws {BodyTooLargeError} when there are more bytes
 * @throws what the stream throws, also when the signal ended it
 */
export async function readBody(
	body: unknown,
	maxBytes: number,
	signal: AbortSignal,
): Promise<unknown> {
	if (!isStream(body)) return body;
	const close = () => body.destroy();
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	signal.addEventListener('abort', close);
	try {
		signal.throwIfAborted();
		for await (const chunk of body) {
			bytes += chunk.length;
			if (bytes > maxBytes) throw new BodyTooLargeError(maxBytes);
			chunks.push(chunk);
		}
	} finally {
		signal.removeEventListener('abort', close);
		close();
	}
	const text = Buffer.concat(chunks, bytes).toString('utf8');
	return text.startsWith('\ufeff') ? text.slice(1) : text;
}
