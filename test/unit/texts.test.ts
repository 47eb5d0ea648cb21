import * as fc from 'fast-check';
import { ExpressionError, type IDataObject, type INode } from 'n8n-workflow';

import { toNodeError } from '../../nodes/Activepieces/execution/nodeError';
import { simplifyRun } from '../../nodes/Activepieces/resources/flowRun/flowRun';
import type { ApiRequest } from '../../nodes/Activepieces/transport/client/request';
import { ActivepiecesError } from '../../nodes/Activepieces/transport/errors/error';
import { errorForConnection } from '../../nodes/Activepieces/transport/errors/errorFor';
import type { ErrorSource } from '../../nodes/Activepieces/transport/errors/words';
import {
	createRedactor,
	NO_SECRETS,
	NOT_SHOWN,
} from '../../nodes/Activepieces/transport/http/redact';
import { parseResponse } from '../../nodes/Activepieces/transport/http/response';
import { append, plainText } from '../../nodes/Activepieces/transport/texts';

/** The message of a failed step as Get shows it. */
const stepMessage = (message: string | null) => {
	const failedStep = { name: 'step_1', message };
	return (simplifyRun({ status: 'FAILED', failedStep }).failedStep as IDataObject).message;
};

const X299 = `${'x'.repeat(299)}…`;

/** The text of a code step from 0.85 on: the message, then the stack. */
const wrapped = (message: string, raw = `Error: ${message}\n    at Object.code`) =>
	JSON.stringify({ __apErrorVersion: 1, message, raw });

// Each of them takes minutes or longer with code that restarts at every character.
const STEP = '{"__apErrorVersion":1,"message":"';
test.each([
	[STEP + '\\"'.repeat(1e6), `${'"'.repeat(299)}…`],
	[STEP + '\\u'.repeat(1e6), `${STEP}${'\\u'.repeat(133)}…`],
])('a message of a million characters does not hang (case %#)', (text, shown) => {
	expect(stepMessage(text)).toBe(shown);
});

describe('a foreign text', () => {
	test('is one line without invisible characters, and is cut, but not within a character', () => {
		expect(plainText(' a\r\n\tb\u2028c\u0000d\u202ee\u200bf\u001b[31m ')).toBe('a b c def [31m');
		expect(plainText('x'.repeat(400))).toBe(X299);
		expect(plainText(`${'x'.repeat(298)}😀${'x'.repeat(400)}`)).toBe(`${'x'.repeat(298)}…`);
		expect(plainText('x'.repeat(300))).toBe('x'.repeat(300));
	});

	test('makes no message longer than one line of limited length', () => {
		const text = 'a\n'.repeat(100_000);
		const { message, description } = new ActivepiecesError({ message: text, description: text });
		expect([message.length, description?.length]).toEqual([1000, 3000]);
		expect(`${message}${description}`).not.toMatch(/\p{Cc}/u);
	});

	test.each([
		['Try http://127.0.0.1/api', 'Try http://127.0.0.1/api. More.'],
		['Try again.', 'Try again. More.'],
		['It says: No!', 'It says: No! More.'],
		['It says: xx…', 'It says: xx… More.'],
	])('ends before a sentence that is added to it: %s', (text, whole) => {
		expect(append(text, ' More.')).toBe(whole);
		expect(append(text, '')).toBe(text);
	});
});

