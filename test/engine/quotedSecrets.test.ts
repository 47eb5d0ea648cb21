import type { INodeParameters } from 'n8n-workflow';

import { byId, byName } from './harness/byId';
import { CONNECTIONS, FOLDER, parametersOf } from './harness/parameters';
import { changesSent, useService } from './harness/service';
import { tracesOf } from './harness/traces';

const context = useService({ data: { projects: 2, connectionsPerProject: 1 } });

/** The secret of an item: only the expression makes it, so that no input item contains it. */
const BY_ITEM = '={{ $json.text.split("").reverse().join("") }}';
const itemOf = (secret: string) => [{ text: [...secret].reverse().join('') }];

const SECRET_TEXT: INodeParameters = {
	...{ externalId: 'crm', displayName: 'CRM', secretText: BY_ITEM },
	...{ pieceName: byName('@activepieces/piece-telegram-bot'), connectionType: 'SECRET_TEXT' },
};
const project = () => byId(context.data.projects[0].id);
const upsert = (more: INodeParameters = {}) =>
	parametersOf('connection.upsert', { projectId: project(), ...SECRET_TEXT, ...more });
const basic = (more: INodeParameters) =>
	upsert({ connectionType: 'BASIC_AUTH', password: BY_ITEM, ...more });
const global = (more: INodeParameters) =>
	parametersOf('globalConnection.upsert', { ...SECRET_TEXT, ...more });

/** The ways in which the service passes on what others say of a connection (recorded). */
const REFUSALS = [
	(said: string) => ({ status: 400, code: 'VALIDATION', message: said }),
	(said: string) => ({ status: 400, code: 'INVALID_APP_CONNECTION', params: { error: said } }),
	(said: string) => ({
		...{ status: 400, code: 'ENGINE_OPERATION_FAILURE' },
		params: { message: 'Failed to run engine validate auth', context: { error: said } },
	}),
];

/** How a secret is written does not depend on the refusal. */
const ONE = { refusals: REFUSALS.slice(1, 2) };

/** What a person reads of each refusal that quotes a secret, after "Activepieces says: ". */
async function quoted(
	parameters: INodeParameters,
	secret: string,
	said: string,
	{ path, refusals = REFUSALS }: { path?: RegExp; refusals?: typeof REFUSALS } = {},
) {
	const read: string[] = [];
	for (const refusal of refusals) {
		for (const onError of [undefined, 'continueErrorOutput'] as const) {
			context.clearFaults();
			context.fault({ method: 'POST', path, kind: refusal(said) });
			const result = await context.run(parameters, { items: itemOf(secret), onError });
			const [{ json = {} } = {}] = result.errorItems;
			const description = result.error?.description ?? String(json.message);
			read.push(
				/Activepieces says: (.*?)\. (?:Check|The secret)/.exec(description)?.[1] ?? description,
			);
			const parts = [secret, secret.slice(0, 16), secret.slice(-16)];
			const traces = tracesOf(result);
			expect(traces.filter((text) => parts.some((part) => text.includes(part)))).toEqual([]);
		}
	}
	return [...new Set(read)];
}

const MARKS = "Tr0ub4dor!(3)~'*";
/** A text with each of its bytes as two digits after a sign, such as `%41` */
const inHex = (sign: string, text: string) =>
	[...Buffer.from(text)].map((byte) => sign + byte.toString(16).padStart(2, '0')).join('');
const PEM = [
	'-----BEGIN PRIVATE KEY-----',
	...Array.from({ length: 24 }, (_, line) =>
		Buffer.from(`line ${line} of the key, which is none`.padEnd(48, '~')).toString('base64'),
	),
	'-----END PRIVATE KEY-----',
].join('\n');
const ACCOUNT = JSON.stringify({ type: 'service_account', private_key: PEM, client_id: '1234' });

