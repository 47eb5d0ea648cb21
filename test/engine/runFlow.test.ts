import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NewFlow } from '../service/liveChanges';
import { INPUT } from '../service/routes/webhooks';
import type { Answer } from '../service/webhookSteps';
import { RETRY_ON_FAIL as settings } from './harness/parameters';
import { calls, helpers, runFlow, stepsOf, WAIT } from './harness/runFlow';
import { RELEASES, FIRST_AND_LAST, byId, requestPaths, useService } from './harness/service';
import { signInCredential } from './harness/signIn';

const headersOf = (name: string, value: string) => ({
	options: { headers: { values: [{ name, value }] } },
});
const orders = (length: number) => Array.from({ length }, (_, order) => ({ order }));

describe.each(FIRST_AND_LAST)('Flow → Run on release %s', (release) => {
	const context = useService({ release, data: { flows: 4 } });
	const { add, records, failure, failsWith } = helpers(context);

	beforeEach(() => {
		context.service.webhooks.ends.clear();
		context.service.webhooks.runs.length = 0;
	});

	test('the input item is sent as JSON, and the node says that it was accepted', async () => {
		const { id } = add();
		const [record] = await records(runFlow(id), [{ order: 1, name: 'Äpfel' }]);
		expect(record).toEqual({ accepted: true, flowId: id, requestId: expect.any(String) });
		expect(requestPaths(context)).toEqual([`GET /v1/flows/${id}`, `POST /v1/webhooks/${id}`]);
		expect(context.service.webhooks.runs).toEqual([
			{ flowId: id, version: 'published', body: { order: 1, name: 'Äpfel' } },
		]);
		expect(calls(context)[0].headers['content-type']).toBe('application/json');
	});

	test.each<[string, Answer, IDataObject[]]>([
		['an object', { status: 201, body: INPUT }, [{ order: 1 }]],
		['a list', { body: [1, { a: 2 }] }, [{ data: 1 }, { a: 2 }]],
		['text', { responseType: 'raw', body: 'plain äöü' }, [{ data: 'plain äöü' }]],
		[
			'a page',
			{ responseType: 'raw', headers: { 'content-type': 'text/html' }, body: '<html>' },
			[{ data: '<html>' }],
		],
		['nothing', { status: 204 }, [{ data: '' }]],
	])('the response of the flow is returned: %s', async (_name, answer, items) => {
		expect(await records(runFlow(add(answer).id, WAIT), [{ order: 1 }])).toEqual(items);
	});

	test('status and headers are returned with the body on request', async () => {
		const flow = add({ status: 201, headers: { 'x-flow': 'orders' }, body: { ok: true } });
		const [record] = await records(runFlow(flow.id, { ...WAIT, options: { fullResponse: true } }));
		expect(record).toMatchObject({
			statusCode: 201,
			headers: { 'x-flow': 'orders', 'x-webhook-id': expect.any(String) },
			body: { ok: true },
		});
	});

	test('status and headers are returned with a file on request', async () => {
		const file = { 'content-type': 'image/png', 'x-flow': 'orders' };
		const flow = add({ headers: file, body: Buffer.from([1, 2]) });
		const parameters = runFlow(flow.id, { ...WAIT, options: { fullResponse: true } });
		const { items } = await context.run(parameters);
		expect(items[0].json).toMatchObject({ statusCode: 200, headers: { 'x-flow': 'orders' } });
		expect(items[0].binary?.data.mimeType).toBe('image/png');
	});

	test('a redirect is a response, and is not followed', async () => {
		const location = `${context.baseUrl}/v1/elsewhere`;
		const flow = add({ responseType: 'redirect', body: location });
		const [record] = await records(runFlow(flow.id, { ...WAIT, options: { fullResponse: true } }));
		expect(record).toMatchObject({ statusCode: 301, headers: { location } });
		expect(requestPaths(context).filter((path) => path.includes('elsewhere'))).toEqual([]);
	});

	test.each([
		[422, { error: 'no customer' }, '{"error":"no customer"}'],
		// Return Response with `{}`: seen at 0.79.2 and 0.85.2, after 0.2 of the 8 seconds that the server waits.
		[408, {}, 'its Return Response step'],
		[408, { code: 'BUSY', params: {} }, 'BUSY'],
		[429, { code: 'BUSY', params: {} }, 'BUSY'],
		[503, { code: 'BUSY', params: {} }, 'BUSY'],
	])('a status of %d is reported as the flow’s own: %j', async (status, body, says) => {
		const { id } = add({ status, body });
		const error = await failure(runFlow(id, WAIT));
		expect(error.message).toBe(`Flow "Orders" (${id}) responded with HTTP ${status}`);
		expect(error.description).toContain(says);
		expect(error.httpCode).toBe(`${status}`);
		expect(calls(context)).toHaveLength(1);
	});

	test('the draft runs on request', async () => {
		const flow = context.live.addFlow({ steps: stepsOf('webhook', {}, { body: { draft: true } }) });
		const parameters = runFlow(flow.id, { ...WAIT, options: { version: 'draft' } });
		expect(await records(parameters)).toEqual([{ draft: true }]);
		expect(calls(context)[0].path).toBe(`/v1/webhooks/${flow.id}/draft/sync`);
	});

	test('the published version is checked if there is a newer draft', async () => {
		const { id } = add({ body: { version: 'published' } });
		context.live.editFlow(id, 'Edited');
		expect(await records(runFlow(id, WAIT))).toEqual([{ version: 'published' }]);
		const looks = requestPaths(context).filter((path) => path.startsWith('GET /v1/flows/'));
		expect(looks).toHaveLength(2);
	});

	describe('nothing is sent', () => {
		afterEach(() => expect(calls(context)).toEqual([]));

		test.each<[says: RegExp, flow: NewFlow | undefined]>([
			[/^Flow "New" \(\w+\) has never been published$/, { name: 'New' }],
			[/^Flow "Off" \(\w+\) is disabled$/, { name: 'Off', published: true }],
			[/^Flow "Empty" \(\w+\) has no trigger$/, { name: 'Empty', trigger: 'empty', enabled: true }],
			[/^Flow "unknown0+" was not found$/, undefined],
		])('for a flow that does not run: %s', async (says, flow) => {
			const id = flow ? context.live.addFlow(flow).id : 'unknown00000000000000';
			for (const more of [{}, WAIT]) {
				expect((await failure(runFlow(id, more))).message).toMatch(says);
			}
		});

		test('for a draft that the service would accept and not run', async () => {
			const { id } = context.live.addFlow({ steps: stepsOf('webhook') });
			const error = await failure(runFlow(id, { options: { version: 'draft' } }));
			expect(error.message).toContain('its draft runs only with Wait for Response');
		});

		test.each([
			['schedule', 'starts on a schedule'],
			['manual-trigger', 'starts manually'],
			['subflows', 'starts as a subflow'],
			['gmail', 'starts on an app event'],
		])('when the node would wait for a flow that starts with %s', async (kind, says) => {
			const { id } = add({ body: {} }, { kind });
			const error = await failure(runFlow(id, WAIT));
			expect(error.message).toContain(says);
			expect(error.description).toContain('Turn off Wait for Response');
		});

		test('when the node would wait for a flow without Return Response', async () => {
			const { id } = add();
			await failsWith(runFlow(id, WAIT), /has no Return Response step$/);
			const flow = add({ body: {} });
			const { nextAction } = flow.version.trigger as IDataObject;
			Object.assign(nextAction as IDataObject, { skip: true });
			await failsWith(runFlow(flow.id, WAIT), /has no Return Response step$/);
		});

		test.each([
			['basic', { username: 'hook', password: 'pass' }, 'Authorization'],
			['header', { headerName: 'X-Hook-Key', headerValue: 'value' }, 'X-Hook-Key'],
		])(
			'without the header that %s requires, or with another value',
			async (authType, authFields, header) => {
				const { id } = add({ body: {} }, { input: { authType, authFields } as never });
				await failsWith(runFlow(id, WAIT), new RegExp(`requires the header ${header}$`));
				const wrong = await failure(runFlow(id, headersOf(header, 'wrong')));
				expect(wrong.description?.includes('Basic')).toBe(authType === 'basic');
				expect(wrong.message).toContain(`does not accept the value of the header ${header}`);
			},
		);

		test.each([
			['', 'Input is empty'],
			['{ "a":', 'Input must be JSON, not "{ "a":"'],
			['={{ $json.missing }}', 'Input is empty'],
		])('for the input %s', async (input, says) => {
			expect((await failure(runFlow(add().id, { input }))).message).toBe(says);
		});

		test('for JSON with an error, whose place is told', async () => {
			const { description } = await failure(runFlow(add().id, { input: '{ "a": 1, }' }));
			expect(description).toMatch(/position 10\b/);
		});

		test.each([
			['Content-Type', 'text/plain', 'The node sets the header Content-Type itself'],
			['a b', 'x', '"a b" is not a valid header name'],
			['x-a', 'x\ny', 'The value of the header x-a has characters that HTTP does not allow'],
		])('with the header %s', async (name, value, says) => {
			await failsWith(runFlow(add().id, headersOf(name, value)), says);
		});
	});

	test('with the header that the webhook requires, the flow runs', async () => {
		const authFields = { username: 'hook', password: 'pass' };
		const { id } = add({ body: { ok: 1 } }, { input: { authType: 'basic', authFields } as never });
		const value = `Basic ${Buffer.from('hook:pass').toString('base64')}`;
		const parameters = runFlow(id, { ...WAIT, ...headersOf('authorization', value) });
		expect(await records(parameters)).toEqual([{ ok: 1 }]);
	});

	test('of a header in two spellings the last is checked and sent', async () => {
		const authFields = { headerName: 'X-Key', headerValue: 'right' };
		const { id } = add({ body: INPUT }, { input: { authType: 'header', authFields } as never });
		const twice = (...values: string[]) => {
			const names = ['X-Key', 'x-key'];
			const rows = values.map((value, index) => ({ name: names[index], value }));
			return runFlow(id, { ...WAIT, options: { headers: { values: rows } } });
		};
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
		const { run, error } = await context.run(runFlow(id), [{ order: 1 }, { order: 2 }]);
		expect(error).toBeUndefined();
		const [task] = run.data.resultData.runData.Activepieces;
		expect((task.hints ?? []).map(({ message }) => message.replace(id, 'ID'))).toEqual(hints);
	});
});

