import { ExpressionError, type IDataObject, type INode, type INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/Activepieces/resources';
import type { FaultKind } from '../service';
import { ALL_FLOWS, CONNECTIONS, FOLDER, GET, RENAME, TEMPLATE } from './harness/parameters';
import { byId, useService } from './harness/service';

const context = useService();

const USELESS = "Cannot read properties of undefined (reading 'type')";
const useless = (status: number): FaultKind => ({ status, shape: 'framework', message: USELESS });
const forbidden = (message?: string): FaultKind => {
	return { status: 403, code: 'AUTHORIZATION', message };
};
const page = (status: number): FaultKind => ({ status, shape: 'html' });
const plain = (body: string): FaultKind => ({ status: 404, body, contentType: 'text/plain' });
const json = (message: string): FaultKind => ({ status: 404, body: { message } });
const coded = (status: number, code: string, more: object = {}): FaultKind => {
	return { status, code, ...more };
};

const REFUSED = 'A proxy or firewall in front of Activepieces refused the request';
const NOTHING = 'A proxy in front of Activepieces responded that nothing was found (HTTP 404)';
const WEB_PAGE = 'Base URL points to a web page, not to the Activepieces API';
const NO_TEMPLATE = 'The API key is not allowed to delete the flow template "abc"';
const NO_FOLDER = 'The API key is not allowed to access the folder "abc"';
const NO_LIST = 'The server has no global connections endpoint for this request (HTTP 404)';
const NO_CONNECTIONS = 'The API key is not allowed to access the global connections';
const NO_PERMISSION = 'The user of the API key is not allowed to do this with the folder';
const TOO_LARGE = 'The request is larger than the server accepts';
const LACKING = coded(403, 'PERMISSION_DENIED', { params: { permission: 'READ_FLOW' } });
const ROLE = /READ_FLOW. Give the user a role that includes it, or use the key of another user\.$/;
const BUSY = coded(409, 'CONFLICT', { message: 'busy' });
const NO_ADMIN = forbidden('User is not an admin/owner of the platform.');

type Case = [
	string,
	FaultKind,
	message: string,
	description?: RegExp,
	parameters?: INodeParameters,
];

// Other responses with the same messages are in faults/.
const CASES: Case[] = [
	['a useless text with 401', useless(401), 'Activepieces did not accept the API key'],
	['with 403', useless(403), NO_FOLDER],
	['with 404', useless(404), 'Folder "abc" was not found', /^Check Folder/],
	['with 500', useless(500), 'Activepieces could not process the request (HTTP 500)', /the server/],
	['a missing permission', LACKING, NO_PERMISSION, ROLE],
	['a 404 of a proxy', plain('404 page not found'), NOTHING, /^The proxy .*Try again.*Base URL/],
	['a 404 of a gateway in JSON', json('no Route matched with those values'), NOTHING],
	[
		'an ended session',
		coded(403, 'SESSION_EXPIRED'),
		'The API key or its user is no longer active',
	],
	['a refused template', forbidden(), NO_TEMPLATE, /only custom templates/, TEMPLATE],
	['and the reason', forbidden('Cannot delete'), NO_TEMPLATE, /says: Cannot delete/, TEMPLATE],
	['quota', coded(402, 'QUOTA_EXCEEDED'), 'You have reached a limit of the Activepieces plan'],
	['a web page by its type alone', { body: '{"id":"abc"}', contentType: 'text/html' }, WEB_PAGE],
	['a firewall', page(403), `${REFUSED} (HTTP 403)`, /proxy or firewall/],
	['a proxy that wants a password', page(401), `${REFUSED} (HTTP 401)`],
	['a proxy that wants a payment', page(402), `${REFUSED} (HTTP 402)`],
	['a user who is no admin', NO_ADMIN, NO_CONNECTIONS, /says: User is not an/, CONNECTIONS],
	['a list that is not known', coded(404, 'ENTITY_NOT_FOUND'), NO_LIST, /\w/, CONNECTIONS],
	['a conflict', BUSY, 'Activepieces refused the request (HTTP 409)', /Activepieces says: busy/],
	['a request that is too long', page(414), TOO_LARGE],
	['headers that are too long', { status: 431, shape: 'framework' }, TOO_LARGE],
	[
		'a control character refused by a proxy',
		page(400),
		'A proxy in front of Activepieces refused the request for folder "abc"',
	],
];

test.each(CASES)('%s', async (_name, kind, message, description = /\w/, parameters = FOLDER) => {
	context.fault({ kind });
	const error = await context.failure(parameters);
	expect(error.message).toBe(message);
	expect(error.description).toMatch(description);
	expect(`${error.message} ${error.description}`).not.toContain('Cannot read propert');
	expect(error.context.itemIndex).toBe(0);
});

test('a description that ends with a URL ends its sentence before the next one', async () => {
	context.fault({ kind: { body: { ok: true } } });
	const credential = { ...context.credential, baseUrl: context.origin };
	expect((await context.failure(RENAME, { credential })).description).toMatch(
		/ in \/api\. Try \S+\/api\. Activepieces may have applied the change\./,
	);
});

const CONTINUE = ['continueErrorOutput', 'continueRegularOutput'] as const;

/** Folder IDs of the items; an item without one has an expression that cannot be evaluated. */
const FOLDERS: INodeParameters = {
	...FOLDER,
	folderId: byId('={{ $json.id ?? $("Nope").first().json.id }}'),
};

describe('an item that fails while the workflow continues', () => {
	/** An item for each kind of failure, between two that succeed. */
	const items = (): IDataObject[] => {
		const [first, second] = context.data.folders;
		return [
			{ id: first.id, row: 1 },
			{ row: 2 },
			{ id: ' ', row: 3 },
			{ id: 'gone', row: 4 },
			{ id: second.id, row: 5 },
			{ id: second.id, row: 6 },
		];
	};

	const run = async (onError: INode['onError'], requestOptions = {}) =>
		await context.run(
			{ ...FOLDERS, requestOptions },
			{
				credential: (item) => {
					if (item === 5) throw new Error('The credential cannot be read');
					return context.credential;
				},
				items: items(),
				onError,
				then: '={{ $("Start").item.json.row }}',
				thenOnError: '={{ $("Start").item.json.row }}',
			},
		);

	const failed = () =>
		[
			{ row: 2, error: "Referenced node doesn't exist", message: /\w/ },
			{ id: ' ', row: 3, error: 'Folder is empty', message: /Nothing was sent/ },
			{ id: 'gone', row: 4, error: 'Folder "gone" was not found', message: /Check Folder/ },
			{ id: items()[5].id, row: 6, error: 'The credential could not be read', message: /\w/ },
		].map((item) => ({ ...item, message: expect.stringMatching(item.message) as string }));

	const keysOf = (all: object[]) =>
		new Set(all.map((item) => Object.keys(item).sort().join().replace(',error', '')));

	test('is the same item on the error output, whatever failed', async () => {
		const { items: out, errorItems, error, values, errorValues } = await run(CONTINUE[0]);
		expect(error).toBeUndefined();
		expect(out.map(({ json }) => json.id)).toEqual([items()[0].id, items()[4].id]);
		expect(errorItems.map(({ json }) => json)).toEqual(failed());
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
			[1, 2, 3, 5].map((item) => ({ item })),
		);
		expect([values, errorValues]).toEqual([
			[1, 5],
			[2, 3, 4, 6],
		]);
		expect(keysOf(errorItems)).toEqual(new Set(['json,pairedItem']));
	});

	test('is the same item in its place with Continue', async () => {
		const { items: out, error, values } = await run(CONTINUE[1]);
		expect(error).toBeUndefined();
		const given = out.filter(({ json }) => 'error' in json);
		expect(given.map(({ json }) => json)).toEqual(failed());
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual(items().map((_, item) => ({ item })));
		expect(values).toEqual([1, 2, 3, 4, 5, 6]);
		expect(keysOf(given)).toEqual(new Set(['json,pairedItem']));
	});

	test('fails in the same way when Request Options cannot be used, for all items', async () => {
		for (const onError of CONTINUE) {
			const { items: out, errorItems } = await run(onError, { proxy: 'nonsense' });
			const all = onError === 'continueErrorOutput' ? errorItems : out;
			const error = 'Proxy must be a URL that begins with http:// or https://';
			expect(all.slice(0, 5).map(({ json }) => [json.row, json.error])).toEqual(
				[1, 2, 3, 4, 5].map((row) => [row, error]),
			);
		}
		expect(context.requests).toEqual([]);
	});

	test.each<IDataObject>([
		{ row: 1 },
		{ input: 7 },
		{ error: 'E-17' },
		{ error: { code: 17 }, message: '' },
		{ error: null },
		{ message: 'Hello', input: 'mine' },
	])('keeps its own fields, below `input` if they have our names: %j', async (own) => {
		const ours = { error: 'Folder "gone" was not found', message: expect.any(String) as string };
		for (const onError of CONTINUE) {
			for (const isRouted of [false, true]) {
				const given = { items: [{ id: 'gone', ...own }], onError, isRouted };
				const { items: out, errorItems } = await context.run(GET, given);
				const [item, ...others] = [...out, ...errorItems];
				expect(others).toEqual([]);
				expect(item).toMatchObject({ pairedItem: { item: 0 } });
				expect(item.error).toBeUndefined();
				const kept = 'error' in own || 'message' in own ? { input: own } : own;
				expect(item.json).toEqual({ id: 'gone', ...ours, ...kept });
			}
		}
	});
});