describe('a secret that a service quotes is not in what a run leaves behind', () => {
	test.each<[how: string, secret: string, quote: (secret: string) => string]>([
		['as a form (RFC 1738)', MARKS, () => 'Tr0ub4dor%21%283%29%7E%27%2A'],
		['as a form, in small letters', MARKS, () => 'Tr0ub4dor%21%283%29%7e%27%2a'],
		[
			'as a form of a browser',
			'a b!c~d+e(f',
			(it) => `${new URLSearchParams({ '': it })}`.slice(1),
		],
		['in a URL (RFC 3986)', MARKS, () => 'Tr0ub4dor%21%283%29~%27%2A'],
		['with every character encoded', MARKS, (secret) => inHex('%', secret)],
		['as a form in Latin-1', 'großzügig', () => 'gro%DFz%FCgig'],
		['as a form in a URL', 'a b!c~d+e(f', () => 'a%2520b%2521c~d%252Be%2528f'],
		['in JSON', 'a"b\\c/d<é&', (secret) => JSON.stringify(secret)],
		['in JSON of PHP', 'a"b\\c/d<é&', () => 'a\\"b\\\\c\\/d\\u003C\\u00e9\\u0026'],
		['in JSON in JSON', 'a"b\\c/d<é&', (secret) => JSON.stringify(JSON.stringify(secret))],
		[
			'in Python',
			"it's über",
			(secret) =>
				`b'${secret.replace(/[^ -~]/g, (each) => inHex('\\x', each)).replace("'", "\\'")}'`,
		],
		['on a web page', `it's <"é"> & so`, () => 'it&#x27;s &lt;&quot;&#233;&quot;&gt; &amp; so'],
		['as UTF-8 read as Latin-1', 'großzügig', (secret) => Buffer.from(secret).toString('latin1')],
		['with a zero-width space', MARKS, (secret) => [...secret].join('\u200b')],
		['with a joiner that is no format character', MARKS, (secret) => [...secret].join('\u034f')],
		['with a zero-width space, encoded', MARKS, (secret) => secret.replace('d', 'd%E2%80%8B')],
		// Read before it is decoded: the sign in front would take the first letter with it.
		['with a blank, after a backslash', 'nathan-horse', (it) => `\\${it.replace('-', '- ')}`],
		['in Base64', MARKS, (secret) => Buffer.from(secret).toString('base64')],
		['of many lines, in one line', PEM, (secret) => secret.replaceAll('\n', ' ')],
		['of many lines, without their ends', PEM, (secret) => secret.replaceAll('\n', '')],
		['of many lines, in JSON', PEM, (secret) => JSON.stringify(secret).slice(1, -1)],
		['of many lines, without the first one', PEM, (secret) => secret.replace(/^.*\n/, '')],
		['of which it quotes a field', ACCOUNT, () => PEM],
	])('%s', async (_how, secret, quote) => {
		const said = `bad key ${quote(secret)}`;
		expect(await quoted(upsert(), secret, said, ONE)).toEqual([
			expect.stringMatching(/^bad key (?:b?['"]?\*\*\*['"]?|\\?"?\\?"?\*\*\*\\?"?\\?"?)$/),
		]);
	});

	const LONG = Array.from({ length: 900 }, (_, index) => index * 7919).join('-');
	test.each([60, 200, 300, 500])('cut after %i characters', async (length) => {
		for (const secret of [PEM, ACCOUNT, LONG]) {
			const line = secret.replaceAll('\n', ' ');
			for (const said of [secret, line, JSON.stringify(secret), encodeURIComponent(secret)]) {
				const read = await quoted(upsert(), secret, `bad key ${said.slice(0, length)}`, ONE);
				// An escape that was cut in two may remain.
				expect(read).toEqual([expect.stringMatching(/^bad key "?\*\*\*[%\\\dA-F]{0,2}$/)]);
			}
		}
	});

	test('cut in its first half only if little of it is shown', async () => {
		const said = `bad key ${MARKS.slice(0, 8)} or ${MARKS.slice(0, 5)}…`;
		expect(await quoted(upsert(), MARKS, said)).toEqual([`bad key *** or ${MARKS.slice(0, 5)}…`]);
	});

	test('cut where the node stops to read a long text', async () => {
		const said = 'bad key'.padEnd(19_995) + MARKS;
		expect(await quoted(upsert(), MARKS, said, ONE)).toEqual(['bad key ***']);
	});

	const header = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
	test.each([
		['the header', header(`nathan:${MARKS}`)],
		['a cut header', header(`nathan:${MARKS}`).slice(0, 24)],
		['the header in a form', encodeURIComponent(header(`nathan:${MARKS}`))],
		['the header in JSON of PHP', header(`nathan:${MARKS}`).replaceAll('/', '\\/')],
		['the header with a zero-width space', [...header(`nathan:${MARKS}`)].join('\u200b')],
	])('%s of a Basic Auth connection', async (_what, said) => {
		const read = await quoted(basic({ username: 'nathan' }), MARKS, `sent Authorization: ${said}`);
		expect(read).toEqual([expect.stringMatching(/^sent Authorization: (?:Basic )?\*\*\*$/)]);
	});

	test.each(['', 'X'])(
		'the header with the key as username and the password "%s"',
		async (password) => {
			const parameters = basic({ username: BY_ITEM, password });
			const said = `sent ${header(`${MARKS}:${password}`)}`;
			expect(await quoted(parameters, MARKS, said)).toEqual(['sent Basic ***']);
		},
	);

	test('by the second request of Global Connection > Create or Update', async () => {
		const [a, b] = context.data.projects.map(({ id }) => id);
		await context.record(global({ projectIds: [a] }), itemOf(MARKS));
		const path = /global-connections\/./;
		const read = await quoted(global({ projectIds: [b] }), MARKS, `bad ${MARKS}`, { path });
		expect(read).toContain('bad ***');
	});
});

test.each([
	['as it is', 'request failed: nothing%20is wrong & <b>&amp;</b> \\n "C:\\temp\\new" ü + 100 %'],
	['that is Base64', 'token bm90aGluZyB0byBzZWU= and Basic authentication'],
])('a text without a secret stays %s', async (_what, said) => {
	context.fault({ method: 'POST', kind: REFUSALS[1](said) });
	const { description } = await context.failure(upsert(), itemOf(MARKS));
	expect(description).toBe(
		`Activepieces says: ${said}. Check Type and the fields below it. Nothing was changed.`,
	);
});

describe('a header of the credential in a record', () => {
	const SECRET = 'caf\u00e9 & <cr\u00e8me>';
	const codeOf = (each: string) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const credential = () => ({
		...context.credential,
		headers: { values: [{ name: 'X-Gateway', value: SECRET }] },
	});

	test.each([
		['\\u0026 and \\u00e9', 'caf\\u00e9 \\u0026 \\u003ccr\\u00e8me\\u003e'],
		['every character by its code', SECRET.replace(/./g, codeOf)],
		['a form', 'caf%C3%A9+%26+%3Ccr%C3%A8me%3E'],
		['JSON in a text', JSON.stringify(SECRET.replaceAll('&', '\\u0026')).slice(1, -1)],
		['a zero-width space', SECRET.replace('r', 'r\u200b')],
	])('is redacted in the form of %s', async (_form, written) => {
		const body = `{"id":"abc","displayName":"of ${written}!","${written}":[1]}`;
		context.fault({ kind: { body, contentType: 'application/json' } });
		const parameters = { ...FOLDER, simplify: false };
		const [record] = await context.records(parameters, { credential: credential() });
		expect(record).toEqual({ id: 'abc', displayName: 'of ***!', '***': [1] });
	});
});

test('the name of a record that is shown without its invisible characters shows no key', async () => {
	const { apiKey } = context.credential;
	const displayName = `of ${[...apiKey].join('\u200b')}`;
	const data = [{ id: 'abc', displayName, version: { displayName } }];
	context.fault({ path: '/v1/folders', kind: { body: { data, next: null } } });
	const { results } = await context.search('searchFolders', { parameters: CONNECTIONS });
	expect(results.map(({ name }) => name).join()).not.toContain(apiKey.slice(0, 16));
	expect(results).not.toEqual([]);
});

describe('a secret that ends in a line break', () => {
	const sent = () => changesSent(context).map(([, body]) => (body as { value: unknown }).value);

	test.each(['\n', '\r\n', '\n\n'])('loses it if it has none inside: %j', async (end) => {
		const items = itemOf(MARKS + end);
		await context.record(upsert(), items);
		await context.record(basic({ username: BY_ITEM, externalId: 'b' }), items);
		const properties = { values: [{ name: 'key', value: BY_ITEM }] };
		const custom = upsert({ connectionType: 'CUSTOM_AUTH', externalId: 'c', properties });
		await context.record(custom, items);
		const variable = { projectId: project(), variableName: 'KEY', value: BY_ITEM };
		await context.record(parametersOf('variable.upsert', variable), items);
		expect(sent()).toMatchObject([
			{ secret_text: MARKS },
			{ username: MARKS, password: MARKS },
			{ props: { key: MARKS } },
			MARKS,
		]);
	});

	test.each([`${PEM}\n`, ` ${MARKS} `, `\n${MARKS}`])(
		'keeps every other blank: case %#',
		async (secret) => {
			await context.record(upsert(), itemOf(secret));
			expect(sent()).toMatchObject([{ secret_text: secret }]);
		},
	);
});
