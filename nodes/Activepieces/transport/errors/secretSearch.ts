/** How many codes of one byte there are. */
const BYTES = 256;

const hexDigit = (code: number): number => {
	if (code >= 48 && code <= 57) return code - 48;
	const letter = code | 32;
	return letter >= 97 && letter <= 102 ? letter - 87 : -1;
};

/** The byte that a code like `%2f` at an index means; -1 where there is no such code. */
function byteAt(text: string, at: number): number {
	if (text.charCodeAt(at) !== 37) return -1;
	const high = hexDigit(text.charCodeAt(at + 1));
	const low = hexDigit(text.charCodeAt(at + 2));
	return high < 0 || low < 0 ? -1 : 16 * high + low;
}

/** For each length of a match, the length of the longest proper suffix that is also a prefix of the secret. */
function failureTable(secret: string): Uint16Array {
	const table = new Uint16Array(secret.length);
	for (let at = 1, length = 0; at < secret.length; at++) {
		while (length > 0 && secret[at] !== secret[length]) length = table[length - 1];
		if (secret[at] === secret[length]) length++;
		table[at] = length;
	}
	return table;
}

/** Finds one secret in texts. */
export interface SecretSearch {
	/** Whether the text may contain the secret; false is certain */
	mayBeIn(text: string): boolean;
	/** Replaces the secret, whichever of its characters are URL-encoded */
	replace(text: string, replacement: string): string;
}

/**
 * Searches in linear time, whatever the secret: a server chooses both the token and the text that is
 * searched for it (Knuth-Morris-Pratt).
 *
 * @param secret in ASCII, or never URL-encoded in the texts
 */
export function createSecretSearch(secret: string): SecretSearch {
	const table = failureTable(secret);
	// For such a short text, the time of the engine's own search is bounded too.
	const head = secret.slice(0, 12);
	const isEncoded = new Uint8Array(BYTES);
	for (const character of secret) {
		const code = character.charCodeAt(0);
		if (code < BYTES) isEncoded[code] = 1;
	}

	function hasEncodedCharacter(text: string): boolean {
		for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
			const byte = byteAt(text, at);
			if (byte >= 0 && isEncoded[byte] === 1) return true;
		}
		return false;
	}

	/** @param isDecoding whether `%2f` counts as the character that it encodes */
	function replaceIn(text: string, replacement: string, isDecoding: boolean): string {
		/** The index at which each of the last characters began, as far as they may be part of the secret */
		const begins = new Uint32Array(secret.length);
		let replaced = '';
		let done = 0;
		let matched = 0;
		let count = 0;
		for (let at = 0; at < text.length;) {
			const byte = isDecoding ? byteAt(text, at) : -1;
			const code = byte < 0 ? text.charCodeAt(at) : byte;
			begins[count % secret.length] = at;
			count++;
			at += byte < 0 ? 1 : 3;
			while (matched > 0 && secret.charCodeAt(matched) !== code) matched = table[matched - 1];
			if (secret.charCodeAt(matched) === code) matched++;
			if (matched < secret.length) continue;
			replaced += text.slice(done, begins[(count - secret.length) % secret.length]) + replacement;
			done = at;
			matched = 0;
		}
		return replaced + text.slice(done);
	}

	const mayBeIn = (text: string): boolean => text.includes(head) || hasEncodedCharacter(text);
	return {
		mayBeIn,
		replace(text, replacement) {
			if (!mayBeIn(text)) return text;
			// A percent sign in the secret may look like the start of a code.
			const exact = secret.includes('%') ? replaceIn(text, replacement, false) : text;
			return replaceIn(exact, replacement, true);
		},
	};
}
