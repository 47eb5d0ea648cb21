import * as fc from 'fast-check';
import { sleep, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { WHOLE_ITEM } from '../../nodes/Activepieces/descriptions/properties';
import { FIRST_AND_LAST, type FaultKind } from '../service';
import type { NewFlow } from '../service/liveChanges';
import type { FlowRecord } from '../service/records';
import { INPUT } from '../service/routes/webhooks';
import { stepsOf, type Answer } from '../service/webhookSteps';
import { limits, waitReally } from './harness/built';
import type { RunOptions } from './harness/engine';
import { useHostileServers } from './harness/hostile';
import { ofRecord, RETRY_ON_FAIL as settings } from './harness/parameters';
import { calls, flowAdder, runFlow, WAIT } from './harness/runFlow';
import { cancelAt, endSilences, requestPaths, requestsWithin, useService } from './harness/service';
import { signInCredential } from './harness/signIn';

const SIGN_IN_PAGE = '<!doctype html><title>Sign in</title>';
const IMAGE = { 'content-type': 'image/png' };
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);
/** The value of Headers or Query Parameters. */
const values = (...pairs: Array<[name: string, value: string]>) => ({
	values: pairs.map(([name, value]) => ({ name, value })),
});
const headersOf = (...pairs: Parameters<typeof values>) => ({
	options: { headers: values(...pairs) },
});
const raw = (body: string, type = 'application/json; charset=utf-8'): Answer => {
	return { responseType: 'raw', headers: { 'content-type': type }, body };
};
const FULL: INodeParameters = { ...WAIT, options: { fullResponse: true } };
const orders = (length: number) => Array.from({ length }, (_, order) => ({ order }));

