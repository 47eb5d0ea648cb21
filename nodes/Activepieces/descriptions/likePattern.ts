/** `_` in a pattern: exactly one character. */
const ONE = Symbol('one character');

/**
 * How many characters of a name are compared with a pattern. A name from a server may be as long as its
 * response.
 */
const MAX_NAME = 1000;

/**
 * Splits text into code points, because PostgreSQL counts an emoji as one character. Each is in lower
 * case, as ILIKE compares them.
 */
const charactersOf = (text: string): string[] =>
	Array.from(text, (character) => character.toLowerCase());

/** The parts of a pattern between its `%`, which stand for any text. A backslash makes the next character literal. */
function partsOf(pattern: string): Array<Array<string | typeof ONE>> {
	const characters = charactersOf(pattern);
	const parts: ReturnType<typeof partsOf> = [[]];
	for (let i = 0; i < characters.length; i++) {
		const part = parts[parts.length - 1];
		if (characters[i] === '\\' && i + 1 < characters.length) part.push(characters[++i]);
		else if (characters[i] === '%') parts.push([]);
		else part.push(characters[i] === '_' ? ONE : characters[i]);
	}
	return parts;
}

/**
 * Whether a text contains a pattern with the wildcards of PostgreSQL's LIKE, in any letter case. The
 * service puts `%` around the pattern that it receives, so a backslash at the end escapes the last `%`.
 *
 * This is not a regular expression: one made from the pattern would try every way to divide the text
 * among its `%`, and a model or an expression may write any pattern. Here each part is taken where it
 * first fits, since a later place gains nothing. The cost is at most the characters of the text, of which
 * the first 1,000 count, times the characters of the pattern.
 */
export function matchesLike(pattern: string, text: string): boolean {
	const characters = charactersOf(text.slice(0, MAX_NAME));
	const [, ...parts] = partsOf(`%${pattern}%`);
	const last = parts.pop() ?? [];
	let from = 0;
	const fits = (part: typeof last) =>
		part.every((each, i) => each === ONE || each === characters[from + i]);

	for (const part of parts) {
		while (from + part.length <= characters.length && !fits(part)) from++;
		if (from + part.length > characters.length) return false;
		from += part.length;
	}
	// Nothing, unless the last `%` is escaped.
	const isRoom = from + last.length <= characters.length;
	from = characters.length - last.length;
	return isRoom && fits(last);
}
