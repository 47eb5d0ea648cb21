import { ExpressionError, type IDataObject, type INode, type INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../service';
import { byId } from './harness/byId';
import { CONNECTIONS, FOLDER, ofRecord, RENAME, TEMPLATE, TEMPLATES } from './harness/parameters';
import { useService } from './harness/service';

const context = useService();

const USELESS = "Cannot read properties of undefined (reading 'type')";
const useless = (status: number): FaultKind => ({ status, shape: 'framework', message: USELESS });
const forbidden = (message?: string): FaultKind => coded(403, 'AUTHORIZATION', { message });
const page = (status: number): FaultKind => ({ status, shape: 'html' });
const plain = (body: string): FaultKind => ({ status: 404, body, contentType: 'text/plain' });
const says = (status: number, message: string): FaultKind => ({ status, body: { message } });
const coded = (status: number, code: string, more: object = {}): FaultKind => {
	return { status, code, ...more };
};

const BY_FIREWALL =
	/^A proxy or firewall in front of Activepieces refused the request \(HTTP 40\d\)\. .*with a web page, .*Allow the n8n server/;
const NOTHING =
	/^A proxy in front of Activepieces responded that nothing was found \(HTTP 404\)\. The proxy .*Try again.*Base URL/;
const LACKING = coded(403, 'PERMISSION_DENIED', { params: { permission: 'READ_FLOW' } });
const ROLE =
	/^The user of the API key is not allowed to do this with the .*READ_FLOW. Give the user a role that includes it, or use the key of another user\./;
const NO_ADMIN = forbidden('User is not an admin/owner of the platform.');
const OTHER = forbidden('invalid principal');
const ENDED = coded(403, 'SESSION_EXPIRED');
const NO_ID = says(400, 'params/id must match pattern');
const CONSTRUCTOR = says(400, 'querystring/constructor is not known');
const NO_ENTITY = coded(404, 'ENTITY_NOT_FOUND');
const NO_FEATURE = coded(402, 'FEATURE_DISABLED');
const TRIGGER = coded(400, 'TRIGGER_UPDATE_STATUS', { message: 'body/status no' });
const TOO_LARGE = /^The request is larger than the server accepts\. Check Folder\. .* a low limit/;
const LONG_FILTERS = /^The request is larger .* Check the filters\. A value may be too long/;
const END = /^The API key or its user is no longer active\. Check API Key/;
const PLAN = /^You have reached a limit of the Activepieces plan\. .*Check your plan/;
const NO_TEMPLATE = '^The API key is not allowed to delete the flow template "abc"\\. .*';
const ONLY_CUSTOM = new RegExp(`${NO_TEMPLATE}only custom templates`);
const SAYS_SO = new RegExp(`${NO_TEMPLATE}says: Cannot delete`);
const MISSING =
	/^Folder "abc" was not found\. Check Folder\. Activepieces IDs have 21 letters and digits; for a name, use By Name if there is one\. The folder may/;
const FORMAT = /^The response for .* does not have the expected format\. Check that .*Base URL/;
const OTHER_RECORD = { body: { id: 'other', displayName: 'Old', status: 'ENABLED', version: {} } };
const MANY = { body: { data: new Array<object>(130_000).fill({}), next: null } };
const TOO_MANY =
	/^There are more global connections than the node reads at once \(100000\)\. .*Use Limit/;
const USED = { message: 'Folder displayName is used' };
const TAKEN =
	/^Another folder in the project already has the name "Sales"\. .* not case-sensitive\. Change New Name and run/;
const PLATFORM = /The folder may belong to another platform: check Folder\. /;
const EDITED = /^Another user is editing flow "\w+"\. Run .*one minute after the last edit/;
const ENABLE = { resource: 'flow', operation: 'setStatus', flowId: byId('abc') };
const ACCEPTED = { status: 202, body: '', contentType: 'text/plain' };

type Row = [what: string, kind: FaultKind, words: RegExp];

/**
 * Responses that several rules fit, and message and description of the first rule. Other responses with the
 * same messages are in faults/.
 */
const OF_FOLDER: Row[] = [
	[
		'a useless text with 403',
		useless(403),
		/^The API key is not allowed to access the folder "abc"/,
	],
	['a useless text with 404', useless(404), MISSING],
	[
		'with 500',
		useless(500),
		/^Activepieces could not process .* \(HTTP 500\)\. .*the server.* Check/,
	],
	['a 404 of a proxy', plain('404 page not found'), NOTHING],
	['a 404 of a gateway in JSON', says(404, 'no Route matched with those values'), NOTHING],
	['HTML without HTML', { body: '{}', contentType: 'text/html' }, /^Base URL points to a web/],
	['a redirect to nowhere', page(304), /^Base URL points to a web/],
	[
		'a proxy that wants a login',
		page(407),
		/^The proxy did not accept the request .*http:\/\/user:pass/,
	],
	['a server that is down', page(521), /is unavailable \(HTTP 521\), .*Try again later/],
	['a proxy that wants a password', page(401), BY_FIREWALL],
	['a proxy that wants a payment', page(402), BY_FIREWALL],
	['a refusal of a proxy', page(400), BY_FIREWALL],
	['a page about the size', page(413), TOO_LARGE],
	['headers that are too long', useless(431), TOO_LARGE],
	['an ID in the field "id"', NO_ID, /^Folder must be an .* ID, not "abc"\. .*use By Name if/],
	['a missing permission', LACKING, ROLE],
	['an ended session', ENDED, END],
	['a quota', coded(402, 'QUOTA_EXCEEDED'), PLAN],
	['a feature', NO_FEATURE, /plan does not include this feature\. .*Enterprise/],
	['a conflict', coded(409, 'X', { message: 'busy' }), /\(HTTP 409\)\. .* says: busy\. Check/],
	['a name that nobody gave', coded(409, 'VALIDATION', USED), /^Activepieces refused the request/],
	['a failed request of its own', says(500, 'fetch failed'), /^Activepieces could not process/],
];

const ALL: Array<[INodeParameters, ...Row]> = [
	...OF_FOLDER.map((row): [INodeParameters, ...Row] => [FOLDER, ...row]),
	[FOLDER, 'another record', OTHER_RECORD, FORMAT],
	[ENABLE, 'another record', OTHER_RECORD, FORMAT],
	[TEMPLATE, 'an accepted one', ACCEPTED, FORMAT],
	[RENAME, 'a name in use', coded(409, 'VALIDATION', USED), TAKEN],
	// Which works on every release
	[
		RENAME,
		'a conflict without a code',
		useless(409),
		/^Activepieces refused the request \(HTTP 409/,
	],
	[{ ...CONNECTIONS, returnAll: true }, 'more records than n8n can store', MANY, TOO_MANY],
	[CONNECTIONS, 'the field "id"', NO_ID, /not accept the value of "id"\. .*Check .*\. Run/],
	[CONNECTIONS, 'a name of every object', CONSTRUCTOR, /not accept the value of "constructor"/],
	[CONNECTIONS, 'no admin', NO_ADMIN, /not allowed to .*says: User is not[^:]*\. Check API Key/],
	[FOLDER, 'another platform', forbidden(), PLATFORM],
	[ofRecord('folder.get', 'x'.repeat(150)), 'a long ID', NO_ENTITY, /^Folder "x{99}…" was not/],
	[CONNECTIONS, 'a list', NO_ENTITY, /^Global connections was not found\. .*Base URL/],
	[CONNECTIONS, 'a feature', NO_FEATURE, /plan does not include global conn/],
	[CONNECTIONS, 'a page about the length', page(414), LONG_FILTERS],
	[RENAME, 'a quota', coded(402, 'QUOTA_EXCEEDED'), /plan\. .*Nothing was changed\.$/],
	[TEMPLATES, 'no templates', says(500, 'fetch failed'), /has no custom templates\. .* a plan/],
	[TEMPLATE, 'a refusal', forbidden(), ONLY_CUSTOM],
	[TEMPLATE, 'and its reason', forbidden('Cannot delete'), SAYS_SO],
	[TEMPLATE, 'a permission', LACKING, ROLE],
	[TEMPLATE, 'a credential', OTHER, /is not allowed to access the flow template .*says: invalid p/],
];

test.each(ALL)('the message for %j: %s', async (parameters, _name, kind, words) => {
	context.fault({ kind });
	const error = await context.failure(parameters);
	const text = `${error.message}. ${error.description}`;
	expect(text).toMatch(words);
	expect(text).not.toContain('Cannot read propert');
	expect(error.context.itemIndex).toBe(0);
});

test.each([
	['an edit', coded(409, 'FLOW_IN_USE'), EDITED],
	['its trigger', TRIGGER, /^Activepieces could not start or stop the tr.* Check the trigger/],
])('the message for a change of a flow that is refused for %s', async (_name, kind, words) => {
	const { id } = context.live.addFlow();
	context.fault({ method: 'POST', kind });
	const updateFields = { displayName: 'New' };
	const error = await context.failure(ofRecord('flow.update', id, { updateFields }));
	expect(`${error.message}. ${error.description}`).toMatch(words);
});

test('a description that ends with a URL ends its sentence before the next one', async () => {
	context.fault({ kind: { body: { ok: true } } });
	const credential = { ...context.credential, baseUrl: context.origin };
	const UNREADABLE = 'The response for the folder does not have the expected format';
	const says = / in \/api\. Try \S+\/api\. Activepieces may have applied the change\./;
	await context.failsWith(RENAME, UNREADABLE, says, { credential });
});

const CONTINUE = ['continueErrorOutput', 'continueRegularOutput'] as const;

/** Folder IDs of the items; an item without one has an expression that cannot be evaluated. */
const FOLDERS = { ...FOLDER, folderId: byId('={{ $json.id ?? $("Nope").first().json.id }}') };

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
					if (item === 5) throw new Error('The vault is closed');
					return context.credential;
				},
				items: items(),
				onError,
				then: '={{ $("Start").item.json.row }}',
			},
		);

	const UNREADABLE = /^n8n says: The vault is closed\. Select a credential in the node\./;
	const failed = () =>
		[
			{ row: 2, error: "Referenced node doesn't exist", message: /expression in the folderId/ },
			{ id: ' ', row: 3, error: 'Folder is empty', message: /Nothing was sent/ },
			{ id: 'gone', row: 4, error: 'Folder "gone" was not found', message: /Check Folder/ },
			{ id: items()[5].id, row: 6, error: 'The credential could not be read', message: UNREADABLE },
		].map((item) => ({ ...item, message: expect.stringMatching(item.message) as string }));

	const keysOf = (all: object[]) =>
		new Set(all.map((item) => Object.keys(item).sort().join().replace(',error', '')));

	test.each([
		[CONTINUE[0], [1, 5], [2, 3, 4, 6]],
		[CONTINUE[1], [1, 2, 3, 4, 5, 6], []],
	])('is the same item, whatever failed: %s', async (onError, rows, errorRows) => {
		const { items: out, errorItems, error, values, errorValues } = await run(onError);
		expect(error).toBeUndefined();
		expect(values).toEqual(rows);
		expect(errorValues).toEqual(errorRows);
		const given = [...out, ...errorItems].filter(({ json }) => 'error' in json);
		expect(given.map(({ json }) => json)).toEqual(failed());
		const paired = [1, 2, 3, 5].map((item) => ({ item }));
		expect(given.map(({ pairedItem }) => pairedItem)).toEqual(paired);
		expect(keysOf(given)).toEqual(new Set(['json,pairedItem']));
		const others = out.filter((each) => !given.includes(each));
		expect(others.map(({ json }) => json.id)).toEqual([items()[0].id, items()[4].id]);
	});

	test('fails in the same way when Request Options cannot be used, for all items', async () => {
		for (const onError of CONTINUE) {
			const { items: out, errorItems } = await run(onError, { proxy: 'nonsense' });
			const all = onError === 'continueErrorOutput' ? errorItems : out;
			const error = 'Proxy must be a URL that begins with http:// or https://';
			const wanted = [1, 2, 3, 4, 5].map((row) => ({ row, error }));
			expect(all.slice(0, 5).map(({ json: { row, error } }) => ({ row, error }))).toEqual(wanted);
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
	])(
		'keeps its own fields, on the regular output below `input` if they have our names: %j',
		async (own) => {
			const ours = { error: 'Folder "gone" was not found', message: expect.any(String) as string };
			for (const onError of CONTINUE) {
				for (const isRouted of [false, true]) {
					const given = { items: [{ id: 'gone', ...own }], onError, isRouted };
					const { items: out, errorItems } = await context.run(FOLDERS, given);
					const [item, ...others] = [...out, ...errorItems];
					expect(others).toEqual([]);
					expect(item).toMatchObject({ pairedItem: { item: 0 } });
					expect(item.error).toBeUndefined();
					const isReplaced = 'error' in own || 'message' in own;
					const isRegular = onError === 'continueRegularOutput';
					const kept = isReplaced && isRegular ? { input: own } : own;
					expect(item.json).toEqual({ id: 'gone', ...kept, ...ours });
				}
			}
		},
	);
});