describe.each(FIRST_AND_LAST)('Flow → Run on release %s', (release) => {
	const context = useService({ release, data: { flows: 4 } });
	const add = flowAdder(context);
	const { records, failure, failsWith } = context;

	beforeEach(() => {
		context.service.webhooks.ends.clear();
		context.service.webhooks.runs.length = 0;
	});

	test('the input item is sent as JSON, and the node says that it was accepted', async () => {
		const { id } = add();
		const body = { order: 1, name: 'Äpfel' };
		const [record] = await records(runFlow(id), [body]);
		expect(record).toEqual({ accepted: true, flowId: id, requestId: expect.any(String) });
		expect(requestPaths(context)).toEqual([`GET /v1/flows/${id}`, `POST /v1/webhooks/${id}`]);
		expect(context.service.webhooks.runs).toEqual([{ flowId: id, version: 'published', body }]);
		expect(calls(context)[0].headers['content-type']).toBe('application/json');
	});

	const headers = { 'x-flow': 'orders' };
	// Like HTTP Request reads it.
	test.each<[string, Answer, body: unknown, IDataObject[]]>([
		['an object', { status: 201, headers, body: INPUT }, { order: 1 }, [{ order: 1 }]],
		['a list', { body: [1, { a: 2 }] }, [1, { a: 2 }], [{ data: 1 }, { a: 2 }]],
		['a list with nothing', { body: [null] }, [null], [{}]],
		['text', { responseType: 'raw', body: 'plain äöü' }, 'plain äöü', [{ data: 'plain äöü' }]],
		['a page', raw('<html>', 'text/html'), '<html>', [{ data: '<html>' }]],
		['nothing', { status: 204 }, '', [{ data: '' }]],
		['the JSON null', raw('null'), null, [{}]],
		['the JSON false', raw('false'), false, [{ data: false }]],
		['a text in JSON', raw('"a"'), 'a', [{ data: 'a' }]],
		['no JSON', raw(''), {}, [{}]],
	])('the response of the flow is returned: %s', async (_name, answer, body, items) => {
		const { id } = add(answer);
		expect(await records(runFlow(id, WAIT), [{ order: 1 }])).toEqual(items);
		const full = { 'x-webhook-id': expect.any(String), ...answer.headers };
		expect(await records(runFlow(id, FULL), [{ order: 1 }])).toMatchObject([
			{ statusCode: answer.status ?? 200, headers: full, body },
		]);
	});

	test('a list is returned up to what the node accepts', async () => {
		const { id } = add({ body: [1, 2, 3] });
		limits.maxRecordsPerItem = 3;
		expect(await records(runFlow(id, WAIT))).toHaveLength(3);
		limits.maxRecordsPerItem = 2;
		const says = /^The flow did run\. Change it to return fewer items, [^.]+\.$/;
		await failsWith(runFlow(id, WAIT), /^The flow returned 3 items, more than .+ \(2\)$/, says);
	});

	const FILES = ['image/png', 'audio/mpeg', 'video/mp4', 'font/woff2', 'application/pdf'];
	test.each(FILES)('status and headers are returned with a file on request: %s', async (type) => {
		const { id } = add({ headers: { ...headers, 'content-type': type }, body: PNG });
		const { items } = await context.run(runFlow(id, FULL));
		expect(items[0].json).toMatchObject({ statusCode: 200, headers: { 'x-flow': 'orders' } });
		expect(items[0].binary?.data.mimeType).toBe(type);
	});

	test('a model reads of a file its name, type and size', async () => {
		const disposition = { 'content-disposition': 'attachment; filename="bill.png"' };
		const { id } = add({ headers: { ...IMAGE, ...disposition }, body: PNG });
		const { items } = await context.run(runFlow(id, WAIT));
		expect(items[0].json).toEqual({ name: 'bill.png', type: 'image/png', size: PNG.length });
		expect(items[0].binary?.data.fileName).toBe('bill.png');
		const unnamed = add({ headers: IMAGE, body: PNG });
		expect((await records(runFlow(unnamed.id, WAIT)))[0]).toMatchObject({ name: null });
	});

	test('JSON in a block of code is sent without the block', async () => {
		const { id } = add({ body: INPUT });
		const block = 'The input is:\n```json\n{ "order": 7 }\n```\nDone.';
		expect(await records(runFlow(id, { ...WAIT, input: block }))).toEqual([{ order: 7 }]);
	});

	test('a redirect is a response, and is not followed', async () => {
		const location = `${context.baseUrl}/v1/elsewhere`;
		const flow = add({ responseType: 'redirect', body: location });
		const [record] = await records(runFlow(flow.id, FULL));
		expect(record).toMatchObject({ statusCode: 301, headers: { location } });
		expect(requestPaths(context).filter((path) => path.includes('elsewhere'))).toEqual([]);
	});

	test.each<[number, object, string]>([
		[422, { error: 'no customer' }, '{"error":"no customer"}'],
		// Return Response with `{}`: seen at 0.79.2 and 0.85.2, after 0.2 of the 8 seconds that the server waits.
		[408, {}, 'its Return Response step'],
		[404, { none: true }, '{"none":true}'],
		[408, { code: 'BUSY', params: {} }, 'BUSY'],
		[429, { code: 'BUSY', params: {} }, 'BUSY'],
		[503, { code: 'BUSY', params: {} }, 'BUSY'],
	])('a status of %d is reported as the flow’s own: %j', async (status, body, says) => {
		const { id } = add({ status, body, headers });
		const message = `Flow "Orders" (${id}) responded with HTTP ${status}`;
		const parameters = runFlow(id, status === 422 ? FULL : WAIT);
		expect((await failsWith(parameters, message, says)).httpCode).toBe(`${status}`);
		expect(calls(context)).toHaveLength(1);
	});

	test('the draft runs on request, and the published version is checked if there is a newer one', async () => {
		const flow = context.live.addFlow({ steps: stepsOf('webhook', {}, { body: { draft: true } }) });
		const options = { version: '={{ $json.version }}' };
		const onError = 'continueRegularOutput' as const;
		const given = { items: [{ version: 'published' }, { version: 'draft' }], onError };
		const { items } = await context.run(runFlow(flow.id, { ...WAIT, options }), given);
		const error = expect.stringMatching(/has never been published$/);
		expect(items).toMatchObject([{ json: { error } }, { json: { draft: true } }]);
		expect(calls(context).map(({ path }) => path)).toEqual([`/v1/webhooks/${flow.id}/draft/sync`]);
		const { id } = add({ body: { version: 'published' } });
		context.live.editFlow(id, 'Edited');
		context.clearRequests();
		expect(await records(runFlow(id, WAIT))).toEqual([{ version: 'published' }]);
		const looks = requestPaths(context).filter((path) => path.startsWith('GET /v1/flows/'));
		expect(looks).toHaveLength(2);
	});

	test('a flow is called whose Return Response follows the failure of a step', async () => {
		const { id, version } = add({ body: {} });
		const { nextAction: onFailure } = version.trigger as { nextAction: { settings: object } };
		const actionName = 'return_response_and_wait_for_next_webhook';
		Object.assign(onFailure.settings, { pieceName: '@activepieces/piece-http', actionName });
		const nextAction = { type: 'CODE', continueOnFailureBranches: { onFailure } };
		Object.assign(version.trigger, { nextAction });
		// The stand-in runs no such step.
		context.fault({ path: /webhooks/, kind: { status: 500 } });
		await context.run(runFlow(id, WAIT));
		expect(calls(context)).toHaveLength(1);
	});

	describe('nothing is sent', () => {
		afterEach(() => expect(calls(context)).toEqual([]));

		const flow = (seed: NewFlow) => context.live.addFlow(seed).id;
		/** A flow that starts in this way and has a Return Response, which may be skipped. */
		const started = (kind: string, settings = {}) => {
			const { id, version } = add({ body: {} }, { kind });
			const { nextAction } = version.trigger as { nextAction: object };
			Object.assign(nextAction, settings);
			return id;
		};
		const NO_RESPONSE = /has no Return Response step$/;
		const DRAFT = { options: { version: 'draft' } };
		const EMPTY: NewFlow = { name: 'Empty', trigger: 'empty', enabled: true };
		const DRAFT_WAITS = /its latest version runs only with Wait for Response/;
		const TURN_OFF = 'Turn off Wait for Response';

		test.each<[string, () => string, RegExp, INodeParameters?, string?]>([
			['never published', () => flow({ name: 'New' }), /^Flow "New" \(\w+\) has never been pub/],
			['off', () => flow({ name: 'Off', published: true }), /^Flow "Off" \(\w+\) is disabled$/],
			// n8n would replace the message for the EPERM in this name.
			['like an error', () => flow({ name: 'UpdatePermissions', published: true }), /^Flow "Upd/],
			['empty', () => flow(EMPTY), /^Flow "Empty" \(\w+\) has no trigger$/],
			['unknown', () => 'A'.repeat(21), /^Flow "A+" was not found$/],
			// The service would accept it and not run it.
			['a draft, without waiting', () => flow({ steps: stepsOf('webhook') }), DRAFT_WAITS, DRAFT],
			['scheduled', () => started('schedule'), /starts on a schedule/, WAIT, TURN_OFF],
			['a subflow', () => started('subflows'), /starts as a subflow/, WAIT, TURN_OFF],
			['of an app', () => started('gmail'), /starts on an app event/, WAIT, TURN_OFF],
			['without Return Response', () => add().id, NO_RESPONSE, WAIT],
			['with a skipped one', () => started('webhook', { skip: true }), NO_RESPONSE, WAIT],
		])('for a flow: %s', async (_what, idOf, message, ...rest) => {
			const [more, says = ''] = rest;
			const id = idOf();
			await failsWith(runFlow(id, more), message, says);
			if (more === undefined) await failsWith(runFlow(id, WAIT), message);
		});

		const UNNAMED = 'Options has a header or a query parameter without a name';
		const SETS = 'The node sets the header';
		const NO_HEADER_NAME = 'The name of a header is not valid';
		const HEADER_VALUE = 'The value of the header x-a has characters that HTTP does not allow';
		const REMOVE = 'Remove it under Headers.';
		test.each<[INodeParameters, string, string | RegExp]>([
			[{ input: '' }, 'Input is empty', 'Enter JSON, for example {}.'],
			[{ input: '={{ $json.missing }}' }, 'Input is empty', 'Enter JSON, for example {}.'],
			[{ input: '{ "a": 1, }' }, 'Input must be JSON, not "{ "a": 1, }"', /position 10\b/],
			[headersOf(['Content-Type', 'a/b']), `${SETS} Content-Type itself`, REMOVE],
			[headersOf(['Transfer-Encoding', 'x']), `${SETS} Transfer-Encoding itself`, REMOVE],
			[headersOf(['={{ $json.none }}', 'x']), UNNAMED, 'Enter the name, or remove the row.'],
			[headersOf(['a b', 'x']), NO_HEADER_NAME, /^(?!.*a b)/],
			// A header that was pasted whole
			[headersOf(['X-Key: hunter2', '']), NO_HEADER_NAME, /^(?!.*hunter2)/],
			[headersOf(['x-a', 'x\ny']), HEADER_VALUE, 'Change it under Headers.'],
		])('with %j', async (more, message, description) => {
			await failsWith(runFlow(add().id, more), message, description);
		});
	});

	const BASIC = `Basic ${Buffer.from('hook:päss').toString('base64')}`;
	test.each([
		['basic', { username: 'hook', password: 'päss' }, 'Authorization', BASIC],
		['header', { headerName: 'X-Hook-Key', headerValue: 'value' }, 'X-Hook-Key', 'value'],
	])('only with the header that %s requires a flow is called', async (...row) => {
		const [authType, authFields, header, value] = row;
		const { id } = add({ body: { ok: 1 } }, { input: { authType, authFields } as never });
		await failsWith(runFlow(id, WAIT), new RegExp(`requires the header ${header}$`));
		const wrong = await failure(runFlow(id, headersOf([header, 'wrong'])));
		expect(wrong.description?.includes('Basic')).toBe(authType === 'basic');
		expect(wrong.message).toContain(`does not accept the value of the header ${header}`);
		expect(calls(context)).toEqual([]);
		const right = headersOf([header.toLowerCase(), value]);
		expect(await records(runFlow(id, { ...WAIT, ...right }))).toEqual([{ ok: 1 }]);
	});

	const HMAC = { hmacHeaderName: 'X-Signature', hmacSecret: 'whsec_12ä' };
	test.each<IDataObject>([
		{},
		{ hmacAlgorithm: 'sha1', hmacEncoding: 'base64' },
		{ hmacAlgorithm: 'sha512', hmacEncoding: 'hex', hmacSignaturePrefix: 'sha512=' },
	])('a call is signed as the webhook checks it: %j', async (settings) => {
		const input = { authType: 'hmac', authFields: { ...HMAC, ...settings } };
		const { id } = add({ body: INPUT }, { input });
		const typed = '{ "name": "Äpfel", "n": 1.0, "id": 12345678901234567890 }';
		for (const given of [typed, '={{ $json }}']) {
			const [record] = await records(runFlow(id, { ...WAIT, input: given }), [{ name: 'Äpfel' }]);
			expect(record).toMatchObject({ name: 'Äpfel' });
			await records(runFlow(id, { input: given }), [{ name: 'Äpfel' }]);
		}
		expect(context.service.webhooks.runs).toHaveLength(4);
		expect(JSON.stringify(calls(context))).not.toContain('whsec');
		// A signature of the person's own is checked.
		const wrong = runFlow(id, headersOf(['X-Signature', 'none']));
		const { message } = await failure(wrong);
		expect(message).toMatch(/does not accept the value of the header X-Signature$/);
	});

	test.each<IDataObject>([
		{ hmacSecret: '********' },
		{ hmacSecret: '**REDACTED**' },
		{ hmacSecret: "{{connections['hook']}}" },
		{ hmacSecret: '' },
		{ hmacAlgorithm: 'md5' },
		{ hmacEncoding: 'latin1' },
	])('without what a signature needs, nothing is sent: %j', async (settings) => {
		const authFields = { ...HMAC, ...settings };
		const { id } = add({ body: INPUT }, { input: { authType: 'hmac', authFields } });
		const { message, description } = await failure(runFlow(id));
		expect(message).toMatch(/requires the header X-Signature$/);
		expect(description).toContain('HMAC signature of the input');
		expect(`${message} ${description}`).not.toMatch(/whsec|\*\*/);
		expect(calls(context)).toEqual([]);
	});

	test.each<[string, IDataObject]>([
		['header', { headerName: 'X-Key', headerValue: '{{a}}' }],
		['header', { headerName: 'X-Key', headerValue: '*******' }],
		['basic', { username: 'hook', password: '{{a}}' }],
		['none', { headerName: 'X-Key', headerValue: 'left over' }],
	])('any header is sent if the flow does not say which: %s %j', async (authType, authFields) => {
		const { id } = add({ body: { ok: 1 } }, { input: { authType, authFields } });
		const any = headersOf(['X-Key', 'any'], ['Authorization', 'any']);
		expect(await records(runFlow(id, { ...WAIT, ...any }))).toEqual([{ ok: 1 }]);
	});

	test('of a header in two spellings the last is checked and sent', async () => {
		const authFields = { headerName: 'X-Key', headerValue: 'right' };
		const { id } = add({ body: INPUT }, { input: { authType: 'header', authFields } as never });
		const twice = (first: string, second: string) =>
			runFlow(id, { ...WAIT, ...headersOf(['X-Key', first], ['x-key', second]) });
		await failsWith(twice('right', 'wrong'), /does not accept the value of the header X-Key$/);
		expect(calls(context)).toEqual([]);
		expect(await records(twice('wrong', 'right'), [{ order: 1 }])).toEqual([{ order: 1 }]);
		expect(calls(context)[0].headers['x-key']).toBe('right');
	});

	test.each([
		['schedule', ['Flow "Orders" (ID) starts on a schedule, so it runs without the input']],
		['manual-trigger', ['Flow "Orders" (ID) starts manually, so it runs without the input']],
		['webhook', []],
		['subflows', []],
		['gmail', []],
	])('a note about the input appears once: %s', async (kind, hints) => {
		const { id } = add(undefined, { kind });
		const result = await context.run(runFlow(id), [{ order: 1 }, { order: 2 }]);
		expect(result.error).toBeUndefined();
		expect(result.hints.map((hint) => hint.replace(id, 'ID'))).toEqual(hints);
	});
});

const context = useService({ data: { flows: 4 } });
const add = flowAdder(context);
const { failure, failsWith, records } = context;

test.each([
	[3, 3, [/without the input$/, /without the input$/, /without the input$/]],
	[11, 11, [/starts on a schedule.*10 more input items\.$/]],
	[4, 30, [/starts on a schedule.*29 more input items\.$/]],
])('notes about more than three flows are one: %d, with %d items', async (count, items, notes) => {
	const made = Array.from({ length: count }, () => add(undefined, { kind: 'schedule' }));
	const given = Array.from({ length: items }, (_, index) => ({ id: made[index % count].id }));
	const { hints } = await context.run(runFlow('={{ $json.id }}'), given);
	expect(hints).toEqual(notes.map((note) => expect.stringMatching(note) as string));
});

describe('calls for many items', () => {
	test('a flow is read once for all items, ten of which are called at once', async () => {
		const { service } = context;
		const { id } = add();
		const items = orders(30);
		service.fault({ path: /webhooks/, times: 10, kind: { untilInFlight: 10 } });
		expect(await records(runFlow(id), items)).toHaveLength(30);
		expect(requestPaths(context).filter((path) => path.startsWith('GET'))).toHaveLength(1);
		expect(service.webhooks.runs.map(({ body }) => body)).toEqual(expect.arrayContaining(items));
		expect(service.inFlight.peak).toBe(10);
	});

	test.each([
		[{ status: 429, headers: { 'retry-after': '90' } }, 20],
		[{ status: 404, body: 'no backend' }, 20],
		[{ status: 404, code: 'ENTITY_NOT_FOUND' }, 0],
	])('a read that fails with %j leaves %i of 30 items', async (kind, done) => {
		const { id } = add();
		context.fault({ path: `/v1/flows/${id}`, times: 1, kind });
		const given = { items: orders(30), onError: 'continueRegularOutput' as const };
		const { items } = await context.run(runFlow(id), given);
		expect(items.filter(({ json }) => json.error === undefined)).toHaveLength(done);
	});
});

// 0.86 responds with another status than earlier releases.
describe.each(['0.79', '0.85', '0.86'] as const)('a flow that does not respond: %s', (release) => {
	const context = useService({ release, data: { flows: 1 } });
	const add = flowAdder(context);
	const { failure, failsWith } = context;

	// The node asks the server once.
	beforeAll(() => {
		context.service.webhooks.timeoutSeconds = 0.05;
	});

	const addSlow = () => {
		const { id } = add({ body: {} });
		context.service.webhooks.ends.set(id, 'isSlow');
		return id;
	};

	test('no answer in time: how long, and that the run may go on', async () => {
		await failsWith(
			runFlow(addSlow(), WAIT),
			/^Flow "Orders" \(\w+\) returned no response within \d+ second/,
			/^The status of its run is (QUEUED|RUNNING)\. Open the run in Activepieces: http\S+\/runs\/\w+\. For long/,
		);
		expect(calls(context)).toHaveLength(1);
	});

	test('the node waits half a minute longer than the server, whatever Timeout is', async () => {
		const timeOut = jest.spyOn(AbortSignal, 'timeout');
		const more = { ...WAIT, options: { timeoutSeconds: '={{ "0" }}' } };
		await failure({ ...runFlow(addSlow(), more), requestOptions: { timeout: 20_000 } });
		expect(timeOut.mock.calls).toContainEqual([30_050]);
		timeOut.mockRestore();
	});

	test('a run is named only if it is certainly that of the call', async () => {
		const id = addSlow();
		const errors = await Promise.all([1, 2].map(async () => await failure(runFlow(id, WAIT))));
		const texts = errors.map(({ description }) => description ?? '');
		// Up to 0.79 a run that goes on does not contain its call.
		if (release === '0.79') for (const text of texts) expect(text).toContain('Flow Run > Get Many');
		else expect(new Set(texts.map((text) => /\/runs\/\w+/.exec(text)?.[0])).size).toBe(2);
		for (const kind of [{ status: 403 }, { body: { data: [{ flowId: 'other' }] } }]) {
			context.fault({ path: '/v1/flow-runs', times: 1, kind });
			const late = /^Flow "Orders" \(\w+\) returned no response within 1 second$/;
			await failsWith(runFlow(addSlow(), WAIT), late, 'Flow Run > Get Many');
		}
	});

	test('the run of a draft is in no list, so one at the same time is not taken for it', async () => {
		const id = addSlow();
		const draft = { ...WAIT, options: { version: 'draft' } };
		const [published, tested] = await Promise.all(
			[WAIT, draft].map(async (how) => await failure(runFlow(id, how))),
		);
		expect(published.description).toContain('The status of its run is');
		expect(tested.description).toContain('Flow Run > Get Many');
	});

	test('no answer in time is none, although the clock is set back meanwhile', async () => {
		let now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => (now -= 60_000));
		const failing = failsWith(runFlow(addSlow(), WAIT), /returned no response within/);
		await failing.finally(() => clock.mockRestore());
	});

	const FAILED_AT =
		'The flow "Orders" failed at "Check the order": Error: Boom: the order has no customer';
	test('a run that failed is the headline, with the step and its error, and a retry is a new call', async () => {
		const { id } = add({ body: {} });
		context.service.webhooks.ends.set(id, 'fails');
		const where = /^Open the run in Activepieces: http\S+\/runs\/\w+\.$/;
		await failsWith(runFlow(id, WAIT), FAILED_AT, where);
		await failsWith(runFlow(id, WAIT), FAILED_AT, where, { settings });
		expect(calls(context)).toHaveLength(1 + settings.maxTries);
	});

	const step = { name: 's', displayName: '', message: 'No.\n    at emit' };
	/** The error of a failed subflow, in every release: flows/flow-run/flow-runs-queue.ts and the piece at 0.73 to 0.86. */
	const child = JSON.stringify({ message: 'Subflow execution failed', link: 'https://a' }, null, 2);
	test.each([
		['FAILED', step, 'failed at "s": No'],
		['FAILED', { name: 's' }, 'failed at "s"'],
		['FAILED', { ...step, message: child }, 'failed at "s": Subflow execution failed'],
		['TIMEOUT', null, 'failed: the status of its run is TIMEOUT'],
	])('a run with the status %s is the headline: %j', async (status, failedStep, says) => {
		const { id } = add({ body: {} });
		context.service.webhooks.ends.set(id, 'fails');
		const run = { id: 'r', flowId: id, status, failedStep };
		context.fault({ path: '/v1/flow-runs', kind: { body: { data: [run] } } });
		context.fault({ path: '/v1/flow-runs/r', kind: { body: run } });
		await failsWith(runFlow(id, WAIT), `The flow "Orders" ${says}`, /^Open the run/);
	});
});