const context = useService({ data: { flows: 4 } });
const { add, records } = helpers(context);

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
	])(
		'a read that fails with %j fails all items only if it would fail again, otherwise the ten that share it',
		async (kind, done) => {
			const { id } = add();
			context.fault({ path: `/v1/flows/${id}`, times: 1, kind });
			const given = { items: orders(30), onError: 'continueRegularOutput' as const };
			const { items } = await context.run(runFlow(id), given);
			expect(items.filter(({ json }) => json.error === undefined)).toHaveLength(done);
		},
	);

	test('flows are called in the order of the items with Batching', async () => {
		const batch = { batchSize: 1, batchInterval: 0 };
		const { runs } = context.service.webhooks;
		runs.length = 0;
		await records(runFlow(add().id, { requestOptions: { batching: { batch } } }), orders(9));
		expect(runs.map(({ body }) => body)).toEqual(orders(9));
	});

	test('few calls wait at once, and the output keeps the order', async () => {
		context.fault({ path: /\/sync$/, kind: { untilInFlight: 3 } });
		const { id } = add({ body: INPUT });
		expect(await records(runFlow(id, WAIT), orders(9))).toEqual(orders(9));
		expect(context.inFlight.peak).toBe(3);
	});
});

// 0.86 responds with another status than earlier releases.
describe.each(RELEASES)('a flow that does not respond: %s', (release) => {
	const context = useService({ release, data: { flows: 1 } });
	const { add, failure } = helpers(context);

	// The node asks the server once.
	beforeAll(() => {
		context.service.webhooks.timeoutSeconds = 0.05;
	});

	test('no answer in time: how long, and that the run may go on', async () => {
		const flow = add({ body: {} });
		context.service.webhooks.ends.set(flow.id, 'isSlow');
		const error = await failure(runFlow(flow.id, WAIT));
		expect(error.message).toMatch(/^Flow "Orders" \(\w+\) returned no response within \d+ second/);
		expect(error.description).toMatch(
			/^The status of its run is (QUEUED|RUNNING)\. Open the run in Activepieces: http\S+\/runs\/\w+\. For long/,
		);
		expect(calls(context)).toHaveLength(1);
	});

	test('a run is named only if it is certainly that of the call', async () => {
		const flow = add({ body: {} });
		context.service.webhooks.ends.set(flow.id, 'isSlow');
		const errors = await Promise.all([1, 2].map(async () => await failure(runFlow(flow.id, WAIT))));
		for (const { description } of errors) expect(description).toContain('Flow Run > Get Many');
		context.fault({ path: '/v1/flow-runs', kind: { status: 403 } });
		const { id } = add({ body: {} });
		context.service.webhooks.ends.set(id, 'isSlow');
		const { description } = await failure(runFlow(id, WAIT));
		expect(description).toContain('Flow Run > Get Many');
	});

	test('no answer in time is none, although the clock is set back meanwhile', async () => {
		const flow = add({ body: {} });
		context.service.webhooks.ends.set(flow.id, 'isSlow');
		let now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => (now -= 60_000));
		const error = await failure(runFlow(flow.id, WAIT)).finally(() => clock.mockRestore());
		expect(error.message).toContain('returned no response within');
	});

	test('a run that fails is told as far as the release tells it', async () => {
		const flow = add({ body: {} });
		context.service.webhooks.ends.set(flow.id, 'fails');
		const { message, description } = await failure(runFlow(flow.id, WAIT));
		expect(message).toMatch(
			release < '0.8' ? /ended before it reached Return Response$/ : /returned no response within/,
		);
		if (release < '0.8') return;
		expect(description).toMatch(/^The status of its run is FAILED, at the step ".+": .+\. Open/);
	});
});

