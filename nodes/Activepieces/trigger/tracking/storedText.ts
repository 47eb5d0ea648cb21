/**
 * Maximum length of a text in the stored state. IDs, times and statuses of the service are shorter. With
 * this length, a full state stays below `limits.triggerMaxStateLength`.
 */
const MAX_LENGTH = 40;

/** Characters that JSON writes as one character. */
const PLAIN = /^[\w .:+-]*$/;

/** A hash of 53 bits (cyrb53, public domain). Not for secrets. */
function hash(text: string): string {
	let [a, b] = [0xdeadbeef, 0x41c6ce57];
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		a = Math.imul(a ^ code, 0x9e3779b1);
		b = Math.imul(b ^ code, 0x5f356495);
	}
	a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
	b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
	return (0x100000000 * (b & 0x1fffff) + (a >>> 0)).toString(36);
}

/**
 * The text that the state keeps to recognize a text of the service: the text itself, or the hash of a
 * long one.
 */
export const storedText = (text: string): string =>
	text.length <= MAX_LENGTH && PLAIN.test(text) ? text : `#${text.length}#${hash(text)}`;