describe.each(['apiKey', 'signIn'] as const)('with a credential of the kind %s', (kind) => {
	const context = useService({ data: { flows: 4 } });
	const add = flowAdder(context);

	const elsewhere = { redirect: 'http://n8n.invalid/api/v1/webhooks/elsewhere', status: 307 };
	test.each<[string, INodeParameters, FaultKind | undefined, count: number, RegExp?]>([
		['a call', {}, undefined, 1],
		['a call that waits', WAIT, undefined, 1],
		['a repeated call', {}, { status: 429 }, 3],
		['a call that a proxy redirects, which is not followed', {}, elsewhere, 1, /redirects to/],
	])('nothing of it is in %s', async (_what, more, fault, count, ...says) => {
		if (fault !== undefined) context.fault({ path: /webhooks/, times: 2, kind: fault });
		const credential = kind === 'apiKey' ? context.credential : signInCredential(context);
		// All session tokens begin like this.
		const secrets = 'password' in credential ? [credential.password, 'eyJ'] : [credential.apiKey];
		const parameters = runFlow(add({ body: INPUT }).id, { ...more, authentication: kind });
		const { error } = await context.run(parameters, { credential, items: [{ order: 1 }] });
		expect(error?.message ?? '').toMatch(says[0] ?? /^$/);
		// The request for the flow contains it, so these are the right secrets.
		const isIn = ({ url, headers, body }: (typeof context.requests)[number]) =>
			secrets.some((secret) => JSON.stringify([url, headers, body]).includes(String(secret)));
		expect(context.requests.some(isIn)).toBe(true);
		const called = calls(context);
		expect(called.filter(isIn)).toEqual([]);
		const names = called.flatMap(({ headers }) => Object.keys(headers));
		expect(names.join()).not.toMatch(/authorization|cookie/);
		expect(called).toHaveLength(count);
	});
});