describe.each(['apiKey', 'signIn'] as const)('with a credential of the kind %s', (kind) => {
	const context = useService({ data: { flows: 4 } });
	const { add } = helpers(context);

	/** Everything in a request to a server. */
	const textOf = ({ url, headers, body }: (typeof context.requests)[number]) =>
		JSON.stringify([url, headers, body]);

	const run = async (parameters: INodeParameters) => {
		const credential = kind === 'apiKey' ? context.credential : signInCredential(context);
		// All session tokens begin like this.
		const secrets = 'password' in credential ? [credential.password, 'eyJ'] : [credential.apiKey];
		const result = await context.run(
			{ ...parameters, authentication: kind },
			{ credential, items: [{ order: 1 }] },
		);
		// The request for the flow contains it, so these are the right secrets.
		const isIn = (request: (typeof context.requests)[number]) =>
			secrets.some((secret) => textOf(request).includes(String(secret)));
		expect(context.requests.some(isIn)).toBe(true);
		const called = calls(context);
		expect(called.length).toBeGreaterThan(0);
		expect(called.filter(isIn)).toEqual([]);
		const names = called.flatMap(({ headers }) => Object.keys(headers));
		expect(names.join()).not.toMatch(/authorization|cookie/);
		return { result, called };
	};

	test.each([{}, WAIT])('a call contains nothing of it: %j', async (more) => {
		const { result, called } = await run(runFlow(add({ body: INPUT }).id, more));
		expect(result.error).toBeUndefined();
		expect(called).toHaveLength(1);
	});

	test('nor does a repeated call', async () => {
		context.fault({ path: /webhooks/, times: 2, kind: { status: 429 } });
		const { result, called } = await run(runFlow(add().id));
		expect(result.error).toBeUndefined();
		expect(called).toHaveLength(3);
	});

	test('nor does a call that a proxy redirects, which is not followed', async () => {
		const { origin } = context.service;
		const redirect = `${origin}/api/v1/webhooks/elsewhere`;
		context.fault({ path: /webhooks/, kind: { redirect, status: 307 } });
		const { result, called } = await run(runFlow(add().id));
		expect(result.error?.message).toContain('redirects to');
		expect(called).toHaveLength(1);
	});
});

