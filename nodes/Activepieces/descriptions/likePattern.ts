/** `%` in a pattern: any text, also none. */
const ANY = Symbol('any text');
/** `_` in a pattern: exactly one character. */
const ONE = Symbol('one character');

type Token = string | typeof ANY | typeof ONE;

/** Characters, not halves of them: to PostgreSQL an emoji is one. Each in lower case, as ILIKE compares. */
const charactersOf = (text: string): string[] =>
	Array.from(text, (character) => character.toLowerCase());

/** What stands in a pattern; a backslash takes from the next character what it means. */
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

/** Characters of a text that are sent to be searched: an address has room for no more than some thousands. */
const MAX_SEARCHED = 200;

/** Not stored by the service, no text at all, or with a meaning that differs between databases. */
const UNSEARCHABLE = /[\\\p{Cc}\p{Cs}]/u;

/** Where letters have cases, PostgreSQL compares those beyond ASCII as its locale says. */
const hasCases = (character: string): boolean =>
	character > '\u007f' && character.toLowerCase() !== character.toUpperCase();

/** Whether a letter may be several characters in a name: with its accent behind it, or in lower case. */
const mayBeLonger = (character: string): boolean =>
	character.normalize('NFD') !== character || character.toLowerCase().length > character.length;

/** What is sent for a character of a text. */
function likeCharacter(character: string): string {
	if (/\s/.test(character)) return '_%';
	if (UNSEARCHABLE.test(character)) return '%';
	if (!hasCases(character)) return character;
	return mayBeLonger(character) ? '_%' : '_';
}

/** What the service is asked to look for in a name. */
interface LikePart {
	part: string;
	/** It also fits names without the text, and maybe most of them */
	isLoose: boolean;
}

/**
 * A text as the part of a name that the service looks for with LIKE. Wildcards stand for what the service
 * may read otherwise, and those in the text stay: it may find more, and whoever asks looks at what it
 * found. A wildcard for each letter: a pattern of nothing but `%` would fit every name. An escape would
 * have to mean the same to every database that Activepieces runs on.
 *
 * @param text with single spaces, and with accents as parts of their letters
 */
export function toLikePart(text: string): LikePart {
	const characters = Array.from(text.slice(0, 2 * MAX_SEARCHED)).slice(0, MAX_SEARCHED);
	return {
		part: characters.map(likeCharacter).join(''),
		isLoose: characters.some((each) => hasCases(each) || UNSEARCHABLE.test(each)),
	};
}

/** Characters of a name that are compared with a pattern: a foreign one may be as long as an answer. */
const MAX_NAME = 1000;

/**
 * Whether a text contains a pattern with the wildcards of PostgreSQL's LIKE, in any letter case. The
 * service puts `%` around what it is asked for, so that the last one is what a backslash at the end
 * escapes.
 *
 * No regular expression: one made of the pattern tries every way to share the text out among its `%`, and
 * a model or an expression may write any pattern. Here only the last `%` takes more text when what
 * follows it does not fit, as the ones before it have nothing to gain: characters of the text, of which
 * only the first 1,000 count, times characters of the pattern at most.
 */
export function matchesLike(pattern: string, text: string): boolean {
	const tokens = tokensOf(`%${pattern}%`);
	const characters = charactersOf(text.slice(0, MAX_NAME));
	let token = 0;
	let character = 0;
	/** The token after the last `%`, and from where in the text it is tried */
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