describe('a call is not repeated', () => {
	const CLOSED = / closed the connection before the response was complete$/;
	const UNAVAILABLE = 'Activepieces is unavailable (HTTP 503)';
	test.each<[FaultKind, string | RegExp | undefined]>([
		[{ reset: 'beforeHeaders' }, CLOSED],
		[{ status: 503, shape: 'html' }, UNAVAILABLE],
		[{ status: 408 }, 'Activepieces refused the request (HTTP 408)'],
		// A proxy that removes the ID of the call makes its own responses look like the flow's.
		[{ status: 301 }, undefined],
		[{ status: 425 }, 'Activepieces refused the request (HTTP 425)'],
		[{ status: 429 }, 'Activepieces is receiving too many requests'],
		[{ status: 503 }, UNAVAILABLE],
	])('after %j', async (kind, message) => {
		const parameters = runFlow(add({ body: {} }).id, WAIT);
		context.fault({ path: /webhooks/, kind, done: true });
		const unconfirmed = /^Could not confirm whether flow "Orders" \(\w+\) ran$/;
		await failsWith(parameters, unconfirmed, [], { settings });
		expect(calls(context)).toHaveLength(1);
		if (message === undefined) return;
		await failsWith(parameters, message, 'Check in Activepieces');
		expect(calls(context)).toHaveLength(2);
	});

	test('a second try returns the same file as the first', async () => {
		const flow = add({ headers: IMAGE, body: PNG });
		const failing = add({ status: 500, body: {} });
		const given = { items: [{ id: flow.id }, { id: failing.id }], settings };
		const onError = 'continueRegularOutput';
		const { items } = await context.run(runFlow('={{ $json.id }}', WAIT), { ...given, onError });
		expect(items[0].binary?.data.mimeType).toBe('image/png');
	});

	test('a server that does not say how long it waits is awaited anyway', async () => {
		context.fault({ path: '/v1/flags', kind: { status: 500 } });
		expect(await records(runFlow(add({ body: { ok: 1 } }).id, WAIT))).toEqual([{ ok: 1 }]);
	});
});

