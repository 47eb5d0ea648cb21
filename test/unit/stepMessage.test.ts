import * as fc from 'fast-check';

import { stepMessage } from '../../nodes/Activepieces/resources/flowRun/flowRun';

/** The text of a code step from 0.85 on: the message, then the stack. */
const wrapped = (message: string, raw = `Error: ${message}\n    at Object.code`) =>
	JSON.stringify({ __apErrorVersion: 1, message, raw });

/** The form in which the service stores a long one. */
const cutAt = (text: string, length: number) => `${text.slice(0, length)}…`;

const NO_MESSAGE = '{"__apErrorVersion":1,"raw":"x"}';
const PREFIX = '{"__apErrorVersion":1,"message":"'.length;

/** Without lone surrogates, which no program could show. */
const isWellFormed = (text: string) => text === Buffer.from(text).toString();

const shortText = fc.string({ unit: 'binary', maxLength: 40 });

describe('the message of a step', () => {
	test.each([
		['a plain text', 'Error: boom\n    at Object.w', 'Error: boom\n    at Object.w'],
		['nothing', null, null],
		['JSON', wrapped('Error: boom'), 'Error: boom'],
		['JSON with another field first', '{"__apErrorVersion":1,"a":"\\"","message":"b"}', 'b'],
		['JSON cut in the stack', cutAt(wrapped('Error: boom'), 70), 'Error: boom'],
		['JSON cut behind the message', cutAt(wrapped('Error: boom'), PREFIX + 12), 'Error: boom'],
		['JSON cut in the message', cutAt(wrapped('Error: boom'), PREFIX + 8), 'Error: b…'],
		['JSON cut in an escape', cutAt(wrapped('one\ntwo'), PREFIX + 4), 'one…'],
		['JSON cut in a code', cutAt(wrapped('one\u0001two'), PREFIX + 7), 'one…'],
		['JSON cut in a pair', cutAt(wrapped('one😀two'), PREFIX + 4), 'one…'],
		['JSON cut in an escaped pair', '{"__apErrorVersion":1,"message":"one\\ud83d\\ud…', 'one…'],
		['JSON without a message', NO_MESSAGE, NO_MESSAGE],
		['JSON with an empty one', wrapped('', ''), wrapped('', '')],
		['JSON cut before the message', '{"__apErrorVersion":1,…', '{"__apErrorVersion":1,…'],
		['other JSON', '{"status":404}', '{"status":404}'],
	])('%s', (_what, text, shown) => {
		expect(stepMessage(text)).toBe(shown);
	});

	test('is the original one, with every escape decoded', () => {
		fc.assert(
			fc.property(shortText.filter(Boolean), (message) => {
				expect(stepMessage(wrapped(message))).toBe(message);
			}),
		);
	});

	test('starts like the original one, wherever it was cut, and has no lone surrogates', () => {
		fc.assert(
			fc.property(shortText.filter(Boolean), fc.nat({ max: 300 }), (message, length) => {
				const text = wrapped(message);
				const shown = stepMessage(cutAt(text, PREFIX + 1 + (length % (text.length - PREFIX))))!;
				expect(isWellFormed(shown) || !isWellFormed(message)).toBe(true);
				if (shown.startsWith('{"__ap')) return;
				expect(shown === message || message.startsWith(shown.slice(0, -1))).toBe(true);
			}),
		);
	});

	test('has at most 300 characters, and is cut between two', () => {
		expect(stepMessage('x'.repeat(5000))).toBe(`${'x'.repeat(299)}…`);
		expect(stepMessage(wrapped('x'.repeat(5000)))).toBe(`${'x'.repeat(299)}…`);
		expect(stepMessage('x'.repeat(300))).toBe('x'.repeat(300));
		expect(stepMessage(`${'x'.repeat(298)}😀😀`)).toBe(`${'x'.repeat(298)}…`);
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', minLength: 250, maxLength: 400 }), (message) => {
				for (const text of [message, wrapped(message)]) {
					const shown = stepMessage(text)!;
					expect(shown.length).toBeLessThanOrEqual(300);
					expect(isWellFormed(shown)).toBe(true);
				}
			}),
		);
	});

	// Foreign text: a parser that restarted at every character would never end here.
	test('of ten million characters is read quickly', () => {
		const json = '{"__apErrorVersion":1,"message":"';
		expect(stepMessage(json + '\\"'.repeat(5_000_000))).toBe(`${'"'.repeat(299)}…`);
		expect(stepMessage(json + '\\u'.repeat(5_000_000))).toMatch(/^\{"__ap.*…$/);
	});
});
