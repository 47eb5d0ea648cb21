import { untilAborted } from '../connection/deadline';

/** A body that arrives in parts, as n8n's request helper gives it with `encoding: 'stream'`. */
interface BodyStream extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

/** A body of more than the node reads; the rest of it was not awaited. */
export class BodyTooLargeError extends Error {
	override readonly name = 'BodyTooLargeError';

	/** @param reason goes on from "The answer of the server" */
	constructor(readonly reason: string) {
		super('The body is larger than the limit');
	}
}

/** Bytes up to which no content of a body takes more memory than n8n has. */
const SMALL_BODY = 4 * 2 ** 20;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Each value of JSON but the first follows a comma or a bracket. */
const isBeforeValue = (byte: number): boolean => byte === 0x2c || byte === 0x5b || byte === 0x7b;

/** A colon makes a text a name, which takes as much time as two values when others have not had it before. */
const COLON = 0x3a;

/** About how many values JSON has, names counted twice more: the 3 bytes of `{},` take 60 when they are decoded. */
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

export interface BodyLimits {
	/** Decompressed bytes that are read at most */
	maxBytes: number;
	/** Values of JSON that are decoded at most */
	maxValues: number;
	/** Waits until one more large body may be read */
	beginLarge(): Promise<void>;
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
 * @param signal ends the reading; the connection is closed then
 * @throws {BodyTooLargeError} when there are more bytes or values
 * @throws what the stream throws, also when the signal ended it
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
