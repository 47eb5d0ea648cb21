import * as fc from 'fast-check';

import { matchesLike } from '../../nodes/Activepieces/descriptions/likePattern';
import { toLikePattern } from '../../nodes/Activepieces/methods/search';

/** PostgreSQL's LIKE as its manual describes it, in a simple and slow form: each `%` tries every length. */
function slowLike(pattern: string[], text: string[]): boolean {
	const [first, ...others] = pattern;
	if (first === undefined) return text.length === 0;
	if (first === '%') {
		return text.some((_, i) => slowLike(others, text.slice(i))) || slowLike(others, []);
	}
	if (text.length === 0) return false;
	if (first === '_') return slowLike(others, text.slice(1));
	const isEscape = first === '\\' && others.length > 0;
	const literal = isEscape ? others[0] : first;
	return literal === text[0] && slowLike(isEscape ? others.slice(1) : others, text.slice(1));
}

/** The service searches for `%pattern%`. */
const slowContains = (pattern: string, text: string) =>
	slowLike([...`%${pattern.toLowerCase()}%`], [...text.toLowerCase()]);

const textOf = (characters: string[], maxLength: number) =>
	fc.array(fc.constantFrom(...characters), { maxLength }).map((list) => list.join(''));

test('agrees with a slow implementation for any pattern', () => {
	fc.assert(
		fc.property(
			textOf(['%', '_', '\\', 'a', 'B', '😀'], 8),
			textOf(['a', 'b', 'B', '%', '_', '\\', '😀', '\n'], 8),
			(pattern, text) => matchesLike(pattern, text) === slowContains(pattern, text),
		),
		{ numRuns: 3_000 },
	);
});

test.each([
	['', '', true],
	['market', 'Direct Marketing', true],
	['m_rket', 'MARKET', true],
	['m_rket', 'mrket', false],
	['s%t', 'Support', true],
	['50\\%', '50 % off', false],
	['50\\%', 'now 50% off', true],
	['a\\_b', 'axb', false],
	['a\\\\b', 'a\\b', true],
	['(', 'Project (1)', true],
	['.*', 'Project', false],
	// One character, whatever its length in UTF-16.
	['a_b', 'a😀b', true],
	['a__b', 'a😀b', false],
	// A backslash at the end escapes the `%` that the service appends.
	['off\\', '50 off', false],
	['off\\', '50 off%', true],
	['off\\', 'off% today', false],
])('%j in %j: %j', (pattern, text, expected) => {
	expect(matchesLike(pattern, text)).toBe(expected);
});

test.each([
	['%%%%%%%%%%zz', 'a'.repeat(100_000)],
	['%a%a%a%a%a%a%b', 'a'.repeat(100_000)],
	['%a_a_a_a%_b', 'a'.repeat(100_000)],
	[`${'_'.repeat(1000)}b`, 'a'.repeat(10_000)],
	['%'.repeat(100_000), 'a'],
])('%.20s does not hang on 100,000 characters', (pattern, text) => {
	const start = Date.now();
	matchesLike(pattern, text);
	// It used to take minutes or longer; the bound allows for a busy machine.
	expect(Date.now() - start).toBeLessThan(2_000);
});

test('the pattern that is sent finds every name with the text in it', () => {
	const characters = ['%', '_', '\\', 'a', 'B', 'é', 'İ', 'ß', 'Σ', '😀', '\n', '\ud800', '日'];
	fc.assert(
		fc.property(
			textOf(characters, 4),
			textOf(characters, 3),
			textOf(characters, 3),
			(text, a, b) => {
				const name = `${a}${text.toUpperCase()}${b}`;
				fc.pre(name.toLowerCase().includes(text.toLowerCase()));
				return [text, text.toUpperCase()].every((each) => matchesLike(toLikePattern(each), name));
			},
		),
		{ numRuns: 1_000 },
	);
});

test('the pattern that is sent contains no escape and no lone surrogate, and fits into a URL', () => {
	expect(toLikePattern('a\\b\u0000\ud800c_%')).toBe('a%b%c_%');
	expect(toLikePattern('é e'.repeat(100_000)).length).toBeLessThan(1000);
});

test('what databases compare in different ways is a wildcard', () => {
	expect(toLikePattern('Ωμ 1é日')).toBe('%1%');
	expect(toLikePattern('Two  words')).toBe('Two%words');
});

test('a name of any length is compared quickly', () => {
	const start = Date.now();
	for (let i = 0; i < 5; i++) matchesLike(`${'_'.repeat(150)}b`, 'a'.repeat(2 ** 20));
	expect(matchesLike('a', 'a'.repeat(2 ** 24))).toBe(true);
	// It used to take 10 seconds; the bound allows for a busy machine.
	expect(Date.now() - start).toBeLessThan(2_000);
});
