import type { INodeParameters } from 'n8n-workflow';

import { byId, byName } from '../harness/byId';
import { FOLDER, parametersOf } from '../harness/parameters';
import { changesSent, useService } from '../harness/service';
import { tracesOf } from '../harness/traces';

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
const variable = (more: INodeParameters = {}) =>
	parametersOf('variable.upsert', {
		...{ projectId: project(), variableName: 'KEY', value: BY_ITEM },
		...more,
	});

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

const NOT_SHOWN = 'the text is not shown, because it contains the credential';

const MARKS = "Tr0!(3)~'*ub4dor";
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

describe('a text that quotes a secret is not in what a run leaves behind', () => {
	test.each<[how: string, secret: string, quote: (secret: string) => string]>([
		['as it is', MARKS, (secret) => secret],
		['as a form', 'a b!c~d+e(f', (it) => `${new URLSearchParams({ '': it })}`.slice(1)],
		['in a URL', 'a b!c~d+e(f', encodeURIComponent],
		['with every character encoded', MARKS, (secret) => inHex('%', secret)],
		['in JSON', 'a"b\\c/d<é&', (secret) => JSON.stringify(secret)],
		['in JSON of PHP', 'a"b\\c/d<é&', () => 'a\\"b\\\\c\\/d\\u003C\\u00e9\\u0026'],
		['in JSON in JSON', 'a"b\\c/d<é&', (secret) => JSON.stringify(JSON.stringify(secret))],
		['in Base64', MARKS, (secret) => Buffer.from(secret).toString('base64')],
		['of many lines, in one line', PEM, (secret) => secret.replaceAll('\n', ' ')],
		['of many lines, in JSON', PEM, (secret) => JSON.stringify(secret).slice(1, -1)],
	])('%s', async (_how, secret, quote) => {
		const said = `bad key ${quote(secret)}`;
		expect(await quoted(upsert(), secret, said, ONE)).toEqual([NOT_SHOWN]);
	});

	test('in each form of a refusal', async () => {
		expect(await quoted(upsert(), MARKS, `bad key ${MARKS}`)).toEqual([NOT_SHOWN]);
	});

	test('cut after eight characters, but not after fewer', async () => {
		const said = `bad key ${MARKS.slice(0, 8)}…`;
		expect(await quoted(upsert(), MARKS, said, ONE)).toEqual([NOT_SHOWN]);
		const start = `bad key ${MARKS.slice(0, 7)}…`;
		expect(await quoted(upsert(), MARKS, start, ONE)).toEqual([start]);
	});

	const header = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
	test.each([
		['the header', header(`nathan:${MARKS}`)],
		['a cut header', header(`nathan:${MARKS}`).slice(0, 28)],
		['the header in a form', encodeURIComponent(header(`nathan:${MARKS}`))],
		['the header in JSON of PHP', header(`nathan:${MARKS}`).replaceAll('/', '\\/')],
	])('%s of a Basic Auth connection', async (_what, said) => {
		const read = await quoted(basic({ username: 'nathan' }), MARKS, `sent Authorization: ${said}`);
		expect(read).toEqual([NOT_SHOWN]);
	});

	test.each(['', 'X'])(
		'the header with the key as username and the password "%s"',
		async (password) => {
			const parameters = basic({ username: BY_ITEM, password });
			const said = `sent ${header(`${MARKS}:${password}`)}`;
			expect(await quoted(parameters, MARKS, said)).toEqual([NOT_SHOWN]);
		},
	);

	test('by the second request of Global Connection > Create or Update', async () => {
		const [a, b] = context.data.projects.map(({ id }) => id);
		await context.record(global({ projectIds: [a] }), itemOf(MARKS));
		const path = /global-connections\/./;
		const read = await quoted(global({ projectIds: [b] }), MARKS, `bad ${MARKS}`, { path });
		expect(read).toContain(NOT_SHOWN);
	});
});

/** n8n's own error contains what its expression names, here the secret. */
const NAMING = '={{ $($json.text.split("").reverse().join("")).item.json.id }}';

/* A field with a secret is read before the others, or nobody knows that an error about them contains it. */
test.each<[field: string, parameters: () => INodeParameters]>([
	['Project of a connection', () => upsert({ projectId: byId(NAMING) })],
	['External ID', () => upsert({ externalId: NAMING })],
	['Name of a connection', () => upsert({ displayName: NAMING })],
	['Piece', () => upsert({ pieceName: byName(NAMING) })],
	['Username', () => basic({ username: NAMING })],
	['Replace Any Connection', () => upsert({ options: { replaceOther: NAMING } })],
	['Metadata', () => upsert({ options: { metadata: NAMING } })],
	['Name of a global connection', () => global({ displayName: NAMING })],
	['Projects', () => global({ projectIds: NAMING })],
	['Project of a variable', () => variable({ projectId: byId(NAMING) })],
	['Name of a variable', () => variable({ variableName: NAMING })],
	['Metadata of a variable', () => variable({ metadata: NAMING })],
])('a secret is not in the error about an expression in %s', async (_field, parameters) => {
	const result = await context.run(parameters(), { items: itemOf(MARKS) });
	expect(result.error?.message).toBe("Referenced node doesn't exist");
	expect(tracesOf(result).filter((text) => text.includes(MARKS))).toEqual([]);
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

test.each(['caf\u00e9 & <cr\u00e8me>', 'say "open\\sesame"'])(
	'a header of the credential is redacted in a record, as it is: %s',
	async (value) => {
		const headers = { values: [{ name: 'X-Gateway', value }] };
		const body = { id: 'abc', displayName: `of ${value}!`, [value]: [1] };
		context.fault({ kind: { body } });
		const parameters = { ...FOLDER, simplify: false };
		const credential = { ...context.credential, headers };
		const [record] = await context.records(parameters, { credential });
		expect(record).toEqual({ id: 'abc', displayName: 'of ***!', '***': [1] });
	},
);

describe('a secret that ends in a line break', () => {
	const sent = () => changesSent(context).map(([, body]) => (body as { value: unknown }).value);

	test.each(['\n', '\r\n', '\n\n'])('loses it if it has none inside: %j', async (end) => {
		const items = itemOf(MARKS + end);
		await context.record(upsert(), items);
		await context.record(basic({ username: BY_ITEM, externalId: 'b' }), items);
		const properties = { values: [{ name: 'key', value: BY_ITEM }] };
		const custom = upsert({ connectionType: 'CUSTOM_AUTH', externalId: 'c', properties });
		await context.record(custom, items);
		await context.record(variable(), items);
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
