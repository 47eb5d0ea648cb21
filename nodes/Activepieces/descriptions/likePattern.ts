/** `%` in a pattern: any text, including none. */
const ANY = Symbol('any text');
/** `_` in a pattern: exactly one character. */
const ONE = Symbol('one character');

type Token = string | typeof ANY | typeof ONE;

/**
 * Splits text into code points, because PostgreSQL counts an emoji as one character. Each is in lower
 * case, as ILIKE compares them.
 */
const charactersOf = (text: string): string[] =>
	Array.from(text, (character) => character.toLowerCase());

/** Parses a pattern. A backslash makes the next character literal. */
function tokensOf(pattern: string): Token[] {
	const characters = charactersOf(pattern);
	const tokens: Token[] = [];
	for (let i = 0; i < characters.length; i++) {
		const character = characters[i];
		if (character === '\\' && i + 1 < characters.length) tokens.push(characters[++i]);
		else if (character === '%') tokens.push(ANY);
		else tokens.push(character === '_' ? ONE : character);
	}
	return tokens;
}

/**
 * How many characters of a name are compared with a pattern. A name from a server may be as long as its
 * response.
 */
const MAX_NAME = 1000;

/**
 * Whether a text contains a pattern with the wildcards of PostgreSQL's LIKE, in any letter case. The
 * service puts `%` around the pattern that it receives, so a backslash at the end escapes the last `%`.
 *
 * This is not a regular expression: one made from the pattern would try every way to divide the text
 * among its `%`, and a model or an expression may write any pattern. Here only the last `%` takes more
 * text when the rest does not match, since the earlier ones cannot gain by it. The cost is at most the
 * characters of the text, of which the first 1,000 count, times the characters of the pattern.
 */
export function matchesLike(pattern: string, text: string): boolean {
	const tokens = tokensOf(`%${pattern}%`);
	const characters = charactersOf(text.slice(0, MAX_NAME));
	let token = 0;
	let character = 0;
	/** The token after the last `%`, and the position in the text where it is tried */
	let retryToken = -1;
	let retryCharacter = 0;

	while (character < characters.length) {
		if (tokens[token] === ANY) {
			retryToken = ++token;
			retryCharacter = character;
		} else if (tokens[token] === ONE || tokens[token] === characters[character]) {
			token++;
			character++;
		} else if (retryToken >= 0) {
			token = retryToken;
			character = ++retryCharacter;
		} else {
			return false;
		}
	}
	return tokens.slice(token).every((rest) => rest === ANY);
}
