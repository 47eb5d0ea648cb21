import fc from 'fast-check';

import { createRedactor } from '../../nodes/Activepieces/transport/errors/redact';

const KEY = 'sk-Aa0/"\\%.+zZ9';
const redactor = createRedactor({ tokens: [KEY], passwords: ['activepieces'] });

/** A text as JSON may write it: each character as it is, escaped, or by its number. */
const written = (text: string) =>
	fc
		.array(fc.constantFrom('plain', 'number', 'short'), {
			minLength: text.length,
			maxLength: text.length,
		})
		.map((ways) =>
			[...text]
				.map((character, index) => {
					const number = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
					if (ways[index] === 'number') return number;
					if (ways[index] === 'short' && character === '/') return '\\/';
					return JSON.stringify(character).slice(1, -1);
				})
				.join(''),
		);

/** A text with some of its characters URL-encoded, in letters of either case. */
const urlEncoded = (text: string) =>
	fc
		.array(fc.constantFrom('plain', 'lower', 'upper'), {
			minLength: text.length,
			maxLength: text.length,
		})
		.map((ways) =>
			[...text]
				.map((character, index) => {
					const code = `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
					return { plain: character, lower: code, upper: code.toUpperCase() }[ways[index]];
				})
				.join(''),
		);

test('a token is found however JSON writes it, in texts and names at any depth', () => {
	fc.assert(
		fc.property(written(KEY), fc.nat(3), (token, depth) => {
			const inner = `{"id":"${token}","x${token}y":["of ${token}",1,null]}`;
			const text = '['.repeat(depth) + inner + ']'.repeat(depth);
			const expected = `${'['.repeat(depth)}{"id":"***","x***y":["of ***",1,null]}${']'.repeat(depth)}`;
			expect(JSON.stringify(redactor.json(text))).toBe(expected);
		}),
	);
});

test('a token is found however it is URL-encoded', () => {
	fc.assert(
		fc.property(urlEncoded(KEY), (token) => {
			expect(redactor.data(`https://host.example/?key=${token}&x`)).toBe(
				'https://host.example/?key=***&x',
			);
			expect(redactor.json(JSON.stringify([token]))).toEqual(['***']);
		}),
	);
});

test('everything else comes out as JSON has it, with its names in their order', () => {
	fc.assert(
		fc.property(fc.json(), (text) => {
			// Also where the search looks at every text.
			for (const json of [text, `[${text},"\\u0041"]`]) {
				expect(JSON.stringify(redactor.json(json))).toBe(JSON.stringify(JSON.parse(json)));
			}
		}),
	);
});

test('a password is taken out of messages and of nothing else', () => {
	const text = '{"pieceName":"@activepieces/piece-slack"}';
	expect(redactor.json(text)).toEqual({ pieceName: '@activepieces/piece-slack' });
	expect(redactor.data('activepieces')).toBe('activepieces');
	expect(redactor.message('the password activepieces is wrong')).toBe('the password *** is wrong');
});

test('a field named __proto__ is one like any other', () => {
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

test('a text that nearly holds a secret again and again takes no longer than any other', () => {
	const secret = '%25'.repeat(20) + 'x';
	const { data } = createRedactor({ tokens: [secret], passwords: [] });
	const text = '%25'.repeat(100_000);
	expect(data(text)).toBe(text);
});