describe('a response that may or may not be the flow’s', () => {
	test.each([404, 410])('is a %d with an empty object: no repetition', async (status) => {
		// A header may be that of a proxy.
		const flow = add({ status, body: {}, headers: { 'x-cache': 'MISS' } });
		const message = `Flow "Orders" (${flow.id}) responded with HTTP ${status} and no content, or did not run`;
		await failsWith(runFlow(flow.id, WAIT), message, /may or may not have run\..*Get Many\.$/);
		context.clearRequests();
		const unconfirmed = /^Could not confirm whether flow "Orders"/;
		await failsWith(runFlow(flow.id, WAIT), unconfirmed, [], { settings });
		expect(calls(context)).toHaveLength(1);
	});

	test('is not a response to a call without waiting: the flow did not run then', async () => {
		const flow = add();
		context.fault({ path: `/v1/flows/${flow.id}`, kind: { body: structuredClone(flow) } });
		flow.status = 'DISABLED';
		const message = `Flow "Orders" (${flow.id}) did not run`;
		await failsWith(runFlow(flow.id), message, /^((?!Activepieces accepted)[^])*$/);
	});
});

test('a server that ignores the requested version is reported: its draft is neither run nor returned as the published version', async () => {
	const { id } = add({ body: {} });
	const draft = structuredClone(context.live.editFlow(id, 'Edited'));
	context.fault({ path: `/v1/flows/${id}`, kind: { body: draft } });
	const get = ofRecord('flow.get', id, { version: 'published' });
	for (const parameters of [runFlow(id), runFlow(id, WAIT), get]) {
		const message = `The server did not return the published version of flow "Edited" (${id})`;
		await failsWith(parameters, message);
	}
	expect(calls(context)).toEqual([]);
});

