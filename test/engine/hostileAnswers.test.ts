import { byId } from './harness/byId';
import { limits } from './harness/built';
import { CALLERS } from './harness/callers';
import { useHostileServers } from './harness/hostile';
import { json, jsonOf } from './harness/hostileServer';
import {
	ALL_FLOWS,
	CONNECTIONS,
	FOLDER,
	INVITATION,
	METRICS,
	parametersOf,
	RENAME,
} from './harness/parameters';

const hostile = useHostileServers();

const page = (data: unknown[], next: string | null = null) => jsonOf({ data, next });

describe('the output of a run is limited', () => {
	beforeEach(() => {
		limits.maxOutputBytes = 2 ** 17;
		limits.maxConcurrency = 1;
	});
	const tooLarge = 'The output is larger than n8n can store (0.125 MB)';
	const displayName = 'x'.repeat(30_000);

	test.each([true, false])('over the pages of a list, simplified: %s', async (simplify) => {
		const { requests } = await hostile.start((...answer) => {
			const count = String(requests.length);
			return page([{ id: count, displayName }], count)(...answer);
		});
		const { error } = await hostile.run({ ...CONNECTIONS, simplify });
		expect(error?.message).toBe(tooLarge);
		expect(requests).toHaveLength(5);
	});

	test('over the input items', async () => {
		const { requests } = await hostile.start((response, { url = '' }) =>
			response.end(JSON.stringify({ id: url.split('/').at(-1), displayName })),
		);
		const items = Array.from({ length: 20 }, (_, index) => ({ id: `folder-${index}` }));
		const parameters = { ...FOLDER, folderId: byId('={{ $json.id }}') };
		const { error } = await hostile.run(parameters, { items });
		expect(error?.message).toBe(tooLarge);
		expect(requests).toHaveLength(5);
	});

	test('without what is not in it: lists of projects, and runs that are older than Limit allows', async () => {
		const ids = ['1', '2', '3', '4', '5'];
		await hostile.start((response, request, body) => {
			const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
			const created = (n: number) => `2026-11-0${searchParams.get('projectId')}T00:00:0${n}.000Z`;
			const rows = {
				'/v1/projects': ids.map((id) => ({ id, displayName })),
				'/v1/flow-runs': [1, 0].map((n) => ({ id: created(n), created: created(n), displayName })),
			}[pathname.replace(/^.*\/v1/, '/v1')];
			return page(rows ?? [])(response, request, body);
		});
		const items = Array.from({ length: 5 }, () => ({}));
		expect(await hostile.run(ALL_FLOWS, { items })).toMatchObject({ items: [], error: undefined });
		const newest = { ...parametersOf('flowRun.getAll'), simplify: false, limit: 2 };
		const ofLast = ['2026-11-05T00:00:01.000Z', '2026-11-05T00:00:00.000Z'];
		expect((await hostile.run(newest)).items.map(({ json }) => json.id)).toEqual(ofLast);
	});
});

test.each([
	['Limit', { ...ALL_FLOWS, projectId: byId('p'), returnAll: false, limit: 50 }],
	['Return All', CONNECTIONS],
	['a list of projects', ALL_FLOWS],
])('records without an ID cannot make a list endless: %s', async (_name, parameters) => {
	const { requests } = await hostile.start((...answer) =>
		page([{}], `c${requests.length}`)(...answer),
	);
	const { error } = await hostile.run(parameters);
	expect(error?.message).toContain('repeats pages of the list');
	expect(requests.length).toBeLessThan(10);
});

test('a gateway has not deleted a record by accepting the request', async () => {
	await hostile.start((response) => response.writeHead(202).end());
	const { message } = await hostile.failure(INVITATION);
	expect(message).toContain('does not have the expected format');
});

describe('a response with another record', () => {
	const onFlow = (operation: string) => ({ resource: 'flow', operation, flowId: byId('abc') });

	test.each([
		['Folder → Get', FOLDER],
		['Folder → Update', RENAME],
		['Flow → Enable', onFlow('setStatus')],
	])('is refused: %s', async (_name, parameters) => {
		await hostile.start(json('{"id":"other","displayName":"Old","status":"ENABLED","version":{}}'));
		const { message } = await hostile.failure(parameters);
		expect(message).toContain('does not have the expected format');
	});

	test('is no reason to fail if it names no version', async () => {
		const { requests } = await hostile.start(json('{"id":"abc","status":"ENABLED","version":{}}'));
		await hostile.run(onFlow('publish'));
		expect(requests.map(({ path }) => path)).toContain('POST /v1/flows/abc');
	});
});

test.each([
	['two spaces', 'correct  horse battery'],
	['a tab', 'correct\thorse battery'],
	['a soft hyphen', 'correct\u00adhorse'],
	['a joined emoji', '👩‍💻-family-pass'],
	['its blanks made one', 'correct  horse', 'correct horse'],
	['an apostrophe as &#39;', "it's my secret", 'it&#39;s my secret'],
	['a quote as &#34;', 'it"s my secret', 'it&#34;s my secret'],
	['an apostrophe as &#x27;', "it's my secret", 'it&#x27;s my secret'],
	['the place of the cut', 'correct horse', `${'\u200d'.repeat(19_993)}correct horse`],
])('a repeated password is not shown: %s', async (_name, password, said = password) => {
	await hostile.start(jsonOf({ code: 'X', params: { message: `You sent ${said}` } }, 400));
	const { engine, server } = hostile;
	const caller = { engine, baseUrl: server.baseUrl, fields: { password } };
	const message = await CALLERS['the test of signing in'](caller);
	for (const part of [password, 'correct', 'horse', 'family', 'my secret']) {
		expect(message).not.toContain(part);
	}
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
