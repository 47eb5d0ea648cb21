import fc from 'fast-check';

import { createRedactor } from '../../nodes/Activepieces/transport/redact';

const KEY = 'sk-Aa0/"\\%.+zZ9';
const redactor = createRedactor({ tokens: [KEY], passwords: ['activepieces'] });

/** A text, each character of which is escaped in one of several ways. */
const inWays = (text: string, waysOf: (character: string, hex: string) => string[]) =>
	fc
		.tuple(...[...text].map((each) => waysOf(each, each.charCodeAt(0).toString(16))).map(oneOf))
		.map((parts) => parts.join(''));
const oneOf = (ways: string[]) => fc.constantFrom(...ways);

/** As JSON may write it: each character unchanged, escaped, or by its code. */
const written = (text: string) =>
	inWays(text, (character, hex) => [
		JSON.stringify(character).slice(1, -1),
		`\\u${hex.padStart(4, '0')}`,
		...(character === '/' ? ['\\/'] : []),
	]);

test('a token is found however JSON writes it, in texts and names at any depth', () => {
	fc.assert(
		fc.property(written(KEY), fc.nat(3), (token, depth) => {
			const inner = `{"id":"${token}","x${token}y":["of ${token}",1,null]}`;
			const nested = (json: string) => '['.repeat(depth) + json + ']'.repeat(depth);
			const expected = nested('{"id":"***","x***y":["of ***",1,null]}');
			expect(JSON.stringify(redactor.json(nested(inner)))).toBe(expected);
		}),
	);
});

test('a token is found URL-encoded', () => {
	const address = (key: string) => `https://host.example/?key=${key}&x`;
	for (const token of [KEY, encodeURIComponent(KEY)]) {
		expect(redactor.data(address(token))).toBe(address('***'));
		expect(redactor.json(JSON.stringify([token]))).toEqual(['***']);
	}
});

test('a long token is found whole', () => {
	const token = `${'aB3.'.repeat(200)}end`;
	const { data } = createRedactor({ tokens: [token], passwords: [] });
	expect(data(`${token} ${token}${token} x`)).toBe('*** ****** x');
});

test('everything else is decoded as JSON, with names in their order', () => {
	fc.assert(
		fc.property(fc.json(), (text) => {
			// Also where the search checks every text.
			for (const json of [text, `[${text},"\\u0041"]`]) {
				expect(JSON.stringify(redactor.json(json))).toBe(JSON.stringify(JSON.parse(json)));
			}
		}),
	);
});

test('a password is redacted in messages and in nothing else', () => {
	const text = '{"pieceName":"@activepieces/piece-slack"}';
	expect(redactor.json(text)).toEqual({ pieceName: '@activepieces/piece-slack' });
	expect(redactor.data('activepieces')).toBe('activepieces');
	expect(redactor.message('the password activepieces is wrong')).toBe('the password *** is wrong');
});

test('a field named __proto__ is redacted like any other', () => {
	const text = `{"__proto__":{"${KEY.replace('"', '\\"').replace('\\%', '\\\\%')}":1},"a":"\\u0041"}`;
	const record = redactor.json(text) as object;
	expect(JSON.stringify(record)).toBe('{"__proto__":{"***":1},"a":"A"}');
	expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
});

test('records of any depth are searched', () => {
	const depth = 20_000;
	const text = `${'['.repeat(depth)}"\\u0073${KEY.slice(1).replace('"', '\\"').replace('\\%', '\\\\%')}"${']'.repeat(depth)}`;
	let value = redactor.json(text);
	while (Array.isArray(value)) [value] = value as unknown[];
	expect(value).toBe('***');
});

test('searching takes linear time, whatever token a server chose', () => {
	// Each of them took minutes or longer with a search that restarts at every character.
	for (const [secret, text] of [
		[`b${'a'.repeat(4000)}`, 'a'.repeat(2_000_000)],
		[`${'a'.repeat(2000)}b${'a'.repeat(2000)}`, 'a'.repeat(20_000_000)],
		[`${'a'.repeat(4000)}b`, `%61${'a'.repeat(2_000_000)}`],
		[`${'%25'.repeat(1000)}x`, '%25'.repeat(500_000)],
	]) {
		const { data } = createRedactor({ tokens: [secret], passwords: [] });
		// A long beginning of the token counts as the token.
		expect(data(text).replaceAll('***', '').length <= text.length).toBe(true);
		const redacted = data(`x ${secret} y`);
		expect(redacted === 'x *** y').toBe(true);
		expect(data(`${text} ${secret} ${text}`).includes(secret)).toBe(false);
	}
});

test('only the values of an array with millions of them are searched', () => {
	const text = `["\\u0041"${',0'.repeat(2_000_000)}]`;
	expect(redactor.json(text)).toHaveLength(2_000_001);
});

test.each([
	['form encoding', 'correct+horse'],
	['JSON', 'gr\\u00f6\\u00dfe'],
	['HTML', 'a&amp;b&lt;c&gt;'],
	['URL encoding', 'gr%C3%B6%C3%9Fe'],
])('a password is found in messages as %s writes it', (_form, written) => {
	const passwords = ['correct horse', 'größe', 'a&b<c>'];
	const { message } = createRedactor({ tokens: [], passwords });
	expect(message(`it was ${written}.`)).toBe('it was ***.');
});