describe('something in front of a webhook', () => {
	test.each([
		['a 401 of a gateway', 401, { message: 'No token' }],
		['a 403 of a gateway', 403, { message: 'Forbidden' }],
		['a 401 like one of Activepieces', 401, { code: 'AUTHENTICATION', params: {} }],
		['the page of a firewall', 403, SIGN_IN_PAGE],
		['the 404 of a proxy', 404, SIGN_IN_PAGE],
		['the 404 of a gateway', 404, { message: 'no Route matched' }],
		['a page with status 200', 200, SIGN_IN_PAGE],
		['JSON with status 200', 200, { ok: true }],
	])('is reported: %s', async (_name, status, body) => {
		const { id } = add({ body: {} });
		const isPage = body === SIGN_IN_PAGE;
		const type = isPage ? { contentType: 'text/html' } : {};
		context.fault({ path: /webhooks/, kind: { status, body, ...type } });
		for (const more of [{}, WAIT]) {
			const { message, description } = await failure(runFlow(id, more));
			const instead = 'A proxy or firewall in front of Activepieces responded instead of the flow';
			expect(message).toBe(`${instead} (HTTP ${status})`);
			expect(description).toContain(`POST ${context.baseUrl}/v1/webhooks/`);
			expect(description).not.toMatch(/key|session|should probably end in/i);
			// A firewall may also refuse the response to a call that it has passed on.
			const isInDoubt = status === 403 || (status === 200 && !isPage);
			expect(description?.includes('Check in Activepieces before')).toBe(isInDoubt);
		}
	});

	const BUSY = ['Activepieces is receiving too many requests', 'asks you to wait 120 seconds'];
	const LARGE = ['The request is larger than the server accepts', 'Check the fields of the node.'];
	const REFUSALS = [413, 414, 429, 431];
	test.each(REFUSALS)('is reported when it refuses the input, or the call: %d', async (status) => {
		const [message, says] = status === 429 ? BUSY : LARGE;
		const { id } = add({ body: {} });
		const headers = { 'retry-after': '120' };
		context.fault({ path: /webhooks/, kind: { status, shape: 'html', headers } });
		for (const more of [{}, WAIT]) await failsWith(runFlow(id, more), message, says);
	});

	test('is reported when it redirects', async () => {
		context.fault({ path: /webhooks/, kind: { redirect: 'https://sso.example/login' } });
		await failsWith(
			runFlow(add().id),
			'The server redirects to https://sso.example/login',
			`The node does not send the input to another URL. If that URL is on your Activepieces server, set Base URL in the credential to its API URL instead of ${context.baseUrl}.`,
		);
	});
});

