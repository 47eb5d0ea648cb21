import type { INodeParameters } from 'n8n-workflow';

import { limits } from './harness/built';
import { calls, helpers, runFlow, WAIT } from './harness/runFlow';
import { byId, useService } from './harness/service';

const RETRIES = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const PAGE = '<!doctype html><title>Sign in</title>';
const FULL: INodeParameters = { ...WAIT, options: { fullResponse: true } };

const context = useService({ data: { flows: 2 } });
const { add, failure, failsWith, records } = helpers(context);

describe('a response that may or may not be the flow’s', () => {
	test.each([404, 410])(
		'is a %d with an empty object, so the call is not repeated',
		async (status) => {
			const flow = add({ status, body: {} });
			const error = await failure(runFlow(flow.id, WAIT));
			expect(error.message).toBe(
				`Flow "Orders" (${flow.id}) responded with HTTP ${status} and no content, or did not run`,
			);
			expect(error.description).toContain('may or may not have run');
			context.clearRequests();
			const retried = await context.failure(runFlow(flow.id, WAIT), { settings: RETRIES });
			expect(retried.message).toMatch(/^Could not confirm whether flow "Orders"/);
			expect(calls(context)).toHaveLength(1);
		},
	);

	test('is not a 404 with headers of the flow, or with a body', async () => {
		for (const answer of [{ headers: { 'x-flow': 'a' }, body: {} }, { body: { none: true } }]) {
			const error = await failure(runFlow(add({ status: 404, ...answer }).id, WAIT));
			expect(error.message).toMatch(/responded with HTTP 404$/);
		}
	});

	test('is not a response to a call without waiting: the flow did not run then', async () => {
		const flow = add();
		context.fault({ path: `/v1/flows/${flow.id}`, kind: { body: structuredClone(flow) } });
		flow.status = 'DISABLED';
		await failsWith(runFlow(flow.id), `Flow "Orders" (${flow.id}) did not run`);
	});
});

describe('a server that ignores the requested version', () => {
	test('is reported: its draft is neither run nor returned as the published version', async () => {
		const { id } = add({ body: {} });
		const draft = structuredClone(context.live.editFlow(id, 'Edited'));
		context.fault({ path: `/v1/flows/${id}`, kind: { body: draft } });
		const get = { resource: 'flow', operation: 'get', flowId: byId(id), version: 'published' };
		for (const parameters of [runFlow(id), runFlow(id, WAIT), get]) {
			expect((await failure(parameters)).message).toBe(
				`The server did not return the published version of flow "Edited" (${id})`,
			);
		}
		expect(calls(context)).toEqual([]);
	});
});

describe('something in front of a webhook', () => {
	test.each([
		['a 401 of a gateway', { status: 401, body: { message: 'No token' } }],
		['a 403 of a gateway', { status: 403, body: { message: 'Forbidden' } }],
		[
			'a 401 that looks like one of Activepieces',
			{ status: 401, body: { code: 'AUTHENTICATION', params: {} } },
		],
		['the page of a firewall', { status: 403, body: PAGE }],
		['the 404 of a proxy', { status: 404, body: PAGE }],
		['the 404 of a gateway', { status: 404, body: { message: 'no Route matched' } }],
		['a page with status 200', { status: 200, body: PAGE }],
		['JSON with status 200', { status: 200, body: { ok: true } }],
	])('is reported: %s', async (_name, { status, body }) => {
		const { id } = add({ body: {} });
		context.fault({
			path: /webhooks/,
			kind: { status, body, ...(body === PAGE ? { contentType: 'text/html' } : {}) },
		});
		for (const more of [{}, WAIT]) {
			const error = await failure(runFlow(id, more));
			expect(error.message).toBe(
				`A proxy or firewall in front of Activepieces responded instead of the flow (HTTP ${status})`,
			);
			expect(error.description).toContain(`POST ${context.baseUrl}/v1/webhooks/`);
			expect(error.description).not.toMatch(/key|session|should probably end in/i);
			expect(error.description?.includes('Check in Activepieces before')).toBe(
				status === 200 && body !== PAGE,
			);
		}
	});

	test.each([
		[413, 'The request is larger than the server accepts', 'Check the fields of the node.'],
		[414, 'The request is larger than the server accepts', 'Check the fields of the node.'],
		[429, 'Activepieces is receiving too many requests', 'asks you to wait 120 seconds'],
		[431, 'The request is larger than the server accepts', 'Check the fields of the node.'],
	])('is reported when it refuses the input, or the number of calls: %d', async (...row) => {
		const [status, message, description] = row;
		const { id } = add({ body: {} });
		const headers = { 'retry-after': '120' };
		context.fault({ path: /webhooks/, kind: { status, shape: 'html', headers } });
		for (const more of [{}, WAIT]) await failsWith(runFlow(id, more), message, description);
	});

	test('is reported when it redirects', async () => {
		const { id } = add();
		context.fault({ path: /webhooks/, kind: { redirect: 'https://sso.example/login' } });
		const error = await failure(runFlow(id));
		expect(error.message).toBe('The server redirects to https://sso.example/login');
		expect(error.description).toBe(
			`The node does not send the input to another URL. Configure the proxy to pass POST ${context.baseUrl}/v1/webhooks/… to Activepieces. If it redirects to your Activepieces server, set Base URL in the credential to the API URL of that server.`,
		);
	});
});

