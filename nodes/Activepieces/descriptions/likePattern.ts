/** A name from a server may be as long as its response; only this much of it is compared. */
const MAX_NAME = 1000;

/**
 * Splits text into code points, because PostgreSQL counts an emoji as one character. Each is in lower
 * case, as ILIKE compares them.
 */
const charactersOf = (text: string): string[] =>
	Array.from(text, (character) => character.toLowerCase());

/**
 * Whether a text contains a pattern with the wildcards of PostgreSQL's LIKE, in any letter case. The
 * service puts `%` around the pattern that it receives, so a backslash at the end escapes the last `%`.
 *
 * This is not a regular expression: one made from the pattern would try every way to divide the text
 * among its `%`, and a model or an expression may write any pattern. The cost is the characters of the text
 * times those of the pattern.
 */
export function matchesLike(pattern: string, text: string): boolean {
	const characters = charactersOf(text.slice(0, MAX_NAME));
	const signs = charactersOf(`%${pattern}%`);
	/** Whether the signs so far match the text up to each position */
	let matched = [true, ...characters.map(() => false)];
	for (let i = 0; i < signs.length; i++) {
		// A backslash makes the next character literal.
		const isLiteral = signs[i] === '\\' && i + 1 < signs.length;
		const sign = isLiteral ? signs[++i] : signs[i];
		if (sign === '%' && !isLiteral) {
			const first = matched.indexOf(true);
			matched = matched.map((_, end) => first >= 0 && end >= first);
		} else {
			const isAny = sign === '_' && !isLiteral;
			const fits = [false, ...characters.map((character) => isAny || character === sign)];
			matched = fits.map((isFit, end) => isFit && matched[end - 1]);
		}
	}
	return matched[characters.length];
}