test('the response of a flow shows no key, even in a header that appears several times', async () => {
	const { apiKey } = context.service;
	const headers = { 'set-cookie': [`a=${apiKey}`, 'b=2'], 'x-flow': apiKey };
	const [record] = await records(runFlow(add({ headers, body: { apiKey } }).id, FULL));
	expect(record).toMatchObject({
		headers: { 'set-cookie': ['a=***', 'b=2'], 'x-flow': '***' },
		body: { apiKey: '***' },
	});
	expect(JSON.stringify(record)).not.toContain(apiKey);
});

test('a response that is too large is reported with what the flow can return instead', async () => {
	context.fault({ path: /webhooks/, kind: { body: { text: 'a'.repeat(20_000) } } });
	limits.maxResponseBytes = 10_000;
	const says = /let the flow return less/;
	await failsWith(runFlow(add({ body: {} }).id, WAIT), /is larger than/, says);
});

describe('a Timeout', () => {
	endSilences(context);

	test.each([
		['is named by its field if a call takes long', {}, 'Raise the option Timeout (Seconds).'],
		['ends the wait for a flow', WAIT, 'The flow may still be running. Raise the option Timeout'],
	])('%s', async (_what, more, says) => {
		context.fault({ path: /webhooks/, kind: { delay: 60_000 } });
		const parameters = runFlow(add({ body: {} }).id, { ...more, options: { timeoutSeconds: 1 } });
		await failsWith(parameters, /did not respond in time$/, says);
		expect(calls(context)).toHaveLength(1);
	});
});

test('one item per batch calls in the order of the input, also without an interval', async () => {
	const { id } = add({ body: {} });
	// The first response comes last, unless the others wait for it.
	context.fault({ path: /webhooks/, times: 1, kind: { delay: 50 } });
	const requestOptions = { batching: { batch: { batchSize: 1, batchInterval: 0 } } };
	context.inFlight.peak = 0;
	await records(runFlow(id, { requestOptions }), orders(5));
	expect(context.inFlight.peak).toBe(1);
	expect(calls(context).map(({ body }) => body)).toEqual(orders(5));
});