test.each<[string, INodeParameters, IDataObject]>([
	['an expression', FOLDERS, {}],
	['one in an option', { ...ALL_FLOWS, filters: { name: '={{ $("Nope").first() }}' } }, {}],
	['a field', FOLDERS, { id: ' ' }],
])('the failed item stops the run: %s', async (_n, parameters, item) => {
	const error = await context.failure(parameters, [item]);
	expect(error.context.itemIndex).toBe(0);
	expect(error.message).toMatch(/\w/);
});

test.each([false, true])(
	'an error of n8n receives its item (by the router: %s)',
	async (isRouted) => {
		const [{ id }] = context.data.folders;
		const error = await context.failure(FOLDERS, {
			credential: (item) => {
				if (item === 1) throw new ExpressionError('The vault is closed');
				return context.credential;
			},
			items: [{ id }, { id }],
			isRouted,
		});
		expect(error.message).toBe('The vault is closed');
		expect(error.context.itemIndex).toBe(1);
	},
);

describe.each([false, true])('a pair that does not exist, by n8n’s router: %s', (isRouted) => {
	const choices = (resource?: string) => {
		const { operations = resources } = resources.find(({ value }) => value === resource) ?? {};
		return operations.map(({ value }) => value).sort();
	};

	test.each<[unknown, unknown, string]>([
		['flows', 'getAll', 'The resource "flows" does not exist'],
		['', 'getAll', 'The resource "" does not exist'],
		['constructor', 'name', 'The resource "constructor" does not exist'],
		['__proto__', 'toString', 'The resource "__proto__" does not exist'],
		[5, 'getAll', 'The resource 5 does not exist'],
		['x'.repeat(5_000), 'getAll', 'The resource a string of 5000 characters does not exist'],
		['={{ "folder" }}', 'get', 'The resource "{{ "folder" }}" does not exist'],
		['flow', 'getall', 'The resource "flow" has no operation "getall"'],
		['flow', '__proto__', 'The resource "flow" has no operation "__proto__"'],
		['flow', '={{ "get" }}', 'The resource "flow" has no operation "{{ "get" }}"'],
	])('one is named, with the existing ones (%#)', async (resource, operation, message) => {
		const error = await context.failure({ resource, operation } as INodeParameters, { isRouted });
		expect(error.message).toBe(message);
		const [, told = ''] = /Choose one of ([\w, ]+)\./.exec(error.description ?? '') ?? [];
		expect(told.split(', ').sort()).toEqual(
			choices(message.includes('does not exist') ? undefined : String(resource)),
		);
		expect(error.description).toContain('Nothing was sent');
		expect(error.context.itemIndex).toBe(0);
		expect(context.requests).toEqual([]);
	});

	test.each(CONTINUE)('each item fails by itself: %s', async (onError) => {
		const given = { items: [{ row: 1 }, { row: 2 }], onError, isRouted };
		const parameters = { resource: 'flows', operation: 'getAll' };
		const { items, errorItems, error } = await context.run(parameters, given);
		expect(error).toBeUndefined();
		expect([...items, ...errorItems].map(({ json }) => [json.row, json.error])).toEqual(
			[1, 2].map((row) => [row, 'The resource "flows" does not exist']),
		);
		expect(context.requests).toEqual([]);
	});
});
