import { untilAborted } from './deadline';

/** A body that arrives in parts, as n8n's request helper returns it with `encoding: 'stream'`. */
interface BodyStream extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

/** The error for a body that exceeds the limits; the rest of it was not read. */
export class BodyTooLargeError extends Error {
	override readonly name = 'BodyTooLargeError';

	/** @param reason continues the sentence "The response from {host}" */
	constructor(readonly reason: string) {
		super('The body is larger than the limit');
	}
}

/** Bytes up to which the decoded content cannot exceed n8n's memory, whatever it is. */
const SMALL_BODY = 4 * 2 ** 20;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Each JSON value but the first follows a comma or a bracket. */
const isBeforeValue = (byte: number): boolean => byte === 0x2c || byte === 0x5b || byte === 0x7b;

/** A colon follows a name. A name that has not appeared before takes as much time as two values. */
const COLON = 0x3a;

/**
 * The approximate number of JSON values, with names counted as two more: decoded, the 3 bytes of `{},`
 * take 60.
 */
function countValues(chunks: Uint8Array[]): number {
	let values = 0;
	let isInText = false;
	let isEscaped = false;
	for (const chunk of chunks) {
		for (let at = 0; at < chunk.length; at++) {
			const byte = chunk[at];
			if (!isInText) {
				if (byte === QUOTE) isInText = true;
				else if (isBeforeValue(byte)) values++;
				else if (byte === COLON) values += 2;
			} else if (isEscaped) isEscaped = false;
			else if (byte === BACKSLASH) isEscaped = true;
			else if (byte === QUOTE) isInText = false;
		}
	}
	return values;
}

interface BodyLimits {
	/** Maximum size in bytes, decompressed */
	maxBytes: number;
	/** Maximum number of JSON values */
	maxValues: number;
	/** Waits until another large body may be read */
	beginLarge(): Promise<void>;
}

const isStream = (body: unknown): body is BodyStream =>
	typeof body === 'object' &&
	body !== null &&
	Symbol.asyncIterator in body &&
	'destroy' in body &&
	typeof body.destroy === 'function';

/** Discards a body that nobody reads, and its connection. */
export function discardBody(body: unknown): void {
	if (isStream(body)) body.destroy();
}

/**
 * Reads a body completely as UTF-8 text, without a byte order mark. A value that is not a stream is
 * returned as it is.
 *
 * Bytes are counted after decompression, because a body of 2 kB can become 1 GB.
 *
 * @param signal stops reading and closes the connection
 * @throws {BodyTooLargeError} when there are too many bytes or values
 * @throws the stream's error, including that of the signal
 */
export async function readBody(
	body: unknown,
	{ maxBytes, maxValues, beginLarge }: BodyLimits,
	signal: AbortSignal,
): Promise<{ text: unknown; bytes: number; content: Buffer }> {
	if (!isStream(body)) return { text: body, bytes: 0, content: Buffer.alloc(0) };
	const close = () => body.destroy();
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	signal.addEventListener('abort', close);
	try {
		signal.throwIfAborted();
		for await (const chunk of body) {
			const isLarge = bytes <= SMALL_BODY && bytes + chunk.length > SMALL_BODY;
			bytes += chunk.length;
			if (bytes > maxBytes) throw new BodyTooLargeError(`is larger than ${maxBytes / 2 ** 20} MB`);
			chunks.push(chunk);
			if (isLarge) await untilAborted(beginLarge(), signal, () => {});
		}
	} finally {
		signal.removeEventListener('abort', close);
		close();
	}
	if (bytes > SMALL_BODY && countValues(chunks) > maxValues) {
		throw new BodyTooLargeError(`has more than ${maxValues.toLocaleString('en-US')} values`);
	}
	const content = Buffer.concat(chunks, bytes);
	const text = content.toString('utf8');
	return { text: text.startsWith('\ufeff') ? text.slice(1) : text, bytes, content };
}