describe('calls that wait', () => {
	test('end when the workflow is canceled, and no other is sent', async () => {
		const { id } = add({ body: {} });
		context.fault({ path: /sync$/, kind: { delay: 60_000 } });
		const started = cancelAt(context, 3, /\/v1\/webhooks\//);
		const cancelled = await context.run(runFlow(id, WAIT), { items: orders(9), started });
		expect(cancelled.items).toEqual([]);
		expect(cancelled.error?.message).toBe('The execution was cancelled');
		while (context.inFlight.now > 0) await sleep(1);
		expect(await requestsWithin(context, 50)).toBe(0);
		expect(calls(context)).toHaveLength(3);
	});

	const batches = (batchSize: number) => ({ batching: { batch: { batchSize, batchInterval: 1 } } });
	test.each([
		[3, {}],
		[5, batches(5)],
		[1, batches(1)],
	])('are three at once, or as many as Batching says: %i', async (count, requestOptions) => {
		waitReally();
		const { id } = add({ body: INPUT });
		context.fault({ path: /sync$/, kind: { untilInFlight: count } });
		const items = orders(4 * count);
		context.inFlight.peak = 0;
		expect(await records(runFlow(id, { ...WAIT, requestOptions }), items)).toEqual(items);
		expect(context.inFlight.peak).toBe(count);
	});
});

/** The bytes on the socket, which a parser would change. */
describe('what Flow → Run sends', () => {
	const hostile = useHostileServers();
	let flow: FlowRecord;

	beforeEach(async () => {
		flow = add();
		await hostile.start((response, { method }) => {
			response.setHeader('content-type', 'application/json').setHeader('x-webhook-id', 'call');
			response.end(method === 'GET' ? JSON.stringify(flow) : '{}');
		});
	});

	const sent = async (more: INodeParameters, given: Partial<RunOptions> = {}) => {
		const { error } = await hostile.run(runFlow(flow.id, more), given);
		expect(error).toBeUndefined();
		return hostile.server.requests.at(-1)!;
	};

	const TYPED = [
		// More digits than JavaScript has, and numbers as they are written.
		'{"id":12345678901234567890,"n":[1.0,1e2,-0]}',
		...['{ "b": 1,\n\t"a": 2 }', '{"a":1,"a":2}', '{"__proto__":{"a":1},"constructor":2}'],
		...['null', '"hello"'],
	];
	test.each([
		...TYPED.map((input) => [input, input]),
		['={{ { when: new Date(0), none: undefined } }}', '{"when":"1970-01-01T00:00:00.000Z"}'],
		['={{ [null, "", 0, false] }}', '[null,"",0,false]'],
		['={{ {} }}', '{}'],
		['={{ 5 }}', '5'],
		['={{ { at: DateTime.fromMillis(0, { zone: "utc" }) } }}', '{"at":"1970-01-01T00:00:00.000Z"}'],
	])('is the typed JSON, or the value of an expression as JSON: %s', async (input, body) => {
		expect((await sent({ input })).body).toBe(body);
	});

	test('is the item by default, exactly as an expression gives it, with all digits', async () => {
		const big = { id: BigInt('12345678901234567890') } as unknown as IDataObject;
		expect((await sent({}, { items: [big] })).body).toBe('{"id":"12345678901234567890"}');
		const value = fc.oneof(
			fc.jsonValue(),
			fc.constant(undefined),
			fc.date({ noInvalidDate: true }),
			fc.bigInt(),
		);
		const item = fc.dictionary(fc.string(), value) as fc.Arbitrary<IDataObject>;
		for (const [index, json] of fc.sample(item, 10).entries()) {
			const given = { items: [json], asTool: index % 2 === 0 };
			const more = { waitForResponse: false };
			const { body } = await sent({ ...more, input: WHOLE_ITEM }, given);
			// The default is taken from the item; n8n evaluates an expression that differs from it by a space.
			expect((await sent({ ...more, input: '={{ $json  }}' }, given)).body).toBe(body);
		}
	});

	test.each([
		['={{ NaN }}', 'NaN'],
		['={{ { price: [1, Number("x")] } }}', 'NaN'],
		['={{ { price: 1 / 0 } }}', 'Infinity'],
		['={{ Symbol("a") }}', 'a symbol'],
		['={{ [Symbol("a")] }}', 'a symbol'],
	])('is refused if JSON cannot hold it: %s', async (input, what) => {
		const { message, description } = await hostile.failure(runFlow(flow.id, { input }));
		expect(message).toBe(`Input contains ${what}, which is not valid in JSON`);
		expect(description).toBe('Change the expression in Input. Nothing was sent.');
		expect(hostile.server.requests).toEqual([]);
	});

	test('has the header Accept of the person, otherwise that of the node', async () => {
		expect((await sent({})).headers.accept).toBe('*/*');
		const { headers } = await sent(headersOf(['accept', 'text/csv']));
		expect(headers.accept).toBe('text/csv');
	});

	test.each(['X-Order', 'toString'])('has a header and a query parameter %s', async (name) => {
		const pair = values([name, 'a b&c'], ['', '']);
		const named: Array<[string, string]> = [
			[name, '1'],
			[name, 'a b&c'],
			['a', 'ä +'],
		];
		const query = values(['', ''], ...named, ['b', '={{true}}']);
		const { headers, url } = await sent({ options: { headers: pair, query } });
		expect(headers[name.toLowerCase()]).toBe('a b&c');
		const { searchParams } = new URL(`http://n8n.invalid${url}`);
		expect([...searchParams]).toEqual([...named, ['b', 'true']]);
	});
});