describe('the response of a flow', () => {
	test('shows no key, even in a header that appears several times', async () => {
		const { apiKey } = context.service;
		const headers = { 'set-cookie': [`a=${apiKey}`, 'b=2'], 'x-flow': apiKey };
		const [record] = await records(runFlow(add({ headers, body: { apiKey } }).id, FULL));
		expect(record).toMatchObject({
			headers: { 'set-cookie': ['a=***', 'b=2'], 'x-flow': '***' },
			body: { apiKey: '***' },
		});
		expect(JSON.stringify(record)).not.toContain(apiKey);
	});

	test.each([
		['null', 'null', {}, null],
		['nothing', '', {}, {}],
		['a text', '"a"', { data: 'a' }, 'a'],
		['false', 'false', { data: false }, false],
		['a list with nothing', '[null]', {}, [null]],
	])('is read like HTTP Request reads it, where JSON is %s', async (_name, text, item, body) => {
		const headers = { 'content-type': 'application/json' };
		const { id } = add({ responseType: 'raw', headers, body: text });
		expect(await records(runFlow(id, WAIT))).toEqual([item]);
		expect(await records(runFlow(id, FULL))).toMatchObject([{ statusCode: 200, body }]);
	});
});

describe('calls whose Wait for Response is an expression', () => {
	test('run as few at once as those that wait', async () => {
		const { id } = add({ body: {} });
		const { service } = context;
		service.webhooks.runs.length = 0;
		const items = Array.from({ length: 9 }, (_, order) => ({ order, wait: order % 2 === 0 }));
		service.inFlight.peak = 0;
		await records(runFlow(id, { waitForResponse: '={{ $json.wait }}' }), items);
		expect(service.webhooks.runs.map(({ body }) => body)).toEqual(expect.arrayContaining(items));
		expect(service.inFlight.peak).toBeLessThanOrEqual(3);
	});
});

describe('a response that is too large', () => {
	test('is reported with what the flow can return instead', async () => {
		const { id } = add({ body: {} });
		const { maxResponseBytes } = limits;
		const body = { text: 'a'.repeat(20_000) };
		context.fault({ path: /webhooks/, kind: { body } });
		limits.maxResponseBytes = 10_000;
		const error = await failure(runFlow(id, WAIT)).finally(() => {
			limits.maxResponseBytes = maxResponseBytes;
		});
		expect(error.message).toMatch(/is larger than/);
		expect(error.description).toContain('Change the flow to return less');
		expect(error.description).not.toMatch(/Simplify|Limit|Base URL/);
	});
});

describe('a Timeout', () => {
	test('is named by its field if a call that does not wait takes too long', async () => {
		const { id } = add();
		context.fault({ path: /webhooks/, kind: { delay: 60_000 } });
		const error = await failure(runFlow(id, { options: { timeoutSeconds: 1 } }));
		expect(error.description).toContain('Raise Timeout (Seconds) under Options.');
	});

	test('longer than a timer can wait does not end a call at once', async () => {
		const { id } = add({ body: { ok: true } });
		const { requestTimeoutMs } = limits;
		limits.requestTimeoutMs = 2 ** 40;
		try {
			expect(await records(runFlow(id, WAIT))).toEqual([{ ok: true }]);
		} finally {
			limits.requestTimeoutMs = requestTimeoutMs;
		}
	});

	test('ends the wait, and the message says that the flow may still be running', async () => {
		const flow = add({ body: {} });
		context.fault({ path: /sync$/, kind: { delay: 60_000 } });
		const parameters = runFlow(flow.id, { ...WAIT, options: { timeoutSeconds: 1 } });
		const error = await context.failure(parameters);
		expect(error.message).toMatch(/did not respond in time$/);
		expect(error.description).toContain('The flow may still be running. Raise Timeout');
		expect(calls(context)).toHaveLength(1);
	});
});
