import { sleep } from 'n8n-workflow';

import { limits, tryOnce } from './harness/built';
import { byId } from './harness/byId';
import { CALLERS } from './harness/callers';
import { useHostileServers } from './harness/hostile';
import { bomb, drip, dripHeaders, json, jsonOf, undecodable } from './harness/hostileServer';
import { queriesOf } from './harness/locators';
import { ALL_FLOWS, CONNECTIONS, METRICS } from './harness/parameters';
import { useService } from './harness/service';

const hostile = useHostileServers();
const context = useService({ data: { projects: 1, flows: 250, steps: 1 } });

const RAW_CONNECTIONS = { ...CONNECTIONS, simplify: false };

const ENCODINGS = ['br', 'gzip', 'deflate'] as const;

/** Ends when the node has closed every connection. */
async function released(): Promise<void> {
	while (hostile.server.connections > 0) await sleep(1);
}

describe.each(Object.keys(CALLERS))('%s', (name) => {
	const call = async (fields = {}) =>
		await CALLERS[name]({ engine: hostile.engine, baseUrl: hostile.server.baseUrl, fields });

	const TOO_LARGE = (encoding: (typeof ENCODINGS)[number]) => bomb(2 ** 17 + 100, encoding);
	test.each([
		// A list is requested again with fewer records, from 10,000 down to one.
		['The response from HOST is larger than 0.125 MB', TOO_LARGE, 8],
		['The request to HOST could not be completed', undecodable, 1],
	])('stops at a response: %s', async (words, answer, most) => {
		limits.maxResponseBytes = 2 ** 17;
		for (const encoding of ENCODINGS) {
			const { host, requests } = await hostile.start(answer(encoding));
			expect(await call()).toContain(words.replace('HOST', host));
			expect(requests.length).toBeLessThanOrEqual(most);
			await released();
		}
	});

	test.each([
		['a body', drip],
		['a head', dripHeaders],
	])('waits for %s that never ends no longer than Timeout', async (_what, answer) => {
		tryOnce();
		const { host } = await hostile.start(answer);
		const message = await call({ timeout: '100' });
		expect(message).toContain(`${host} did not respond in time`);
		expect(message).toContain('raise Timeout in the credential');
	});
});

test('JSON that is wrong up to its end is requested once, in whatever form its end is told', async () => {
	const { requests } = await hostile.start((response) => {
		response.setHeader('content-type', 'application/json');
		// In chunks, without a length.
		response.write('{"data":[');
		response.end();
	});
	await hostile.failure(RAW_CONNECTIONS);
	expect(requests).toHaveLength(1);
});

test('a list is read after a byte order mark', async () => {
	await hostile.start(json('\ufeff{"data":[{"id":"a"}],"next":null}'));
	expect((await hostile.run(RAW_CONNECTIONS)).items).toMatchObject([{ json: { id: 'a' } }]);
});

test('a list ends with the workflow, although its response never ends', async () => {
	const { requests } = await hostile.start(drip);
	const asked = async () => {
		while (requests.length === 0) await sleep(1);
	};
	const started = (cancel: () => void) => void asked().then(cancel);
	expect((await hostile.run(CONNECTIONS, { started })).items).toEqual([]);
	await released();
}, 30_000);

test('a page that is too large is asked for again with fewer records, and so are the pages after it', async () => {
	limits.maxResponseBytes = 2 ** 20;
	// About 10 kB each.
	for (const { version } of context.data.flows) version.displayName = 'x'.repeat(9_000);
	const projectId = byId(context.data.projects[0].id);
	expect(await context.records({ ...ALL_FLOWS, projectId })).toHaveLength(250);
	const pages = queriesOf(context, '/v1/flows').map(({ limit }) => Number(limit));
	expect(pages[0]).toBe(1000);
	expect(Math.max(...pages.slice(3))).toBeLessThanOrEqual(100);
	expect(pages.length).toBeLessThan(12);
});

test('job counts are complete although nothing says how long they are', async () => {
	const { requests } = await hostile.start((response, request, body) => {
		if (!request.url?.endsWith('/prometheus')) {
			return jsonOf({ queues: [{ name: 'a', waiting: 1, active: 0 }] })(response, request, body);
		}
		const counts = '# HELP x\nactivepieces_jobs{queue="a",status="waiting"} 1\n';
		return response.socket?.end(`HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\n${counts}`);
	});
	await hostile.run(METRICS);
	expect(requests.filter(({ path }) => path.endsWith('/prometheus'))).toHaveLength(1);
});
