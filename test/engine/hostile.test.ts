import { sleep } from 'n8n-workflow';

import { limits } from './harness/built';
import { CALLERS } from './harness/callers';
import { useHostileServers } from './harness/hostile';
import {
	bomb,
	drip,
	dripHeaders,
	type HostileServer,
	json,
	undecodable,
} from './harness/hostileServer';
import { ALL_FLOWS, CONNECTIONS, INVITATION, METRICS, RENAME } from './harness/parameters';
import { useService } from './harness/service';
import { createTriggerRun } from './harness/trigger';

const hostile = useHostileServers();

const KEY = `sk-${'k'.repeat(61)}`;

/** Waits until the node has let go of every connection. */
async function released({ connections }: HostileServer = hostile.server): Promise<number> {
	for (let waited = 0; connections > 0 && waited < 200; waited++) {
		await sleep(1);
		({ connections } = hostile.server);
	}
	return connections;
}

describe.each(Object.keys(CALLERS))('%s', (name) => {
	const call = CALLERS[name];

	test.each(['br', 'gzip', 'deflate'] as const)(
		'reads no more of an answer than its limit, counted after decompression: %s',
		async (encoding) => {
			limits.maxResponseBytes = 2 ** 20;
			await hostile.start(bomb(2 ** 20 + 100, encoding));
			const { host, baseUrl } = hostile.server;
			expect(await call({ engine: hostile.engine, baseUrl })).toContain(
				`The response from ${host} is larger than 1 MB`,
			);
			// A list is asked for again with fewer rows, from 1,000 down to one.
			expect(hostile.server.requests.length).toBeLessThanOrEqual(6);
			expect(await released()).toBe(0);
		},
	);

	test.each([
		['a body', drip],
		['a head', dripHeaders],
	])('waits for %s that never ends no longer than Timeout', async (_what, answer) => {
		await hostile.start(answer);
		const { host, baseUrl } = hostile.server;
		const message = await call({ engine: hostile.engine, baseUrl, fields: { timeout: 150 } });
		expect(message).toContain(`${host} did not respond in time`);
		expect(message).toContain('raise Timeout in the credential');
	});

	test.each(['br', 'gzip', 'deflate'] as const)(
		'says that an answer could not be decompressed: %s',
		async (encoding) => {
			await hostile.start(undecodable(encoding));
			const { host, baseUrl } = hostile.server;
			expect(await call({ engine: hostile.engine, baseUrl })).toContain(
				`The response from ${host} could not be decompressed`,
			);
			expect(hostile.server.requests).toHaveLength(1);
		},
	);

	test('lets go of an answer that begins after its time', async () => {
		await hostile.start(async (response, request, body) => {
			await sleep(300);
			drip(response, request, body);
		});
		const { host, baseUrl } = hostile.server;
		const message = await call({ engine: hostile.engine, baseUrl, fields: { timeout: 100 } });
		expect(message).toContain(`${host} did not respond in time`);
		await sleep(400);
		expect(await released()).toBe(0);
	});

	test('repeats no more of what a server says than a person reads, and in one line', async () => {
		const forged = `line\r\n2026-11-22 ERROR forged\u2028\u202e\u001b[31m${'x'.repeat(900_000)}`;
		for (const status of [400, 500]) {
			await hostile.start(
				json(JSON.stringify({ code: 'VALIDATION', params: { message: forged } }), status),
			);
			const message = await call({ engine: hostile.engine, baseUrl: hostile.server.baseUrl });
			expect(message).toContain('line 2026-11-22 ERROR forged [31mxxx');
			expect(message.length).toBeLessThan(1000);
			expect(message).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
		}
	});

	test('has words for texts of a server that are no texts', async () => {
		const odd = { toString: 1, valueOf: null };
		for (const code of ['PERMISSION_DENIED', 'SESSION_EXPIRED', odd]) {
			const params = { message: odd, permission: odd, entityType: odd };
			await hostile.start(
				json(JSON.stringify({ code, params, message: odd, error: odd, statusCode: odd }), 403),
			);
			const message = await call({ engine: hostile.engine, baseUrl: hostile.server.baseUrl });
			expect(message).not.toMatch(/convert|undefined|\[object/);
		}
	});
});

describe('pages of 1,000 raw flows of 40 steps', () => {
	const context = useService({ data: { projects: 1, flows: 2000, steps: 40 } });

	test('are read whole, none of them in parts', async () => {
		const { service } = context;
		const parameters = { ...ALL_FLOWS, simplify: false };
		expect(await context.records(parameters)).toHaveLength(2000);
		const pages = service.requests.filter(({ path }) => path === '/v1/flows');
		expect(new Set(pages.map(({ query }) => query.limit))).toEqual(new Set(['1000']));
	});
});

describe('a page that is too large', () => {
	const project = { id: 'p'.repeat(21), displayName: 'Sales' };
	/** Flows of 10 kB each, as many as are asked for. */
	const flows = async (count: number) => {
		const pages: number[] = [];
		await hostile.start((response, request, body) => {
			const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
			if (pathname.endsWith('/projects')) {
				return json(JSON.stringify({ data: [project], next: null }))(response, request, body);
			}
			const limit = Number(searchParams.get('limit'));
			const first = Number(searchParams.get('cursor') ?? 0);
			pages.push(limit);
			const data = Array.from({ length: Math.min(limit, count - first) }, (_, index) => ({
				id: `flow-${first + index}`,
				description: 'x'.repeat(10_000),
			}));
			const next = first + data.length < count ? String(first + data.length) : null;
			return json(JSON.stringify({ data, next }))(response, request, body);
		});
		return { baseUrl: hostile.server.baseUrl, pages };
	};

	test('is asked for again with fewer records, and so are the pages after it', async () => {
		limits.maxResponseBytes = 2 ** 20;
		const { baseUrl, pages } = await flows(250);
		const credential = { baseUrl, apiKey: KEY };
		const records = await hostile.engine.records({ credential, parameters: ALL_FLOWS });
		expect(records).toHaveLength(250);
		expect(pages[0]).toBe(1000);
		expect(Math.max(...pages.slice(3))).toBeLessThanOrEqual(100);
		expect(pages.length).toBeLessThan(12);
	});
});

describe('a change whose answer cannot be read', () => {
	test.each([
		['undecodable', undecodable('gzip')],
		['too large', bomb(2 ** 20 + 100, 'gzip')],
	])('may have been made, and is not made again: %s', async (_what, answer) => {
		limits.maxResponseBytes = 2 ** 20;
		for (const parameters of [RENAME, INVITATION]) {
			await hostile.start(answer);
			const credential = { baseUrl: hostile.server.baseUrl, apiKey: KEY };
			const error = await hostile.engine.failure({ credential, parameters });
			expect(error.description).toContain('may have applied the change');
			expect(hostile.server.requests).toHaveLength(1);
		}
	});
});

describe('a list', () => {
	test('is read behind a byte order mark', async () => {
		await hostile.start(json('\ufeff{"data":[{"id":"a"}],"next":null}'));
		const credential = { baseUrl: hostile.server.baseUrl, apiKey: KEY };
		const parameters = { ...CONNECTIONS, simplify: false };
		expect(await hostile.engine.records({ credential, parameters })).toEqual([{ id: 'a' }]);
	});

	test('ends with the workflow, though its answer never ends', async () => {
		await hostile.start(drip);
		const { requests } = hostile.server;
		const result = await hostile.engine.run({
			credential: { baseUrl: hostile.server.baseUrl, apiKey: KEY },
			parameters: CONNECTIONS,
			started: (cancel) => {
				void (async () => {
					while (requests.length === 0) await sleep(1);
					cancel();
				})();
			},
		});
		expect(result.items).toEqual([]);
		expect(await released()).toBe(0);
	}, 30_000);
});

describe('an answer of few bytes and many values', () => {
	/** 9 MB of JSON with more values than the limit. */
	const values = (item: string) =>
		json(
			`{"data":[${item.repeat(Math.ceil((9 * 2 ** 20) / item.length)).slice(0, -1)}],"next":null}`,
		);

	test.each(['{},', '[],', '0,', '{"a":0},'])('is not decoded: %s', async (item) => {
		limits.maxResponseValues = 1_000_000;
		await hostile.start(values(item));
		const credential = { baseUrl: hostile.server.baseUrl, apiKey: KEY };
		const error = await hostile.engine.failure({ credential, parameters: CONNECTIONS });
		expect(error.message).toContain('has more than 1,000,000 values');
	});

	test('is, when they are in texts', async () => {
		limits.maxResponseValues = 1_000_000;
		const text = JSON.stringify('{},[]\\",'.repeat(1_200_000));
		await hostile.start(json(`{"data":[{"id":"a","text":${text}}],"next":null}`));
		const credential = { baseUrl: hostile.server.baseUrl, apiKey: KEY };
		const parameters = { ...CONNECTIONS, simplify: false };
		expect(await hostile.engine.records({ credential, parameters })).toHaveLength(1);
	});

	test('of lines alone are no metrics', async () => {
		let isText = false;
		await hostile.start((response, request, body) => {
			isText = request.url?.includes('prometheus') ?? false;
			return isText
				? response.end('\n'.repeat(20_000_000))
				: json('{"queues":[{"name":"a","waiting":1,"active":2}]}')(response, request, body);
		});
		const credential = { baseUrl: hostile.server.baseUrl, apiKey: KEY };
		const error = await hostile.engine.failure({ credential, parameters: METRICS });
		expect(error.message).toContain('queue metrics');
	});
});

describe('the trigger', () => {
	test('polls again after an answer that never ended', async () => {
		let isDripping = false;
		const users = json(JSON.stringify({ data: [], next: null }));
		await hostile.start(async (...answer) => {
			await (isDripping ? drip : users)(...answer);
		});
		const credential = { baseUrl: hostile.server.baseUrl, apiKey: KEY, timeout: 100 };
		const run = createTriggerRun(hostile.engine, credential, { event: 'userJoined' });
		await run.activate();
		isDripping = true;
		await run.poll();
		expect(run.warnings).toEqual([expect.stringContaining('did not respond in time')]);
		isDripping = false;
		const before = hostile.server.requests.length;
		await run.poll();
		expect(hostile.server.requests.length).toBeGreaterThan(before);
	});

	test('writes one line into the log of n8n, whatever the server says', async () => {
		let isDown = false;
		await hostile.start((...answer) =>
			isDown
				? json(JSON.stringify({ code: 'X', params: { message: 'a\nb' } }), 429)(...answer)
				: json(JSON.stringify({ data: [], next: null }))(...answer),
		);
		const credential = { baseUrl: hostile.server.baseUrl, apiKey: KEY };
		const run = createTriggerRun(hostile.engine, credential, { event: 'userJoined' });
		await run.activate();
		isDown = true;
		await run.poll();
		expect(run.warnings).toHaveLength(1);
		expect(run.warnings[0]).not.toMatch(/\p{Cc}/u);
	});
});
