import { byId } from './harness/byId';
import { limits } from './harness/built';
import { CALLERS } from './harness/callers';
import { useHostileServers } from './harness/hostile';
import { json } from './harness/hostileServer';
import { ALL_FLOWS, CONNECTIONS, FOLDER, INVITATION, METRICS, RENAME } from './harness/parameters';

const hostile = useHostileServers();

const credential = () => ({ baseUrl: hostile.server.baseUrl, apiKey: `sk-${'k'.repeat(61)}` });

const page = (data: unknown[], next: string | null = null) => JSON.stringify({ data, next });

describe('the output of a run has a bound', () => {
	beforeEach(() => {
		limits.maxOutputBytes = 2 ** 17;
	});
	const tooLarge = 'The output is larger than n8n can store (0.125 MB)';

	test('over the pages of a list', async () => {
		let count = 0;
		await hostile.start((response, request, body) =>
			json(page([{ id: `id-${count}`, displayName: 'x'.repeat(30_000) }], `c${count++}`))(
				response,
				request,
				body,
			),
		);
		for (const simplify of [true, false]) {
			count = 0;
			const run = await hostile.engine.run({
				credential: credential(),
				parameters: { ...CONNECTIONS, simplify },
			});
			expect(run.error?.message).toBe(tooLarge);
			expect(count).toBe(5);
		}
	});

	test('over the input items', async () => {
		let count = 0;
		await hostile.start((response, { url = '' }) => {
			count++;
			const id = url.split('/').at(-1);
			response.end(JSON.stringify({ id, displayName: 'x'.repeat(30_000) }));
		});
		limits.maxConcurrency = 1;
		const run = await hostile.engine.run({
			credential: credential(),
			parameters: { ...FOLDER, folderId: byId('={{ $json.id }}') },
			items: Array.from({ length: 20 }, (_, index) => ({ id: `folder-${index}` })),
		});
		expect(run.error?.message).toBe(tooLarge);
		expect(count).toBe(5);
	});
});

describe('rows without an ID', () => {
	test.each([
		['Limit', { ...ALL_FLOWS, projectId: byId('p'), returnAll: false, limit: 50 }],
		['Return All', CONNECTIONS],
		['a list of projects', ALL_FLOWS],
	])('do not keep a list going: %s', async (_name, parameters) => {
		await hostile.start((response, request, body) =>
			json(page([{}], `c${hostile.server.requests.length}`))(response, request, body),
		);
		const { error } = await hostile.engine.run({ credential: credential(), parameters });
		expect(error?.message).toContain('repeats pages of the list');
		expect(hostile.server.requests.length).toBeLessThan(10);
	});
});

test('a page has no more records than the node reads', async () => {
	limits.maxPageRows = 100;
	await hostile.start(json(page(Array.from({ length: 101 }, () => ({})))));
	const { error } = await hostile.engine.run({ credential: credential(), parameters: CONNECTIONS });
	expect(error?.message).toContain('The server returned 101 global connections at once');
});

describe('a gateway that speaks JSON', () => {
	const BODIES = [
		{ code: 503, message: 'upstream request timeout' },
		{ statusCode: 503, message: 'Service unavailable' },
		{ code: 'UNAVAILABLE', message: 'no healthy upstream' },
	];

	test.each(BODIES)('is not the service, so a change is sent once: %j', async (body) => {
		await hostile.start(json(JSON.stringify(body), 503));
		const { error } = await hostile.engine.run({ credential: credential(), parameters: RENAME });
		expect(hostile.server.requests).toHaveLength(1);
		expect(error).toBeDefined();
	});

	test.each([
		{ statusCode: 404, message: 'Resource not found' },
		{ code: 404, message: 'no healthy upstream' },
	])('has not deleted what it does not know: %j', async (body) => {
		await hostile.start((response, request, sent) =>
			json(JSON.stringify(body), hostile.server.requests.length === 1 ? 502 : 404)(
				response,
				request,
				sent,
			),
		);
		const { error } = await hostile.engine.run({
			credential: credential(),
			parameters: INVITATION,
		});
		expect(error?.message).toContain('(HTTP 404)');
	});

	test('has not deleted what it accepted', async () => {
		await hostile.start((response) => response.writeHead(202).end());
		const { error } = await hostile.engine.run({
			credential: credential(),
			parameters: INVITATION,
		});
		expect(error?.message).toContain('does not have the expected format');
	});
});

describe('an answer about another record', () => {
	test.each([
		['Folder → Get', { resource: 'folder', operation: 'get', folderId: byId('abc') }],
		['Folder → Update', RENAME],
		['Flow → Enable', { resource: 'flow', operation: 'setStatus', flowId: byId('abc') }],
	])('is not taken for the one that was asked for: %s', async (_name, parameters) => {
		await hostile.start(json('{"id":"other","displayName":"Old","status":"ENABLED","version":{}}'));
		const { error } = await hostile.engine.run({ credential: credential(), parameters });
		expect(error?.message).toContain('does not have the expected format');
	});

	test('says nothing of a version that it does not name', async () => {
		await hostile.start(json('{"id":"abc","status":"ENABLED","version":{}}'));
		await hostile.engine.run({
			credential: credential(),
			parameters: { resource: 'flow', operation: 'publish', flowId: byId('abc') },
		});
		expect(hostile.server.requests.map(({ path }) => path)).toContain('POST /v1/flows/abc');
	});
});

describe('a password in what the server says', () => {
	test.each([
		['two spaces', 'correct  horse battery', (text: string) => text],
		['a tab', 'correct\thorse battery', (text: string) => text],
		['a soft hyphen', 'correct\u00adhorse', (text: string) => text],
		['a joined emoji', '👩‍💻-family-pass', (text: string) => text],
		['its blanks made one', 'correct  horse', (text: string) => text.replace('  ', ' ')],
		['an apostrophe as &#39;', "it's my secret", (text: string) => text.replace("'", '&#39;')],
		['a quote as &#34;', 'it"s my secret', (text: string) => text.replace('"', '&#34;')],
		['an apostrophe as &#x27;', "it's my secret", (text: string) => text.replace("'", '&#x27;')],
		[
			'the place of the cut',
			'correct horse',
			(text: string) => `${'\u200d'.repeat(19_993)}${text}`,
		],
	])('is not shown: %s', async (_name, password, repeated) => {
		await hostile.start(
			json(
				JSON.stringify({ code: 'X', params: { message: `You sent ${repeated(password)}` } }),
				400,
			),
		);
		const message = await CALLERS['the test of signing in']({
			engine: hostile.engine,
			baseUrl: hostile.server.baseUrl,
			fields: { password },
		});
		for (const part of [password, 'correct', 'horse', 'family', 'my secret']) {
			expect(message).not.toContain(part);
		}
	});
});

test('counts of jobs are whole although nothing says how long they are', async () => {
	await hostile.start((response, { url = '' }) => {
		if (!url.endsWith('/prometheus')) {
			json('{"queues":[{"name":"a","waiting":1,"active":0}]}')(response, undefined as never, '');
			return;
		}
		response.socket?.end(
			'HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\n# HELP x\nactivepieces_jobs{queue="a",status="waiting"} 1\n',
		);
	});
	await hostile.engine.run({ credential: credential(), parameters: METRICS });
	const counts = hostile.server.requests.filter(({ path }) => path.endsWith('/prometheus'));
	expect(counts).toHaveLength(1);
});