describe('the message of a step', () => {
	/** The form in which the service stores a long one. */
	const cutAt = (text: string, length: number) => `${text.slice(0, length)}…`;
	const NO_MESSAGE = '{"__apErrorVersion":1,"raw":"x"}';
	const PREFIX = STEP.length;
	/** Without lone surrogates, which no program could show. */
	const isWellFormed = (text: string) => text === Buffer.from(text).toString();
	const shortText = fc.string({ unit: 'binary', maxLength: 40 }).filter(Boolean);

	test.each([
		['a plain text', 'Error: boom\nat noon', 'Error: boom\nat noon'],
		['a text before a stack', 'Error: boom\n    at Object.w\n    at x', 'Error: boom'],
		['a stack alone', '\n    at Object.w', '\n    at Object.w'],
		['nothing', null, null],
		['JSON', wrapped('Error: boom'), 'Error: boom'],
		['JSON with another field first', '{"__apErrorVersion":1,"a":"\\"","message":"b"}', 'b'],
		['JSON without a message', NO_MESSAGE, NO_MESSAGE],
		['JSON with an empty one', wrapped('', ''), wrapped('', '')],
		['JSON cut before the message', '{"__apErrorVersion":1,…', '{"__apErrorVersion":1,…'],
		['other JSON', '{ "status":\n404 }', '{"status":404}'],
		['other JSON in JSON', wrapped('{"response":{"status":500}}'), '{"response":{"status":500}}'],
		['a text in JSON', '"No customer"', 'No customer'],
		['a list in JSON', '[\n"a",\n7\n]', '["a",7]'],
		['JSON in JSON', wrapped('{\n  "message": "{\\"message\\":\\"a\\"}"\n}'), 'a'],
		['JSON in lines that is cut', '{\n  "message": "Subflow fai…', 'Subflow fai…'],
		['JSON in JSON that is cut', `${STEP}{\\n  \\"message\\": \\"no\\",\\n  \\"link…`, 'no'],
		['JSON in many lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, `${'['.repeat(299)}…`],
		['a number', '1e3', '1e3'],
		['a long text', 'x'.repeat(5000), X299],
		['a long message', wrapped('x'.repeat(5000)), X299],
		['as much as is shown', 'x'.repeat(300), 'x'.repeat(300)],
		['a pair at the end', `${'x'.repeat(298)}😀😀`, `${'x'.repeat(298)}…`],
		['very many escapes', STEP + '\\"'.repeat(1_000), `${'"'.repeat(299)}…`],
	])('of %s', (_what, text, shown) => {
		expect(stepMessage(text)).toBe(shown);
	});

	test('is the original one, with every escape decoded, or its start, wherever it was cut', () => {
		fc.assert(
			fc.property(shortText, fc.nat({ max: 300 }), (message, length) => {
				const text = wrapped(message);
				expect(stepMessage(text)).toBe(message);
				const shown = stepMessage(
					cutAt(text, PREFIX + 1 + (length % (text.length - PREFIX))),
				) as string;
				expect(isWellFormed(shown) || !isWellFormed(message)).toBe(true);
				if (shown.startsWith('{"__ap')) return;
				expect(shown === message || message.startsWith(shown.slice(0, -1))).toBe(true);
			}),
			{ numRuns: 200 },
		);
	});
});

describe('a secret', () => {
	const KEY = 'sk-Aa0/"\\%.+zZ9';
	const redactor = createRedactor({ tokens: [KEY], passwords: ['activepieces'] });

	test('is redacted in the texts and names of data, at any depth', () => {
		const inner = { id: KEY, [`x${KEY}y`]: [`of ${KEY}`, 1, null] };
		for (const depth of [0, 1, 1_000]) {
			const nested = (json: string) => '['.repeat(depth) + json + ']'.repeat(depth);
			const expected = nested('{"id":"***","x***y":["of ***",1,null]}');
			expect(JSON.stringify(redactor.json(nested(JSON.stringify(inner))))).toBe(expected);
		}
	});

	test('changes nothing else that is decoded as JSON, with names in their order', () => {
		const inJson = JSON.stringify(KEY);
		fc.assert(
			fc.property(fc.json(), (text) => {
				expect(JSON.stringify(redactor.json(text))).toBe(JSON.stringify(JSON.parse(text)));
				// Also where the search checks every text.
				const found = JSON.stringify([JSON.parse(text), '***']);
				expect(JSON.stringify(redactor.json(`[${text},${inJson}]`))).toBe(found);
			}),
		);
		const record = redactor.json(`{"__proto__":{${inJson}:1},"a":"\\u0041"}`) as object;
		expect(JSON.stringify(record)).toBe('{"__proto__":{"***":1},"a":"A"}');
		expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
	});

	test('that is a password is looked for in messages and in nothing else', () => {
		const text = '{"pieceName":"@activepieces/piece-slack"}';
		expect(redactor.json(text)).toEqual({ pieceName: '@activepieces/piece-slack' });
		expect(redactor.data('activepieces')).toBe('activepieces');
		expect(redactor.message('the password activepieces, wrong')).toBe(NOT_SHOWN);
		const { message } = createRedactor({ tokens: [], passwords: ['open sesame'] });
		expect(message('open+sesame')).toBe(NOT_SHOWN);
	});

	const TOKEN = 'sk-aB3dE6gH9';
	// n8n stores all of these with the execution.
	test.each([
		['the message', new ExpressionError(TOKEN)],
		['the description', new ExpressionError('Failed', { description: TOKEN })],
		['the cause', new ExpressionError('Failed', { cause: new Error(TOKEN) })],
		['the context', new ExpressionError('Failed', { parameter: TOKEN })],
	])('in %s of an error of n8n keeps it from being stored', (_where, error) => {
		const node = { type: 'activepieces' } as INode;
		const secrets = { tokens: [TOKEN], passwords: [] };
		expect(toNodeError(node, error, { secrets })).not.toBe(error);
		expect(toNodeError(node, error, { secrets: NO_SECRETS })).toBe(error);
	});
});

describe('a message', () => {
	const baseUrl = 'https://activepieces.example/api';
	const SOURCE: ErrorSource = { baseUrl, credentialKind: 'apiKey', place: 'node' };
	const GET_FOLDER: ApiRequest = {
		endpoint: { method: 'GET', path: '/v1/folders/{id}' },
		subject: { noun: 'folder', field: 'Folder' },
	};

	test.each([
		[1, 700, ''],
		[2, 400, ', after 2 tries in less than a second'],
		[3, 1_400, ', after 3 tries in 1 second'],
		[5, 12_000, ', after 5 tries in 12 seconds'],
	])('about %i attempts in %i ms ends with "%s"', (count, elapsedMs, words) => {
		const attempts = { count, elapsedMs, isAmbiguous: false };
		const { message } = errorForConnection(SOURCE, GET_FOLDER, { kind: 'timeout' }, attempts);
		expect(message).toBe(`activepieces.example did not respond in time${words}`);
	});
});

describe('Retry-After', () => {
	const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';
	const delayOf = (value?: string, date?: string) => {
		const response = { statusCode: 503, headers: { 'retry-after': value, date }, body: '' };
		return parseResponse(response, createRedactor(NO_SECRETS)).retryAfterMs;
	};

	test.each([
		['60', undefined, 60_000],
		['1.5', undefined, 1_500],
		[' 1.25 ', undefined, 1_250],
		['Wed, 21 Oct 2026 07:28:30 GMT', DATE, 30_000],
		['Wed, 21 Oct 2026 07:27:00 GMT', DATE, undefined],
		['Wed, 21 Oct 275760 07:28:00 GMT', DATE, undefined],
		...[
			...['60x', 'x60', '0', '-5', '1e999', 'Infinity', '-Infinity', '9'.repeat(20)],
			...['9'.repeat(400), '', 'soon', undefined],
		].map((none): [string | undefined, undefined, undefined] => [none, undefined, undefined]),
	])('%s on a server whose time is %s', (value, date, delay) => {
		expect(delayOf(value, date)).toBe(delay);
	});

	test('is compared with the own clock if the server sends no time', () => {
		const delay = delayOf(new Date(Date.now() + 30_000).toUTCString());
		expect(delay).toBeGreaterThan(20_000);
		expect(delay).toBeLessThanOrEqual(30_000);
	});
});