test.each([false, true])('an error of n8n receives its item (router: %s)', async (isRouted) => {
	const [{ id }] = context.data.folders;
	const credential = (item: number) => {
		if (item === 1) throw new ExpressionError('The vault is closed', { description: 'Open it' });
		return context.credential;
	};
	const given = { credential, items: [{}, {}], isRouted };
	// n8n's router counts no items.
	const completed = isRouted ? [] : /^Open it\. 1 of 2 items were completed\.$/;
	const rename = { ...RENAME, folderId: byId(id) };
	const error = await context.failsWith(rename, 'The vault is closed', completed, given);
	expect(error.context.itemIndex).toBe(1);
});

describe.each([false, true])('a pair that does not exist, by n8n’s router: %s', (isRouted) => {
	test.each<[unknown, unknown, string]>([
		['', 'getAll', 'The resource "" does not exist'],
		['constructor', 'name', 'The resource "constructor" does not exist'],
		['__proto__', 'toString', 'The resource "__proto__" does not exist'],
		[5, 'getAll', 'The resource 5 does not exist'],
		['x'.repeat(5_000), 'getAll', 'The resource a string of 5000 characters does not exist'],
		['={{ "folder" }}', 'get', 'The resource "{{ "folder" }}" does not exist'],
		['flow', 'getall', 'The resource "flow" has no operation "getall"'],
		['flow', '={{ "get" }}', 'The resource "flow" has no operation "{{ "get" }}"'],
	])('one is named (%#)', async (resource, operation, message) => {
		const parameters = { resource, operation } as INodeParameters;
		const error = await context.failsWith(parameters, message, 'Nothing was sent', { isRouted });
		expect(error.context.itemIndex).toBe(0);
		expect(context.requests).toEqual([]);
	});

	test.each([
		{ resource: 'flow', operation: '__CUSTOM_API_CALL__' },
		{ resource: '__CUSTOM_API_CALL__', operation: 'getAll' },
		{ resource: '__CUSTOM_API_CALL__' },
	])('Custom API Call, which n8n adds to the lists, points to HTTP Request: %j', async (pair) => {
		const message = 'This node does not send custom API calls';
		const error = await context.failsWith(pair, message, 'Use an HTTP Request node', { isRouted });
		expect(error.description).toMatch(/Predefined Credential Type.*Base URL.*Nothing was sent/);
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

test('a model is not told what only a person can do in the editor', async () => {
	context.fault({ path: /folders/, kind: { status: 429 } });
	const get = FOLDER;
	const advice = async (asTool: boolean) => {
		const { message, description } = await context.failure(get, { asTool });
		return `${message}. ${description}`;
	};
	expect(await advice(false)).toContain('Request Options in the Settings tab');
	expect(await advice(true)).not.toMatch(/Settings tab|the node less often/);
	expect(await advice(true)).toContain('Call the tool less often.');
});