describe('a call is not repeated', () => {
	test.each([
		['a lost connection', { reset: 'beforeHeaders' }],
		['a 502', { status: 502 }],
		['a 503 of a proxy', { status: 503, shape: 'html' }],
		['a 504', { status: 504 }],
		['a 408', { status: 408 }],
	] as const)('after %s', async (_name, kind) => {
		context.fault({ path: /webhooks/, kind, done: true });
		for (const more of [{}, WAIT]) {
			const before = calls(context).length;
			await context.failsWith(runFlow(add({ body: {} }).id, more), /./, 'Check in Activepieces');
			expect(calls(context).length - before).toBe(1);
		}
	});

	// A proxy that removes the ID of the call makes its own responses look like the flow's.
	test.each([301, 425, 429, 503])(
		'after a %d that may come from the flow itself',
		async (status) => {
			const parameters = runFlow(add({ body: {} }).id, WAIT);
			context.fault({ path: /webhooks/, kind: { status }, done: true });
			const { error } = await context.run(parameters, { settings });
			expect(error?.message).toMatch(/^Could not confirm whether flow "Orders" \(\w+\) ran$/);
			expect(calls(context)).toHaveLength(1);
			if (status === 301) return;
			const { description } = await context.failure(parameters);
			expect(description).toContain('Check in Activepieces');
		},
	);

	test('a second try returns the same file as the first', async () => {
		const flow = add({ headers: { 'content-type': 'image/png' }, body: Buffer.from([1, 2]) });
		const failing = add({ status: 500, body: {} });
		context.service.webhooks.ends.clear();
		const { items } = await context.run(
			{ ...runFlow(flow.id, WAIT), flowId: byId('={{ $json.id }}') },
			{ items: [{ id: flow.id }, { id: failing.id }], onError: 'continueRegularOutput', settings },
		);
		expect(items[0].binary?.data.mimeType).toBe('image/png');
	});

	test('a server that does not say how long it waits is awaited anyway', async () => {
		context.fault({ path: '/v1/flags', kind: { status: 500 } });
		expect(await records(runFlow(add({ body: { ok: 1 } }).id, WAIT))).toEqual([{ ok: 1 }]);
	});
});
