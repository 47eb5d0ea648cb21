import { ActivepiecesError } from '../../nodes/Activepieces/transport/error';
import { append, plainText } from '../../nodes/Activepieces/transport/text';

test('a foreign text is one line without invisible characters', () => {
	expect(plainText(' a\r\n\tb\u2028c\u0000d\u202ee\u200bf\u001b[31m ')).toBe('a b c def [31m');
});

test('a long one is cut, but not within a character', () => {
	expect(plainText('x'.repeat(400))).toBe(`${'x'.repeat(299)}…`);
	expect(plainText(`${'x'.repeat(298)}😀${'x'.repeat(400)}`)).toBe(`${'x'.repeat(298)}…`);
	expect(plainText('x'.repeat(300))).toBe('x'.repeat(300));
});

test('every message is one line of limited length, whatever it quotes', () => {
	const text = 'a\n'.repeat(100_000);
	const { message, description } = new ActivepiecesError({ message: text, description: text });
	for (const [each, length] of [
		[message, 1000],
		[description, 3000],
	] as const) {
		expect(each).toHaveLength(length);
		expect(each).not.toMatch(/\p{Cc}/u);
	}
});

test.each([
	['Try http://127.0.0.1/api', 'Try http://127.0.0.1/api. More.'],
	['Try again.', 'Try again. More.'],
	['It says: No!', 'It says: No! More.'],
])('a sentence is added to %s', (text, whole) => {
	expect(append(text, ' More.')).toBe(whole);
	expect(append(text, '')).toBe(text);
});
